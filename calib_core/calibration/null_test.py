"""Is this calibration error large, or would a perfect model show it too with this many rows?

Covers: the test for independent rows, and for rows that come in groups such as documents.
Not here: how large the true error is (`debiased_error_interval`, `cluster_bootstrap`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import gamma, norm

from calib_core.arrays import Floats
from calib_core.calibration.binning import Bins, adaptive_cuts, sort_pairs
from calib_core.calibration.cluster_bootstrap import block_size, group_sums
from calib_core.calibration.inputs import check_at_least
from calib_core.calibration.null_moments import NullMoments, null_moments


@dataclass(frozen=True, slots=True)
class CalibrationTest:
    """The observed error, beside the errors that a perfectly calibrated model with these predictions would show."""

    error: float
    null_error: float
    """Root of the mean squared error of a perfect model: the noise floor at this number of rows and bins."""
    null_error_95: float
    """95 % of the time a perfect model shows less than this."""
    p_value: float
    """Chance that a perfect model shows `error` or more."""


def calibration_test(
    pred: ArrayLike,
    label: ArrayLike,
    *,
    bin_size: int = 5000,
    n_bins: int | None = None,
    groups: ArrayLike | None = None,
    n_samples: int = 10_000,
    seed: int = 0,
) -> CalibrationTest:
    """Compare CalibErr with its distribution under perfect calibration.

    Parameters
    ----------
    pred, label : shape (n,)
        Predicted probability of the event, and whether it happened (0 or 1).
    bin_size, n_bins
        Rows per bin, or number of bins; see `adaptive_bins`. Rows with equal predictions share a bin.
    groups : shape (n,), optional
        Which document (or other cluster) each row belongs to. Without it rows are taken as independent; pairs of one
        document err together, so they will look significant too easily.
    n_samples, seed
        Only with `groups`, where the distribution is simulated.

    Notes
    -----
    Independent rows: the first three moments of CalibMSE under the null are known exactly (`null_moments`), and a
    shifted gamma with those moments gives the p-value (Hall-Buckley-Eagleson). Nothing is simulated. If only a
    handful of positives (or negatives) is expected in all, the p-value is rough: about the exact test's mid-p.
    Groups: each document's residuals q - y have mean 0 under the null, so flipping their sign document by document
    barely changes the distribution (wild cluster bootstrap). The tests simulate the actual rate of false alarms.
    """
    pairs = sort_pairs(pred, label)
    cuts = adaptive_cuts(pairs.pred, bin_size=bin_size, n_bins=n_bins, split_ties=False)
    bins = pairs.bins(cuts)
    if groups is None:
        mean, critical, p_value = _moment_test(bins.mse, null_moments(pairs.pred, cuts))
    else:
        check_at_least("n_samples", n_samples, 1)
        draws = _sign_flipped_mse(pred, label, groups, bins, n_samples, seed)
        mean, critical = draws.mean(), np.quantile(draws, 0.95)
        # a draw that keeps all signs equals the statistic up to rounding, and must count
        p_value = (1 + np.count_nonzero(draws >= bins.mse * (1 - 1e-12))) / (1 + n_samples)
    return CalibrationTest(float(np.sqrt(bins.mse)), float(np.sqrt(mean)), float(np.sqrt(critical)), float(p_value))


def _moment_test(mse: float, moments: NullMoments) -> tuple[float, float, float]:
    """Mean, 95 % point and upper tail of a distribution with these moments."""
    mean, variance, third = moments
    if variance**1.5 <= 0:  # only one value is possible, for instance because every prediction is 0 or 1
        return mean, mean, float(mse <= mean * (1 + 1e-9))
    skewness, sd = third / variance**1.5, np.sqrt(variance)
    if skewness <= 0:
        null = norm(mean, sd)
    else:
        shape, scale = 4 / skewness**2, skewness * sd / 2
        null = gamma(shape, loc=mean - shape * scale, scale=scale)
    return mean, max(0.0, null.ppf(0.95)), float(null.sf(mse))


def _sign_flipped_mse(
    pred: ArrayLike, label: ArrayLike, groups: ArrayLike, bins: Bins, n_samples: int, seed: int
) -> Floats:
    """CalibMSE with each group's residuals kept or negated at random, shape (n_samples,)."""
    gap = group_sums(pred, label, groups, bins).gap
    rng, draws, n = np.random.default_rng(seed), np.empty(n_samples), int(bins.size.sum())
    block = block_size(gap.shape[0])
    for start in range(0, n_samples, block):
        signs = rng.choice([-1.0, 1.0], size=(min(block, n_samples - start), gap.shape[0]))
        draws[start : start + block] = (signs @ gap) ** 2 @ (1 / bins.size) / n
    return draws
