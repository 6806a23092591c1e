"""Recalibrating graphs with loops (Kuleshov & Liang 2015, section 5): snakes on grids, tags of scenes."""
