"""The papers' experiments, each rerun here on public data with our figures beside theirs.

Covers: one module per experiment, with a function `run(data, progress, seed) -> Findings`.
Not here: the models and measures themselves (`calib_core`).
"""
