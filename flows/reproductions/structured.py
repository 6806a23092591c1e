"""Calibrated structured prediction: recalibrating events of a multiclass task, a chain, and a clustering.

Covers: the order of things.
Not here: the computation (`structured_results`), what the page says (`structured_page`).
"""

from flows.reproductions.findings import DataFolder, Findings, Progress
from flows.reproductions.structured_digits import MODELS, digits
from flows.reproductions.structured_page import page
from flows.reproductions.structured_results import chain_sets, coref_sets, results


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Train three kinds of models, recalibrate their events, measure."""
    sets = {**chain_sets(data, progress, seed=seed), **coref_sets(data, progress, seed=seed)}
    progress.stage("recalibrating digits", len(MODELS))
    multiclass = {}
    for name, model in MODELS.items():
        multiclass[name] = digits(model, seed=seed)
        progress.advance(name)
    return page(results(multiclass, sets, progress, seed=seed))
