"""Bin size and sample size on generated pairs (Nguyen's thesis, section 4.3)."""
