"""Repair the model's probabilities with the labels, each document's without help from its own story.

Covers: a weighted, penalised logistic curve per fold, and folds that keep the near-duplicates of a story together.
Not here: the estimate that uses them (`difference`), calibrators for large labelled sets (`calib_core.calibration`).

A probability that never saw its document's label keeps the difference estimator right on average, however poor the
curve; a good curve makes it narrow. With a hundred labels a curve of four numbers, held near "as the model said", is
all that can be learned.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit

from calib_core.anchoring.difference import Sampled
from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration.inputs import check_at_least

_LEAST = 0.005  # scores are moved this far from 0 and 1 before their logit is taken
_SLOPE_PENALTY, _SHIFT_PENALTY = 2.0, 0.1  # how strongly the slope is held near 1, and the shifts near 0


@dataclass(frozen=True, slots=True)
class Recalibration:
    """How labels are used; the defaults suit 100 to 1,000 of them."""

    n_folds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        check_at_least("n_folds", self.n_folds, 2)


def story_folds(story: Ints, n_folds: int, seed: int) -> Ints:
    """Fold of each document, shape (n_docs,): a story is never cut, and the folds have as many stories each.

    The folds depend on the stories alone, never on labels or the draw.
    """
    _, rank = np.unique(story, return_inverse=True)
    n_stories = int(rank.max()) + 1 if len(rank) else 0
    return (np.random.default_rng(seed).permutation(n_stories) % n_folds)[rank]


def recalibrated(sampled: Sampled, story: Ints, settings: Recalibration | None = None) -> Sampled:
    """The same sample with every score recalibrated on the labels of the other folds.

    Parameters
    ----------
    story : shape (n_docs,)
        Documents with the same number report the same story and share a fold.

    Notes
    -----
    Weighted by 1 / π, so that the curve fits the archive and not the sample. Unsure labels count half.
    """
    options = settings or Recalibration()
    if len(story) != len(sampled.pi):
        raise ValueError(f"story must have an entry per document; got {len(story)} for {len(sampled.pi)}")
    fold = story_folds(story, options.n_folds, options.seed)[sampled.document]
    offset, features = curve_inputs(sampled)
    score = np.zeros(len(sampled.score))
    for k in range(options.n_folds):
        mine = fold == k
        shifts = _fit(sampled, offset, features, sampled.row_labelled & ~mine)
        score[mine] = expit(offset[mine] + features[mine] @ shifts)
    return replace(sampled, score=score)


def curve_inputs(sampled: Sampled) -> tuple[Floats, Floats]:
    """Logit of the score, shape (n_rows,), and what may bend it, shape (n_rows, 2 + n_strata).

    The columns: the logit itself, whether the model gave no chance at all, and the stratum.
    """
    offset = logit(np.clip(sampled.score, _LEAST, 1.0 - _LEAST))
    stratum = sampled.stratum[sampled.document]
    none = sampled.score <= 0.0
    strata = np.arange(int(sampled.stratum.max(initial=0)) + 1)
    columns = [np.where(none, 0.0, offset), none, *(stratum == s for s in strata)]
    return offset, np.column_stack(columns).astype(np.float64)


def _fit(sampled: Sampled, offset: Floats, features: Floats, use: Bools) -> Floats:
    """Coefficients that minimise the weighted log loss plus a ridge; 0, the model as it is, without labels."""
    label = ((sampled.low + sampled.high) / 2.0)[use]
    weight = 1.0 / sampled.row_pi[use]
    weight = weight / weight.mean() if len(weight) else weight
    base, x = offset[use], features[use]
    penalty = np.full(x.shape[1], _SHIFT_PENALTY)
    penalty[0] = _SLOPE_PENALTY

    def loss(shifts: Floats) -> tuple[float, Floats]:
        z = base + x @ shifts
        value = weight @ (np.logaddexp(0.0, z) - label * z) + penalty @ shifts**2 / 2.0
        return float(value), x.T @ (weight * (expit(z) - label)) + penalty * shifts

    return minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x
