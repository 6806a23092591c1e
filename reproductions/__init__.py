"""The papers' experiments, each rerun here on public data with our figures beside theirs.

Covers: one folder per experiment, whose `experiment` has a function `run(data, progress, seed) -> Findings`; the
taggers that only they use (`reproductions.tagging`); the generator of the demonstration archive.
Not here: the models and measures themselves (`calib_core`).
"""
