"""Recalibrating a sparse tagset (Kranzlein, Liu & Schneider 2021)."""
