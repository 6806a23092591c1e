"""Intervals for anchored counts: the difference estimator's, joined with the exact bound on the cold stratum.

Covers: estimate and interval of every group, unsure labels counted both ways, α split between the two parts.
Not here: the parts themselves (`difference`, `cold`).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from calib_core.anchoring.cold import ColdStratum, cold_ceiling, cold_estimate
from calib_core.anchoring.difference import Sampled, effective_errors, group_totals, variance
from calib_core.arrays import Floats, Ints

FEWEST_DEGREES = 5.0  # below this many errors the t distribution is wider than the skewness of counts asks for


@dataclass(frozen=True, slots=True)
class Anchored:
    """One entry per group, every array of shape (n_groups,)."""

    estimate: Floats
    """Unsure labels count half."""
    lower: Floats
    upper: Floats
    error: Floats
    """Standard error of the part outside the cold stratum, unsure labels counted half."""
    cold_upper: Ints
    """What the cold stratum can hold at most; part of `upper`."""


def anchored_counts(sampled: Sampled, cold: ColdStratum, *, level: float = 0.95, cold_share: float = 0.5) -> Anchored:
    """Estimate and interval of each group's number of events.

    Parameters
    ----------
    level : float
        Probability, over the draw, that an interval holds the truth.
    cold_share : float
        Part of the upper end's (1 − level) / 2 that is spent on the cold stratum, unless that was read in full.

    Notes
    -----
    The truth lies above the upper end with probability at most α₁ + α₂ = (1 − level) / 2, one part for each bound in
    the sum. The lower end takes from the cold stratum the events that were read there: certain, so it costs nothing.
    Where labels are unsure, the lower end takes them as no and the upper end as yes. No interval reaches below the
    events that were read, or above what is left when rows read without one are taken out.
    """
    if not 0.0 < level < 1.0 or not 0.0 < cold_share < 1.0:
        raise ValueError(f"level and cold_share must be in (0, 1); got {level} and {cold_share}")
    tail = (1.0 - level) / 2.0
    spent = cold_share * tail if cold.labelled < cold.size else 0.0
    cold_upper = cold_ceiling(cold, spent) if spent else cold.high
    least, most = known_range(sampled)
    lower = group_totals(sampled, sampled.low) - half_width(sampled, sampled.low, tail)
    upper = group_totals(sampled, sampled.high) + half_width(sampled, sampled.high, tail - spent)
    middle = (sampled.low + sampled.high) / 2.0
    return Anchored(
        estimate=group_totals(sampled, middle) + cold_estimate(cold, (cold.low + cold.high) / 2.0),
        lower=np.clip(lower, least, most) + cold.low,
        upper=np.clip(upper, least, most) + cold_upper,
        error=np.sqrt(variance(sampled, middle)),
        cold_upper=cold_upper,
    )


def half_width(sampled: Sampled, label: Floats, tail: float) -> Floats:
    """Distance to an end that is missed with probability `tail`.

    Student's t, since a variance from a handful of errors is itself uncertain.
    """
    degrees = max(effective_errors(sampled, label), FEWEST_DEGREES)
    return -stdtrit(degrees, tail) * np.sqrt(variance(sampled, label))


def known_range(sampled: Sampled) -> tuple[Floats, Floats]:
    """Events of each group that were read, and those plus all rows that were not."""
    seen = sampled.row_labelled
    least = sampled.members.T @ np.where(seen, sampled.low, 0.0)
    most = sampled.members.T @ np.where(seen, sampled.high, 1.0)
    return least, most
