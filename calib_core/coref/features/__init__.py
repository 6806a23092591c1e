"""Features of mentions and of pairs of them, as integers that the kernels read."""
