"""Calibrated structured prediction: recalibrating events of a multiclass task, a chain, and a clustering.

Covers: the order of things.
Not here: the computation (`results`), what the page says (`page`).
"""

from reproductions.findings import DataFolder, Findings, Progress
from reproductions.structured.digits import MODELS, digits
from reproductions.structured.page import page
from reproductions.structured.results import chain_sets, coref_sets, results


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Train three kinds of models, recalibrate their events, measure."""
    sets = {**chain_sets(data, progress, seed=seed), **coref_sets(data, progress, seed=seed)}
    progress.stage("recalibrating digits", len(MODELS))
    multiclass = {}
    for name, model in MODELS.items():
        multiclass[name] = digits(model, seed=seed)
        progress.advance(name)
    return page(results(multiclass, sets, progress, seed=seed))
