"""Rebuild the demonstration archive, and compare the shipped models with its truth."""
