"""How far predictions are from observed frequencies.

Covers: CalibErr and its square (Algorithm 1), its sampled interval (Algorithm 2), and the debiased estimate.
Not here: a test of perfect calibration (`null_test`), intervals for dependent rows (`cluster_bootstrap`).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Floats
from calib_core.calibration.binning import Bins, adaptive_bins
from calib_core.calibration.inputs import check_at_least

Norm = Literal["l1", "l2", "max"]

Z95 = 1.96
"""Half-width of a 95 % interval in standard deviations, as the papers print it."""

_BLOCK = 64
"""Samples drawn at a time: keeps the working set in the cache and memory flat."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    lo: float
    hi: float


def binned_error(bins: Bins, *, norm: Norm = "l2") -> float:
    """Distance between predicted and observed frequencies over bins, weighted by bin size.

    "l2" is the paper's CalibErr, "l1" what others call ECE, "max" the largest gap of any bin.
    """
    gap = np.abs(bins.gap)
    if norm == "l2":
        return float(np.sqrt(bins.weight @ gap**2))
    if norm == "l1":
        return float(bins.weight @ gap)
    if norm == "max":
        return float(gap.max())
    raise ValueError(f"norm must be 'l1', 'l2' or 'max'; got {norm!r}")


def calibration_error(
    pred: ArrayLike, label: ArrayLike, *, bin_size: int = 5000, n_bins: int | None = None, norm: Norm = "l2"
) -> float:
    """Root mean squared gap between predicted and observed frequency: CalibErr, Algorithm 1.

    Parameters
    ----------
    pred, label : shape (n,)
        Predicted probability of the event, and whether it happened (0 or 1).
    bin_size, n_bins
        Rows per bin, or number of bins; see `adaptive_bins`.
    norm : {"l2", "l1", "max"}
        See `binned_error`.

    Notes
    -----
    Even a perfectly calibrated model scores about sqrt(mean q (1 - q) / bin_size) here, because observed frequencies
    are noisy. `calibration_test` says whether the error is larger than that, `debiased_calibration_error` takes it off.

    Examples
    --------
    >>> calibration_error([0.1, 0.3, 0.8, 1.0], [0, 1, 1, 1], bin_size=2)
    0.223606797749979
    """
    return binned_error(adaptive_bins(pred, label, bin_size=bin_size, n_bins=n_bins), norm=norm)


def calibration_mse(pred: ArrayLike, label: ArrayLike, *, bin_size: int = 5000, n_bins: int | None = None) -> float:
    """CalibMSE of the thesis: the square of `calibration_error`."""
    bins = adaptive_bins(pred, label, bin_size=bin_size, n_bins=n_bins)
    return float(bins.weight @ bins.gap**2)


def calibration_error_interval(
    pred: ArrayLike,
    label: ArrayLike,
    *,
    bin_size: int = 5000,
    n_bins: int | None = None,
    n_samples: int = 10_000,
    seed: int = 0,
    squared: bool = False,
) -> Estimate:
    """CalibErr with the 95 % interval of Algorithm 2.

    Parameters
    ----------
    n_samples, seed
        How many sets of bin frequencies to draw, and from which random stream.
    squared : bool
        Give CalibMSE and its interval instead (the thesis, section 3.2.2).

    Notes
    -----
    Kept exactly as printed, for comparison with the papers. It samples around frequencies that are noisy already, so
    it is centred too high: with perfect calibration the interval lies wholly above the true error (which is 0), and
    often above the estimate itself. Where a conclusion hangs on the interval use `debiased_error_interval`, or
    `cluster_bootstrap` if rows come in groups. Actual coverage of each: docs/calibration-core.md.
    """
    bins = adaptive_bins(pred, label, bin_size=bin_size, n_bins=n_bins)
    return interval_from_bins(bins, n_samples=n_samples, seed=seed, squared=squared)


def interval_from_bins(bins: Bins, *, n_samples: int = 10_000, seed: int = 0, squared: bool = False) -> Estimate:
    """Algorithm 2 on bins that exist already, for instance those of a `PairSummary`."""
    check_at_least("n_samples", n_samples, 2)
    mse = _sampled_mse(bins, n_samples, seed)
    value = float(bins.weight @ bins.gap**2)
    errors = mse if squared else np.sqrt(mse)
    mean, half = float(errors.mean()), Z95 * float(errors.std())
    return Estimate(value if squared else float(np.sqrt(value)), mean - half, mean + half)


def _sampled_mse(bins: Bins, n_samples: int, seed: int) -> Floats:
    """CalibMSE of each sample of bin frequencies, shape (n_samples,)."""
    sd = np.sqrt(bins.mean_label * (1 - bins.mean_label) / bins.size)
    noisy = sd > 0  # bins whose labels are all 0 or all 1 are the same in every sample
    sd, mean_label, mean_pred = sd[noisy], bins.mean_label[noisy], bins.mean_pred[noisy]
    fixed = bins.weight[~noisy] @ bins.gap[~noisy] ** 2
    rng, mse = np.random.default_rng(seed), np.empty(n_samples)
    for start in range(0, n_samples, _BLOCK):
        draw = rng.standard_normal((min(_BLOCK, n_samples - start), len(sd)))
        draw *= sd
        draw += mean_label
        np.clip(draw, 0.0, 1.0, out=draw)
        draw -= mean_pred
        np.square(draw, out=draw)
        mse[start : start + _BLOCK] = draw @ bins.weight[noisy] + fixed
    return mse


def debiased_calibration_error(
    pred: ArrayLike, label: ArrayLike, *, bin_size: int = 5000, n_bins: int | None = None
) -> float:
    """CalibErr with the noise of the observed frequencies taken off; 0 where less than the noise was seen.

    Notes
    -----
    Each squared gap is expected to exceed the true one by the variance of its frequency, p (1 - p) / n, estimated
    without bias by p̂ (1 - p̂) / (n - 1) (Kumar et al. 2019). Rows with equal predictions share a bin.
    """
    return float(np.sqrt(max(0.0, debiased_mse(_independent_bins(pred, label, bin_size, n_bins)))))


def debiased_error_interval(
    pred: ArrayLike, label: ArrayLike, *, bin_size: int = 5000, n_bins: int | None = None
) -> Estimate:
    """The debiased error with a 95 % interval for the true binned error, when rows are independent.

    Notes
    -----
    Beyond the papers. With d the gap of a bin and s² the variance of its frequency, d² has mean δ² + s² and variance
    4δ²s² + 2s⁴. So the debiased CalibMSE has a variance that is a line in the true CalibMSE, and `score_interval` keeps
    those true values that are within 1.96 standard deviations of what was seen. Coverage is simulated in the tests.
    """
    bins = _independent_bins(pred, label, bin_size, n_bins)
    weight, noise, squares = bins.weight, _frequency_variance(bins), bins.gap**2
    mse = float(weight @ squares)
    slope = 4 * float(weight**2 @ (noise * squares)) / mse if mse else 0.0
    return score_interval(debiased_mse(bins), slope=slope, at_zero=2 * float(weight**2 @ noise**2))


def score_interval(mse: float, *, slope: float, at_zero: float) -> Estimate:
    """Root of an unbiased estimate of m = CalibMSE whose variance is `slope` m + `at_zero`, with its 95 % interval.

    The interval is {m : (mse - m)² ≤ 1.96² (slope m + at_zero)}, the solution of a quadratic: like Wilson's, it takes
    the variance at the candidate m, not at the estimate, and so stays honest near 0. Ends below 0 become 0.
    """
    centre = mse + Z95**2 * slope / 2
    half = Z95 * np.sqrt(max(0.0, slope * mse + (Z95 * slope / 2) ** 2 + at_zero))
    value, lo, hi = np.sqrt(np.maximum([mse, centre - half, centre + half], 0.0)).tolist()
    return Estimate(value, lo, hi)


def debiased_mse(bins: Bins) -> float:
    """The unbiased estimate of CalibMSE, which may be negative."""
    return float(bins.weight @ (bins.gap**2 - _frequency_variance(bins)))


def _independent_bins(pred: ArrayLike, label: ArrayLike, bin_size: int, n_bins: int | None) -> Bins:
    bins = adaptive_bins(pred, label, bin_size=bin_size, n_bins=n_bins, split_ties=False)
    if bins.size.min() < 2:
        raise ValueError(f"debiasing needs bins of at least 2 rows; got {bins.size.min()} (bin_size {bin_size})")
    return bins


def _frequency_variance(bins: Bins) -> Floats:
    return bins.mean_label * (1 - bins.mean_label) / (bins.size - 1)
