"""Split a proper score into the cost of miscalibration and the cost of missing information.

Covers: Brier score, log loss and any strictly proper scoring rule.
Not here: calibration error with its intervals (`calib_core.calibration.error`).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Floats
from calib_core.calibration.binning import Bins, adaptive_bins, distinct_bins, equal_width_bins
from calib_core.calibration.inputs import check_pairs


@dataclass(frozen=True, slots=True)
class ScoringRule:
    """A proper score of forecast x: `if_true(x)` when the event happens, `if_false(x)` when not; higher is better.

    The thesis calls them g₁ (increasing) and g₂ (decreasing), Definition 3.3.
    """

    if_true: Callable[[Floats], Floats]
    if_false: Callable[[Floats], Floats]

    def expected(self, p: Floats, x: Floats) -> Floats:
        """Expected score of forecast x when the event has probability p; impossible outcomes count as 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            happened = np.where(p > 0, p * self.if_true(x), 0.0)
            did_not = np.where(p < 1, (1 - p) * self.if_false(x), 0.0)
        return np.asarray(happened + did_not)


# The thesis prints (x - 1)² and x² for g₁ and g₂, which are decreasing and increasing; these are the signs it means.
BRIER = ScoringRule(lambda x: -((1 - x) ** 2), lambda x: -(x**2))
LOG = ScoringRule(np.log, lambda x: np.log1p(-x))
SPHERICAL = ScoringRule(lambda x: x / np.hypot(x, 1 - x), lambda x: (1 - x) / np.hypot(x, 1 - x))


@dataclass(frozen=True, slots=True)
class ScoreDecomposition:
    """`score = calibration + refinement + within_bin` of Theorem 3.4 (S, S₁, S₂); higher is better."""

    score: float
    calibration: float
    """At most 0; 0 only if the model is perfectly calibrated."""
    refinement: float
    within_bin: float
    """The change from replacing each prediction by its bin's mean; 0 with one bin per distinct prediction."""


@dataclass(frozen=True, slots=True)
class LossDecomposition:
    """`loss = calibration + refinement + within_bin = uncertainty - sharpness + calibration + within_bin`."""

    loss: float
    calibration: float
    """Cost of predictions that differ from observed frequencies; at least 0."""
    refinement: float
    """Cost of not separating the events from the rest; at least 0."""
    uncertainty: float
    """Loss of always predicting the base rate."""
    sharpness: float
    """How much of the uncertainty the grouping of rows removes; at least 0."""
    within_bin: float
    """The change from replacing each prediction by its bin's mean; 0 with one bin per distinct prediction."""


def brier_score(pred: ArrayLike, label: ArrayLike) -> float:
    """Mean squared difference between prediction and label."""
    return -float(BRIER.expected(*_in_order(pred, label)).mean())


def log_loss(pred: ArrayLike, label: ArrayLike) -> float:
    """Mean negative log-probability of what happened, in nats; infinite if a prediction of 0 or 1 was wrong."""
    return -float(LOG.expected(*_in_order(pred, label)).mean())


def brier_decomposition(
    pred: ArrayLike, label: ArrayLike, *, bin_size: int | None = None, n_buckets: int | None = None
) -> LossDecomposition:
    """Split the Brier score: calibration + refinement, and uncertainty - sharpness + calibration.

    Parameters
    ----------
    pred, label : shape (n,)
        Predicted probability of the event, and whether it happened (0 or 1).
    bin_size : int, optional
        Estimate P(y | q) in adaptive bins of this many rows: needed if few predictions are exactly equal.
    n_buckets : int, optional
        Estimate it in this many buckets of equal width (Kuleshov & Liang use 10).
        Without either, each distinct prediction is its own bin, and `within_bin` is 0.

    Notes
    -----
    Eq. 1 of Nguyen & O'Connor (2015), eq. 3 of Kuleshov & Liang (2015).
    """
    return _loss_decomposition(pred, label, BRIER, bin_size, n_buckets)


def log_loss_decomposition(
    pred: ArrayLike, label: ArrayLike, *, bin_size: int | None = None, n_buckets: int | None = None
) -> LossDecomposition:
    """Split log loss the same way; calibration is then a mean Kullback-Leibler divergence (Bröcker 2009).

    Parameters are those of `brier_decomposition`.
    """
    return _loss_decomposition(pred, label, LOG, bin_size, n_buckets)


def score_decomposition(
    pred: ArrayLike,
    label: ArrayLike,
    rule: ScoringRule,
    *,
    bin_size: int | None = None,
    n_buckets: int | None = None,
) -> ScoreDecomposition:
    """Split any strictly proper score as S₁ + S₂: Theorem 3.4 of the thesis.

    Parameters are those of `brier_decomposition`; `rule` is for instance `BRIER`, `LOG` or `SPHERICAL`.
    """
    bins = _bins(pred, label, bin_size, n_buckets)
    score = float(rule.expected(*_in_order(pred, label)).mean())
    refinement = float(bins.weight @ rule.expected(bins.mean_label, bins.mean_label))
    calibration = float(bins.weight @ rule.expected(bins.mean_label, bins.mean_pred)) - refinement
    # where one wrong certainty makes both infinite, their difference says nothing
    within_bin = 0.0 if np.isinf(score) and np.isinf(calibration) else score - calibration - refinement
    return ScoreDecomposition(score, calibration, refinement, within_bin)


def _loss_decomposition(
    pred: ArrayLike, label: ArrayLike, rule: ScoringRule, bin_size: int | None, n_buckets: int | None
) -> LossDecomposition:
    parts = score_decomposition(pred, label, rule, bin_size=bin_size, n_buckets=n_buckets)
    rate = np.asarray([np.mean(np.asarray(label, dtype=np.float64))])
    uncertainty = -float(rule.expected(rate, rate)[0])
    return LossDecomposition(
        loss=-parts.score,
        calibration=-parts.calibration,
        refinement=-parts.refinement,
        uncertainty=uncertainty,
        sharpness=uncertainty + parts.refinement,
        within_bin=-parts.within_bin,
    )


def _in_order(pred: ArrayLike, label: ArrayLike) -> tuple[Floats, Floats]:
    """Labels and predictions, sorted, so that sums round the same way whatever the order of the rows."""
    probabilities, labels = check_pairs(pred, label)
    negative, positive = np.sort(probabilities[~labels]), np.sort(probabilities[labels])
    return np.repeat([0.0, 1.0], [len(negative), len(positive)]), np.concatenate([negative, positive])


def _bins(pred: ArrayLike, label: ArrayLike, bin_size: int | None, n_buckets: int | None) -> Bins:
    if bin_size is not None and n_buckets is not None:
        raise ValueError(f"give bin_size or n_buckets, not both; got {bin_size} and {n_buckets}")
    if n_buckets is not None:
        return equal_width_bins(pred, label, n_bins=n_buckets)
    return distinct_bins(pred, label) if bin_size is None else adaptive_bins(pred, label, bin_size=bin_size)
