"""The pairwise model of Choi & Cardie (2007)."""
