"""Counts against people: news that was read in full, raw posterior, 1-best and anchored counts beside the truth."""
