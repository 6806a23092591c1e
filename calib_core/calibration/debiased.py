"""Calibration error without the noise of observed frequencies, and an interval that holds.

Covers: the debiased estimate, its interval for independent rows, and the quadratic that both intervals solve.
Not here: rows that come in groups (`cluster_bootstrap`); the papers' own interval (`error`).
"""

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Floats
from calib_core.calibration.binning import Bins, adaptive_cuts, sort_pairs
from calib_core.calibration.error import Z95, Estimate
from calib_core.calibration.null_moments import null_moments


def debiased_calibration_error(
    pred: ArrayLike, label: ArrayLike, *, bin_size: int = 5000, n_bins: int | None = None
) -> float:
    """CalibErr without the noise of the observed frequencies; 0 if the error is smaller than that noise.

    Notes
    -----
    Each squared gap is expected to exceed the true one by the variance of its frequency, p (1 - p) / n, estimated
    without bias by p̂ (1 - p̂) / (n - 1) (Kumar et al. 2019). Rows with equal predictions share a bin.
    """
    return debiased_error_interval(pred, label, bin_size=bin_size, n_bins=n_bins).value


def debiased_error_interval(
    pred: ArrayLike, label: ArrayLike, *, bin_size: int = 5000, n_bins: int | None = None
) -> Estimate:
    """The debiased error with a 95 % interval for the true binned error, when rows are independent.

    Notes
    -----
    Beyond the papers. Let d be the gap of a bin, δ the true gap and s² the variance of its frequency. Then d² has mean
    δ² + s² and variance 4δ²s² + 2s⁴. So the variance of the debiased CalibMSE is linear in the true CalibMSE, and
    `score_interval` keeps the true values within 1.96 standard deviations of the observed one. The tests simulate
    coverage.
    """
    pairs = sort_pairs(pred, label)
    cuts = adaptive_cuts(pairs.pred, bin_size=bin_size, n_bins=n_bins, split_ties=False)
    bins = pairs.bins(cuts)
    if bins.size.min() < 2:
        raise ValueError(f"debiasing needs bins of at least 2 rows; got {bins.size.min()}")
    slope, at_zero = variance_line(bins, null_variance=null_moments(pairs.pred, cuts).variance)
    return score_interval(debiased_mse(bins), slope=slope, at_zero=at_zero)


def debiased_mse(bins: Bins) -> float:
    """The unbiased estimate of CalibMSE, which may be negative."""
    return bins.mse - float(bins.weight @ (bins.mean_label * (1 - bins.mean_label) / (bins.size - 1)))


def variance_line(bins: Bins, *, null_variance: float) -> tuple[float, float]:
    """The debiased CalibMSE's variance as a line in the true CalibMSE: slope and intercept, for independent rows.

    Two positives and two negatives are added to each frequency (Agresti & Coull 1998). The intercept is at least the
    variance under perfect calibration, which depends only on the predictions; where all labels agree, no other
    variance would be left.
    """
    frequency = (bins.size * bins.mean_label + 2) / (bins.size + 4)
    noise = frequency * (1 - frequency) / bins.size
    slope = 4 * float(bins.weight**2 @ (noise * bins.gap**2)) / bins.mse if bins.mse else 0.0
    return slope, max(2 * float(bins.weight**2 @ noise**2), null_variance)


def score_interval(mse: float, *, slope: float, at_zero: float) -> Estimate:
    """Root of an unbiased estimate of m = CalibMSE whose variance is `slope` m + `at_zero`, with its 95 % interval.

    The interval is {m : (mse - m)² ≤ 1.96² (slope m + at_zero)}, the solution of a quadratic. Like Wilson's, it takes
    the variance at the candidate m, not at the estimate, so it holds near 0 too. Ends are clipped to [0, 1].
    """
    centre = mse + Z95**2 * slope / 2
    half = Z95 * np.sqrt(max(0.0, slope * mse + (Z95 * slope / 2) ** 2 + at_zero))
    ends: Floats = np.sqrt(np.clip([mse, centre - half, centre + half], 0.0, 1.0))
    return Estimate(*ends.tolist())
