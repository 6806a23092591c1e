"""Recalibrating a chain of handwritten letters (Kuleshov & Liang 2015), on their data."""
