"""Recalibrating structured predictions (Kuleshov & Liang 2015, section 5)."""
