"""How far coders agree beyond chance: Krippendorff's alpha for nominal answers, and an interval for it.

Covers: any number of coders, articles that only some of them answered.
Not here: what counts as one answer (`flows.label.double_coding`), settling disagreements.

An answer that is a set of countries is one nominal value: two sets are the same or they are not.
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.calibration.inputs import check_at_least

MISSING = -1
"""In place of the answer of a coder who gave none."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far coders agree.

    Attributes
    ----------
    n_units : int
        Units with at least two answers; no others bear on agreement.
    share : float
        Of those units, the share in which all answers are the same; NaN without any.
    alpha : float
        1 if all agree, 0 if they agree as often as chance would have it; NaN where all answers are one and the same,
        so that chance explains everything.
    lo, hi : float
        95 % interval of alpha by redrawing units; NaN where alpha is.
    """

    n_units: int
    share: float
    alpha: float
    lo: float
    hi: float


def krippendorff_alpha(values: Ints) -> float:
    """Alpha for nominal values.

    Parameters
    ----------
    values : shape (n_coders, n_units)
        The value that each coder gave each unit, at least 0; `MISSING` for none.

    Examples
    --------
    Two coders, ten units, yes or no, from Krippendorff (2011).

    >>> first, second = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    >>> krippendorff_alpha(np.array([first, second]))
    0.095

    Notes
    -----
    Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section C. Observed disagreement weighs a unit
    by its m answers, Σ_u (m² − Σ_c n_uc²) / (m − 1), so that each answer counts once; expected disagreement pairs all
    answers of such units with each other.
    """
    disagreement, counts = _per_unit(values)
    return float(_alpha(disagreement.sum(keepdims=True), counts.sum(axis=0, keepdims=True))[0])


def coder_agreement(values: Ints, *, n_samples: int = 2000, seed: int = 0) -> Agreement:
    """Alpha with its interval, and the share of units without disagreement.

    Parameters
    ----------
    values : shape (n_coders, n_units)
        As for `krippendorff_alpha`.
    n_samples : int
        Redraws of the units. Those that happen to hold one value only say nothing and are left out.
    """
    check_at_least("n_samples", n_samples, 1)
    disagreement, counts = _per_unit(values)
    n_units = len(counts)
    if n_units == 0:
        return Agreement(0, np.nan, np.nan, np.nan, np.nan)
    alpha = float(_alpha(disagreement.sum(keepdims=True), counts.sum(axis=0, keepdims=True))[0])
    share = float(np.mean(disagreement == 0.0))
    weights = np.random.default_rng(seed).multinomial(n_units, np.full(n_units, 1.0 / n_units), size=n_samples)
    redrawn = _alpha(weights @ disagreement, weights @ counts)
    redrawn = redrawn[~np.isnan(redrawn)]
    lo, hi = np.quantile(redrawn, (0.025, 0.975)) if len(redrawn) and not np.isnan(alpha) else (np.nan, np.nan)
    return Agreement(n_units, share, alpha, float(lo), float(hi))


def _per_unit(values: Ints) -> tuple[Floats, Ints]:
    """Of each unit with two answers or more: its disagreement, and how often each value was given in it."""
    if values.ndim != 2:
        raise ValueError(f"values must have shape (n_coders, n_units); got {values.shape}")
    if values.size and values.min() < MISSING:
        raise ValueError(f"values must be at least 0, or {MISSING} for none; got {values.min()}")
    n_values = int(values.max(initial=0)) + 1
    counts = (values.T[:, :, None] == np.arange(n_values)).sum(axis=1)
    counts = counts[counts.sum(axis=1) > 1]
    answers = counts.sum(axis=1)
    return (answers**2 - (counts**2).sum(axis=1)) / (answers - 1), counts


def _alpha(disagreement: Floats, counts: Ints) -> Floats:
    """1 − D_o / D_e from sums over units, shape (n,); NaN where one value is all there is.

    Parameters
    ----------
    disagreement : shape (n,)
    counts : shape (n, n_values)
    """
    answers = counts.sum(axis=1)
    expected = answers.astype(np.float64) ** 2 - (counts.astype(np.float64) ** 2).sum(axis=1)
    known = expected > 0.0
    alpha = np.full(len(counts), np.nan)
    alpha[known] = 1.0 - (answers[known] - 1.0) * disagreement[known] / expected[known]
    return alpha
