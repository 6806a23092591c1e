"""Structured local training and biased potentials (Choi & Cardie 2007)."""
