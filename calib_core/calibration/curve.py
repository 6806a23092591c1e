"""The reliability curve: what a reliability diagram draws, with an interval around each observed frequency."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Floats, Ints
from calib_core.calibration.binning import Bins, adaptive_bins
from calib_core.calibration.error import Z95
from calib_core.calibration.inputs import check_pred

IntervalMethod = Literal["wilson", "normal"]


@dataclass(frozen=True, slots=True)
class ReliabilityCurve:
    """One entry per bin, in order of prediction; every array has shape (n_bins,)."""

    size: Ints
    mean_pred: Floats
    mean_label: Floats
    label_lo: Floats
    label_hi: Floats


def reliability_curve(
    pred: ArrayLike,
    label: ArrayLike,
    *,
    bin_size: int = 5000,
    n_bins: int | None = None,
    interval: IntervalMethod = "wilson",
) -> ReliabilityCurve:
    """Observed frequency against mean prediction over adaptive bins (section 3.3 of Nguyen & O'Connor).

    Above the diagonal the model is underconfident that the event happens; below it, overconfident.

    Parameters
    ----------
    pred, label : shape (n,)
        Predicted probability of the event, and whether it happened (0 or 1).
    bin_size, n_bins
        Rows per bin, or number of bins; see `adaptive_bins`.
    interval : {"wilson", "normal"}
        See `label_interval`.
    """
    return curve_from_bins(adaptive_bins(pred, label, bin_size=bin_size, n_bins=n_bins), interval=interval)


def curve_from_bins(bins: Bins, *, interval: IntervalMethod = "wilson") -> ReliabilityCurve:
    """The curve of existing bins."""
    lo, hi = label_interval(bins.mean_label, bins.size, method=interval)
    return ReliabilityCurve(bins.size, bins.mean_pred, bins.mean_label, lo, hi)


def label_interval(
    mean_label: ArrayLike, size: ArrayLike, *, method: IntervalMethod = "wilson", z: float = Z95
) -> tuple[Floats, Floats]:
    """95 % interval of the true frequency behind an observed one.

    Parameters
    ----------
    mean_label, size
        Share of positive labels in each bin, and the number of rows there.
    method : {"wilson", "normal"}
        "normal" is the papers' p̂ ± 1.96 sqrt(p̂ (1 - p̂) / n). It has no width where all labels agree, which is most
        bins of a language model; "wilson" (Wilson 1927) keeps an honest width there and stays inside [0, 1].
    z : float
        Half-width in standard deviations.
    """
    p, n = check_pred(mean_label, "mean_label"), np.asarray(size, dtype=np.float64)
    if not (n > 0).all():
        raise ValueError(f"size must be positive; got {n.min()}")
    if method == "normal":
        half = z * np.sqrt(p * (1 - p) / n)
        return p - half, p + half
    if method == "wilson":
        shrink = 1 + z**2 / n
        centre = (p + z**2 / (2 * n)) / shrink
        half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / shrink
        # the ends touch 0 and 1 exactly where all labels agree; rounding must not take them past
        return np.where(p == 0, 0.0, centre - half), np.where(p == 1, 1.0, centre + half)
    raise ValueError(f"interval method must be 'wilson' or 'normal'; got {method!r}")
