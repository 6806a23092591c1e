"""HMM against CRF on Penn tags (Nguyen & O'Connor 2015, section 4.2)."""
