"""Two coreference models on the same documents: scores of both, and of their difference, drawn document by document.

Covers: CoNLL F1 and log-likelihood per mention, on the annotators' trees and from raw text, news apart.
Not here: calibration (`credence calibrate`), options (`reproductions.context.__main__`).

Documents differ far more than models do, so the interval of the difference is much narrower than that of either score.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats
from calib_core.calibration import Estimate
from calib_core.coref import CoreferenceModel, gold_entities
from calib_core.coref.metrics.scores import Scores, score
from calib_core.coref.model.held_out import HeldOut, antecedent_loss
from calib_core.coref.posterior.decoding import clusters_of, map_clustering
from calib_core.document import Document

DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Judged:
    """One model on one document: scores of its 1-best, loss of its antecedents, number of mentions."""

    scores: Scores
    loss: float
    mentions: int


def judge(model: CoreferenceModel, document: Document) -> Judged:
    """Score one annotated, parsed document."""
    linked = model.link(document)
    found = clusters_of(map_clustering(linked.antecedents), linked.mentions)
    held_out = HeldOut(linked.antecedents, linked.kinds, gold_entities(document, linked.mentions))
    return Judged(score(document.clusters or (), found), antecedent_loss(held_out), len(linked.mentions))


def conll(judged: Sequence[Judged]) -> float:
    """CoNLL F1 of some documents together."""
    return sum((one.scores for one in judged), start=Scores()).conll.f1


def likelihood(judged: Sequence[Judged]) -> float:
    """Log-likelihood per mention."""
    return -sum(one.loss for one in judged) / max(1, sum(one.mentions for one in judged))


def gain(
    figure: Callable[[Sequence[Judged]], float], before: Sequence[Judged], after: Sequence[Judged], *, seed: int = 0
) -> Estimate:
    """By how much a figure is larger after than before; 95 % interval over documents."""
    rng = np.random.default_rng(seed)
    drawn: Floats = np.empty(DRAWS)
    for n in range(DRAWS):
        chosen = rng.integers(0, len(before), len(before)).tolist()
        drawn[n] = figure([after[d] for d in chosen]) - figure([before[d] for d in chosen])
    lo, hi = np.quantile(drawn, [0.025, 0.975])
    return Estimate(figure(after) - figure(before), float(lo), float(hi))
