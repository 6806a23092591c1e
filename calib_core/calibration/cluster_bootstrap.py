"""Intervals when rows come in groups that err together, such as all mention pairs of one document.

Covers: sums by group and bin, and the bootstrap that draws whole groups.
Not here: the test of perfect calibration for grouped rows (`calibration_test(groups=...)`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from calib_core.arrays import Floats, Ints
from calib_core.calibration.binning import Bins, adaptive_cuts, sort_pairs
from calib_core.calibration.debiased import score_interval, variance_line
from calib_core.calibration.error import Estimate
from calib_core.calibration.inputs import check_at_least, check_pairs
from calib_core.calibration.null_moments import null_moments

_MOST_NUMBERS = 2**22
"""Random numbers in memory at a time: 32 MB."""


@dataclass(frozen=True, slots=True)
class GroupSums:
    """Sparse sums of shape (n_groups, n_bins): rows, and predicted minus observed positives."""

    size: sparse.csr_array
    gap: sparse.csr_array


def cluster_bootstrap(
    pred: ArrayLike,
    label: ArrayLike,
    groups: ArrayLike,
    *,
    bin_size: int = 5000,
    n_bins: int | None = None,
    n_samples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Debiased CalibErr, and a 95 % interval that allows for dependence inside groups.

    Parameters
    ----------
    pred, label : shape (n,)
        Predicted probability of the event, and whether it happened (0 or 1).
    groups : shape (n,)
        Which document each row belongs to: numbers or strings.
    bin_size, n_bins
        Rows per bin, or number of bins; see `adaptive_bins`. The bins stay fixed while groups are redrawn.
    n_samples, seed
        How many times to redraw the groups, and from which random stream.

    Notes
    -----
    The gaps of redrawn groups scatter around the observed gaps as those scatter around the true ones. This scatter
    gives the noise to remove and the two numbers that `score_interval` needs. Percentiles of the redrawn errors would
    not do: like Algorithm 2 they count the noise twice. Both numbers are at least those of independent rows, because
    a few groups whose labels all agree would understate them. The tests simulate coverage; it needs some 30 groups.
    """
    check_at_least("n_samples", n_samples, 2)
    pairs = sort_pairs(pred, label)
    cuts = adaptive_cuts(pairs.pred, bin_size=bin_size, n_bins=n_bins, split_ties=False)
    bins = pairs.bins(cuts)
    sums = group_sums(pred, label, groups, bins)
    n_groups = sums.size.shape[0]
    if n_groups < 2:
        raise ValueError(f"groups must hold at least 2 different groups; got {n_groups}")
    blocks = [_project(shift, bins) for shift in _redrawn_shifts(sums, bins, n_samples, seed)]
    squared, along = (np.concatenate(column) for column in zip(*blocks, strict=True))
    few = n_groups / (n_groups - 1)
    slope, at_zero = variance_line(bins, null_variance=null_moments(pairs.pred, cuts).variance)
    return score_interval(
        bins.mse - few * float(squared.mean()),
        slope=max(slope, 4 * few * float(along.var()) / bins.mse if bins.mse else 0.0),
        at_zero=max(at_zero, few**2 * float(squared.var())),
    )


def group_sums(pred: ArrayLike, label: ArrayLike, groups: ArrayLike, bins: Bins) -> GroupSums:
    """Sum rows by group and bin; `bins` must keep rows with equal predictions together."""
    probabilities, labels = check_pairs(pred, label)
    names = np.asarray(groups)
    if names.shape != probabilities.shape:
        raise ValueError(f"groups must have one entry per row; got shape {names.shape} for {len(probabilities)} rows")
    if names.dtype.kind in "fO" and (names != names).any():
        raise ValueError(f"groups must not be NaN; got NaN at row {int((names != names).argmax())}")
    known, group = _numbered(names)
    order = np.argsort(probabilities)  # so that sums round the same way, whatever the order of the rows
    probabilities, labels, group = probabilities[order], labels[order], group[order]
    where, shape = (group, np.searchsorted(bins.highest, probabilities, "left")), (known, len(bins))
    size, predicted, happened = (
        sparse.coo_array((values, where), shape=shape).tocsr()
        for values in (np.ones(len(group)), probabilities, labels.astype(np.float64))
    )
    return GroupSums(size=size, gap=predicted - happened)


def block_size(n_groups: int) -> int:
    """How many redrawings of all groups to hold in memory at a time."""
    return max(1, min(256, _MOST_NUMBERS // n_groups))


def _numbered(names: NDArray[np.generic]) -> tuple[int, Ints]:
    """How many groups there are, and the number of each row's."""
    try:
        known, group = np.unique(names, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"groups must be all numbers or all strings; {error}") from error
    return len(known), group


def _redrawn_shifts(sums: GroupSums, bins: Bins, n_samples: int, seed: int) -> Iterator[Floats]:
    """Gaps of redrawn groups minus the observed gaps, shape (n_block, n_bins) each; 0 where a bin was not drawn."""
    rng, n_groups = np.random.default_rng(seed), sums.size.shape[0]
    block = block_size(n_groups)
    for start in range(0, n_samples, block):
        n_block = min(block, n_samples - start)
        times = rng.multinomial(n_groups, np.full(n_groups, 1 / n_groups), size=n_block).astype(np.float64)
        size, gap = times @ sums.size, times @ sums.gap
        shift = np.divide(gap, size, out=np.tile(bins.gap, (n_block, 1)), where=size > 0)
        yield shift - bins.gap


def _project(shift: Floats, bins: Bins) -> tuple[Floats, Floats]:
    """For each redrawing: its weighted squared shift, and its shift along the observed gaps."""
    return shift**2 @ bins.weight, shift @ (bins.weight * bins.gap)
