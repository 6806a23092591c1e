"""HMM against CRF on tweets (Nguyen's thesis, section 4.2)."""
