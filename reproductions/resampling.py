"""Intervals by drawing whole documents, the same draws for everything that is compared.

Covers: draws of documents, CalibErr under them without its noise, and intervals of any function of draws.
Not here: the interval of one CalibErr (`calib_core.calibration.cluster_bootstrap`), verdicts (`verdicts`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Floats
from calib_core.calibration import Estimate
from calib_core.calibration.binning import adaptive_cuts, sort_pairs
from calib_core.calibration.cluster_bootstrap import group_sums
from calib_core.calibration.error import Z95

N_DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure, and what it is in each draw of documents; shape (n_draws,)."""

    value: float
    draws: Floats

    def estimate(self) -> Estimate:
        """The figure with the 95 % interval of its draws; the figure is always inside it."""
        lo, hi = np.quantile(self.draws, [0.025, 0.975], method="inverted_cdf")  # no mean of infinite ratios
        return Estimate(self.value, min(float(lo), self.value), max(float(hi), self.value))


def combined(function: Callable[..., ArrayLike], *parts: Drawn) -> Drawn:
    """A function of several figures, applied to the figures and to each draw; it must work on arrays."""
    value = function(*(np.array([part.value]) for part in parts))
    return Drawn(float(np.asarray(value)[0]), np.asarray(function(*(part.draws for part in parts))))


def draw_times(n_groups: int, *, n_draws: int = N_DRAWS, seed: int = 0) -> Floats:
    """How often each document is in each draw, shape (n_draws, n_groups)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(n_groups, np.full(n_groups, 1 / n_groups), size=n_draws).astype(np.float64)


def squared_error(
    pred: ArrayLike,
    label: ArrayLike,
    groups: ArrayLike,
    times: Floats,
    *,
    bin_size: int = 5000,
    n_bins: int | None = None,
) -> Drawn:
    """CalibMSE without noise, and under each draw; the bins stay fixed.

    Parameters
    ----------
    groups : shape (n,)
        Number of each row's document: a column of `times`. A document without rows is allowed.
    times
        From `draw_times`; pass the same to all figures that are compared.

    Notes
    -----
    A gap of a bin scatters around the true gap, so its square is too large by the variance v of that scatter; drawing
    documents adds v once more. The figure therefore subtracts v once, each draw twice, and both may be negative.
    """
    pairs = sort_pairs(pred, label)
    if n_bins is not None:
        n_bins = min(n_bins, len(pairs.pred))
    bins = pairs.bins(adaptive_cuts(pairs.pred, bin_size=bin_size, n_bins=n_bins, split_ties=False))
    sums = group_sums(pred, label, groups, bins)
    present = np.unique(np.asarray(groups))
    drawn = times[:, present]
    size, gap = drawn @ sums.size, drawn @ sums.gap
    gaps = np.divide(gap, size, out=np.tile(bins.gap, (len(times), 1)), where=size > 0)
    weight = size / np.maximum(size.sum(axis=1, keepdims=True), 1)
    noise = float((bins.weight @ ((gaps - bins.gap) ** 2).mean(axis=0)) * len(present) / max(len(present) - 1, 1))
    return Drawn(bins.mse - noise, (weight * gaps**2).sum(axis=1) - 2 * noise)


def root_mean(parts: Sequence[Drawn]) -> Drawn:
    """Root of the mean of several squared errors; 0 where noise makes it negative."""
    return combined(lambda *squares: np.sqrt(np.maximum(np.mean(squares, axis=0), 0.0)), *parts)


def ratio(above: Drawn, below: Drawn) -> Drawn:
    """One figure over another; infinite where the lower one is 0 and the upper one is not."""
    return combined(_ratio, above, below)


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, above / np.where(below > 0, below, 1.0), np.where(above > 0, np.inf, 1.0))


def difference(one: Drawn, other: Drawn) -> Drawn:
    """One figure minus another."""
    return combined(np.subtract, one, other)


def mean_of(values: ArrayLike, groups: ArrayLike, times: Floats) -> Drawn:
    """Mean of values by row, and under each draw of the documents that the rows are from."""
    rows = np.asarray(values, dtype=np.float64)
    sums, counts = (np.bincount(np.asarray(groups), part, times.shape[1]) for part in (rows, np.ones(len(rows))))
    return Drawn(float(rows.mean()), (times @ sums) / np.maximum(times @ counts, 1))


def largest(*parts: Drawn) -> Drawn:
    """The largest of several figures, in each draw."""
    return combined(lambda *values: np.max(values, axis=0), *parts)


def smallest(*parts: Drawn) -> Drawn:
    """The smallest of several figures, in each draw."""
    return combined(lambda *values: np.min(values, axis=0), *parts)


def share(held: int, of: int) -> Estimate:
    """A share of independent cases with its Wilson interval."""
    if not of:
        return Estimate(0.0, 0.0, 1.0)
    rate, z = held / of, Z95
    centre, half = rate + z * z / (2 * of), z * np.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    lo, hi = ((centre + side * half) / (1 + z * z / of) for side in (-1, 1))
    return Estimate(rate, max(0.0, float(lo)), min(1.0, float(hi)))
