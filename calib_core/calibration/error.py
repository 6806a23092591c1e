"""How far predictions are from observed frequencies.

Covers: CalibErr and its square (Algorithm 1), and its sampled interval (Algorithm 2), as the papers print them.
Not here: the debiased error (`debiased`), a test of perfect calibration (`null_test`), intervals for dependent
rows (`cluster_bootstrap`).
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
"""Samples drawn at a time, so that the working set stays in the cache and memory stays flat."""


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
        return float(np.sqrt(bins.mse))
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
    are noisy. `calibration_test` says whether the error is larger than that; `debiased_calibration_error` removes it.

    Examples
    --------
    >>> calibration_error([0.1, 0.3, 0.8, 1.0], [0, 1, 1, 1], bin_size=2)
    0.223606797749979
    """
    return binned_error(adaptive_bins(pred, label, bin_size=bin_size, n_bins=n_bins), norm=norm)


def calibration_mse(pred: ArrayLike, label: ArrayLike, *, bin_size: int = 5000, n_bins: int | None = None) -> float:
    """CalibMSE of the thesis: the square of `calibration_error`."""
    return adaptive_bins(pred, label, bin_size=bin_size, n_bins=n_bins).mse


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
    Implemented exactly as printed, for comparison with the papers. It samples around frequencies that are noisy
    already, so it is centred too high: with perfect calibration the interval lies wholly above the true error (which
    is 0), and often above the estimate itself. If a conclusion depends on the interval, use
    `debiased_error_interval`, or `cluster_bootstrap` if rows come in groups. Actual coverage of each:
    docs/calibration-core.md.
    """
    bins = adaptive_bins(pred, label, bin_size=bin_size, n_bins=n_bins)
    return interval_from_bins(bins, n_samples=n_samples, seed=seed, squared=squared)


def interval_from_bins(bins: Bins, *, n_samples: int = 10_000, seed: int = 0, squared: bool = False) -> Estimate:
    """Algorithm 2 on existing bins, for instance those of a `PairSummary`."""
    check_at_least("n_samples", n_samples, 2)
    mse = _sampled_mse(bins, n_samples, seed)
    errors = mse if squared else np.sqrt(mse)
    mean, half = float(errors.mean()), Z95 * float(errors.std())
    return Estimate(bins.mse if squared else float(np.sqrt(bins.mse)), mean - half, mean + half)


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
