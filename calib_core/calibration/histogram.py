"""Recalibration methods that output one value per bin.

Covers: histogram binning and scaling-binning.
Not here: continuous maps (`scaling`).
"""

import numpy as np
from sklearn.base import clone

from calib_core.arrays import Bools, Floats
from calib_core.calibration.binning import adaptive_cuts
from calib_core.calibration.inputs import check_at_least
from calib_core.calibration.recalibrator import Recalibrator
from calib_core.calibration.scaling import IsotonicCalibration


class _BinnedCalibrator(Recalibrator):
    """Looks up the value of the bin that a prediction falls into."""

    learned = ("edges_", "values_")
    edges_: Floats
    values_: Floats

    def _predict(self, pred: Floats) -> Floats:
        return self.values_[np.searchsorted(self.edges_, pred, "left")]


class HistogramBinning(_BinnedCalibrator):
    """Predict the share of positives among the bin's training rows (Zadrozny & Elkan 2001).

    Parameters
    ----------
    n_bins : int
        Number of bins; with many equal predictions there may be fewer.
    bin_size : int, optional
        Rows per bin, instead of a number of bins.
    adaptive : bool
        True: bins of equal size; False: `n_bins` bins of equal width.

    Notes
    -----
    Adaptive bins meet half-way between the training predictions on either side. A bin of equal width without
    training rows predicts its own middle.
    """

    def __init__(self, *, n_bins: int = 10, bin_size: int | None = None, adaptive: bool = True) -> None:
        self.n_bins = n_bins
        self.bin_size = bin_size
        self.adaptive = adaptive

    def _fit(self, pred: Floats, label: Bools) -> None:
        if self.adaptive:
            self.edges_ = _adaptive_edges(pred, self.n_bins, self.bin_size)
        elif self.bin_size is None:
            check_at_least("n_bins", self.n_bins, 1)
            # bins include their left edge, so a bin's last prediction is the one just below the next bin's edge
            self.edges_ = np.nextafter(np.arange(1, self.n_bins) / self.n_bins, 0.0)
        else:
            raise ValueError(f"bins of equal width have no bin_size; got {self.bin_size}")
        self.values_ = _bin_means(pred, label.astype(np.float64), self.edges_)


class ScalingBinning(_BinnedCalibrator):
    """Scale, then predict each bin's mean scaled prediction (Kumar et al. 2019).

    The output takes few values, so its error can be measured. Averaging the scaled values instead of the labels makes
    it less noisy than histogram binning.

    Parameters
    ----------
    n_bins, bin_size
        As in `HistogramBinning`.
    scaler : Recalibrator, optional
        Isotonic if not given, as in Kranzlein et al. (2021).

    Notes
    -----
    As in Kranzlein et al., the bins are cut on the unscaled predictions, and the scaler, the bins and the means are
    fitted to the same rows. Kumar et al. use a different third of the rows for each, and their bounds rest on that.
    """

    def __init__(self, *, n_bins: int = 10, bin_size: int | None = None, scaler: Recalibrator | None = None) -> None:
        self.n_bins = n_bins
        self.bin_size = bin_size
        self.scaler = scaler

    def _fit(self, pred: Floats, label: Bools) -> None:
        scaler: Recalibrator = IsotonicCalibration() if self.scaler is None else clone(self.scaler)
        self.edges_ = _adaptive_edges(pred, self.n_bins, self.bin_size)
        self.values_ = _bin_means(pred, scaler.fit(pred, label).predict(pred), self.edges_)


def _adaptive_edges(pred: Floats, n_bins: int, bin_size: int | None) -> Floats:
    """The largest prediction that belongs to each bin but the last; `pred` is sorted."""
    check_at_least("n_bins", n_bins, 1)
    wanted = {"n_bins": min(n_bins, len(pred))} if bin_size is None else {"bin_size": bin_size}
    cuts = adaptive_cuts(pred, **wanted, split_ties=False)[1:-1]
    last, first = pred[cuts - 1], pred[cuts]
    middle = last + (first - last) / 2
    return np.where(middle < first, middle, last)  # between neighbouring floats the middle rounds to one of them


def _bin_means(pred: Floats, values: Floats, edges: Floats) -> Floats:
    """Mean value of each bin's rows; the middle of the bin where it has none."""
    bin_of_row = np.searchsorted(edges, pred, "left")
    rows = np.bincount(bin_of_row, minlength=len(edges) + 1)
    total = np.bincount(bin_of_row, weights=values, minlength=len(edges) + 1)
    bounds = np.concatenate([[0.0], edges, [1.0]])
    return np.divide(total, rows, out=(bounds[:-1] + bounds[1:]) / 2, where=rows > 0)
