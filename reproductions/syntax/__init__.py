"""Doubt about syntax: Monte Carlo syntax marginals, after Keith, Blodgett & O'Connor (2018)."""
