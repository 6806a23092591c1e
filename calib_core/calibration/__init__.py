"""Measure and repair the calibration of probabilities."""
