"""Group predictions into bins that follow the data, or into bins of equal width.

Covers: where to cut, and the averages inside each bin.
Not here: the error computed from the bins (`calib_core.calibration.error`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Floats, Ints
from calib_core.calibration.inputs import check_at_least, check_pairs


@dataclass(frozen=True, slots=True)
class Bins:
    """One entry per bin, in order of prediction; every array has shape (n_bins,) and no bin is empty."""

    size: Ints
    mean_pred: Floats
    mean_label: Floats
    lowest: Floats
    """Smallest prediction in the bin."""
    highest: Floats
    """Largest prediction in the bin."""

    @property
    def gap(self) -> Floats:
        """Predicted minus observed frequency: positive where the model is overconfident that the event happens."""
        return self.mean_pred - self.mean_label

    @property
    def mse(self) -> float:
        """CalibMSE: the mean squared gap, weighted by bin size."""
        return float(self.weight @ self.gap**2)

    @property
    def weight(self) -> Floats:
        """Share of all rows that each bin holds."""
        return self.size / self.size.sum()

    def __len__(self) -> int:
        """Number of bins."""
        return len(self.size)


@dataclass(frozen=True, slots=True)
class SortedPairs:
    """All predictions in order, and those of the positive rows in order.

    Two plain sorts replace one argsort. They are several times faster, and because rows lose their identity, the order
    in which they came cannot matter.
    """

    pred: Floats
    positives: Floats

    def positives_before(self, cuts: Ints) -> Floats:
        """How many of the first `cut` rows are positive, for each cut.

        Where a cut falls inside a run of equal predictions, the run's positives are spread evenly over it: the
        average count over all orders in which the tied rows could have been sorted. An error computed from such
        counts is smaller than the average error over those orders, since the noise of the split is gone.
        """
        at = self.pred[np.minimum(cuts, len(self.pred) - 1)]
        first, last = np.searchsorted(self.pred, at, "left"), np.searchsorted(self.pred, at, "right")
        below, upto = np.searchsorted(self.positives, at, "left"), np.searchsorted(self.positives, at, "right")
        return below + (cuts - first) * (upto - below) / (last - first)

    def bins(self, cuts: Ints) -> Bins:
        """Averages between consecutive cuts; `cuts` starts at 0, increases, and ends at n."""
        size, lowest, highest = np.diff(cuts), self.pred[cuts[:-1]], self.pred[cuts[1:] - 1]
        return Bins(
            size=size,
            # a mean may round past its extremes: the mean of equal predictions must be that prediction
            mean_pred=np.clip(np.add.reduceat(self.pred, cuts[:-1]) / size, lowest, highest),
            mean_label=np.diff(self.positives_before(cuts)) / size,
            lowest=lowest,
            highest=highest,
        )


def sort_pairs(pred: ArrayLike, label: ArrayLike) -> SortedPairs:
    """Check the pairs and sort them by prediction."""
    probabilities, labels = check_pairs(pred, label)
    return SortedPairs(pred=np.sort(probabilities), positives=np.sort(probabilities[labels]))


def adaptive_bins(
    pred: ArrayLike, label: ArrayLike, *, bin_size: int = 5000, n_bins: int | None = None, split_ties: bool = True
) -> Bins:
    """Sort by prediction, then cut every `bin_size` rows.

    Crowded parts of [0, 1] get narrow bins; empty parts get none.

    Parameters
    ----------
    pred, label : shape (n,)
        Predicted probability of the event, and whether it happened (0 or 1).
    bin_size : int
        Rows per bin. A short remainder joins the last bin; with fewer rows than one bin, all share a single bin.
    n_bins : int, optional
        If given, cut into this many bins instead, whose sizes differ by at most one (Kranzlein et al. 2021).
    split_ties : bool
        True cuts where the paper does, even inside a run of equal predictions; the bins that share the run get the
        run's positives in proportion, so that the order of rows never changes an answer. False moves such a cut to
        the end of the run, so that equal predictions share a bin and no two bins share rows' labels: what predictions
        of few values and tests of independent bins need. With `bin_size` every bin still has that many rows; with
        `n_bins` there may be fewer bins, never more.

    Notes
    -----
    Steps 1-4 of Algorithm 1 of Nguyen & O'Connor (2015). The paper does not say how ties are sorted.
    """
    pairs = sort_pairs(pred, label)
    return pairs.bins(adaptive_cuts(pairs.pred, bin_size=bin_size, n_bins=n_bins, split_ties=split_ties))


def adaptive_cuts(pred: Floats, *, bin_size: int = 5000, n_bins: int | None = None, split_ties: bool = True) -> Ints:
    """Positions where `adaptive_bins` cuts sorted predictions, including 0 and n."""
    n = len(pred)
    if n_bins is None:
        cuts = cuts_every(bin_size, n)
        return cuts if split_ties else _filled_bins(pred, cuts)
    check_at_least("n_bins", n_bins, 1)
    if n_bins > n:
        raise ValueError(f"n_bins must be at most the number of rows; got {n_bins} for {n} rows")
    cuts = np.arange(n_bins + 1) * n // n_bins
    return cuts if split_ties else _cuts_by_value(pred, cuts)


def cuts_every(bin_size: int, n: int) -> Ints:
    """Steps 2 and 3 of Algorithm 1: cut n rows every `bin_size`; a short remainder joins the last bin."""
    check_at_least("bin_size", bin_size, 1)
    return np.append(np.arange(0, max(n - bin_size, 0) + 1, bin_size), n)


def _filled_bins(pred: Floats, cuts: Ints) -> Ints:
    """End each bin where a run of equal predictions ends, at the first such place that fills it."""
    inner, size, n = cuts[1:-1], int(cuts[1]), len(pred)
    if not (pred[inner - 1] == pred[inner]).any():
        return cuts
    kept = [0]
    while n - kept[-1] >= 2 * size:
        end = int(np.searchsorted(pred, pred[kept[-1] + size - 1], "right"))
        if n - end < size:
            break
        kept.append(end)
    return np.array([*kept, n])


def _cuts_by_value(pred: Floats, cuts: Ints) -> Ints:
    """Move each cut inside a run of equal predictions to the end of the run; cuts that meet are one.

    As the evaluation of Kumar et al. (2019) and Kranzlein et al. (2021) does. Beyond it, a single row that such a move
    leaves behind joins the bin before it, because nothing can be said about the noise of one label.
    """
    ends = np.searchsorted(pred, pred[cuts[1:] - 1], "right")
    starts = np.unique(np.concatenate([[0], ends[ends < len(pred)]]))
    if np.diff(cuts).min() > 1:
        alone = np.diff(np.append(starts, len(pred))) == 1
        starts = starts[~alone]
    return np.append(starts, len(pred))


def equal_width_bins(pred: ArrayLike, label: ArrayLike, *, n_bins: int = 10) -> Bins:
    """Cut [0, 1] into `n_bins` intervals [i / n, (i + 1) / n), with the last one closed; leave out empty bins.

    The buckets of Kuleshov & Liang (2015). Prefer `adaptive_bins`: most predictions of language models are near 0 and
    1, where such bins are too coarse, and few are in the middle, where they are too noisy.
    """
    check_at_least("n_bins", n_bins, 1)
    pairs = sort_pairs(pred, label)
    edges = np.arange(1, n_bins) / n_bins
    inner = np.searchsorted(pairs.pred, edges, "left")
    return pairs.bins(np.unique(np.concatenate([[0], inner, [len(pairs.pred)]])))


def distinct_bins(pred: ArrayLike, label: ArrayLike) -> Bins:
    """One bin for each distinct prediction: P(y | q) taken literally."""
    pairs = sort_pairs(pred, label)
    starts = np.flatnonzero(np.concatenate([[True], pairs.pred[1:] != pairs.pred[:-1]]))
    return pairs.bins(np.append(starts, len(pairs.pred)))
