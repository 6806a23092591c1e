"""Intervals for anchored counts: the difference estimator's, joined with the exact bound on the cold stratum.

Covers: estimate and interval of every group, unsure labels counted both ways.
Not here: the parts themselves (`difference`, `cold`), how their errors add up (`joined`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.anchoring.cold import ColdStratum, cold_ceiling, cold_estimate
from calib_core.anchoring.difference import Sampled, effective_errors, group_totals, variance
from calib_core.anchoring.joined import Inside, Outside, largest_sum, smallest_sum
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
    """What the cold stratum alone can hold at most, at the level of one end."""


def anchored_counts(sampled: Sampled, cold: ColdStratum, *, level: float = 0.95) -> Anchored:
    """Estimate and interval of each group's number of events.

    Parameters
    ----------
    level : float
        Probability, over the draw, that an interval holds the truth.

    Notes
    -----
    Each end is missed with probability at most α = (1 − level) / 2; an end is the furthest sum of both parts that the
    labels do not refute (`joined`). Where labels are unsure, the lower end takes them as no and the upper end as yes.
    No interval reaches below the events that were read, or above what is left when rows read without one are taken out.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must be in (0, 1); got {level}")
    tail = (1.0 - level) / 2.0
    middle = (sampled.low + sampled.high) / 2.0
    outside = [estimated_outside(sampled, label) for label in _apart(sampled)]
    unread = cold.group_size - cold.group_labelled
    below, above = (Inside(cold.size, cold.labelled, found, found + unread) for found in (cold.low, cold.high))
    return Anchored(
        estimate=group_totals(sampled, middle) + cold_estimate(cold, (cold.low + cold.high) / 2.0),
        lower=smallest_sum(outside[0], below, tail),
        upper=largest_sum(outside[-1], above, tail),
        error=np.sqrt(variance(sampled, middle)) if len(outside) > 1 else outside[0].error,
        cold_upper=cold_ceiling(cold, tail) if cold.labelled < cold.size else cold.high,
    )


def _apart(sampled: Sampled) -> list[Floats]:
    """Labels for the lower end and the upper one; one for both where no label is unsure."""
    seen = sampled.row_labelled
    return [sampled.low] if (sampled.low == sampled.high)[seen].all() else [sampled.low, sampled.high]


def estimated_outside(sampled: Sampled, label: Floats) -> Outside:
    """Estimate, error and what is known of the events outside the cold stratum."""
    least, most = known_range(sampled)
    degrees = max(effective_errors(sampled, label), FEWEST_DEGREES)
    return Outside(group_totals(sampled, label), np.sqrt(variance(sampled, label)), int(degrees), least, most)


def known_range(sampled: Sampled) -> tuple[Floats, Floats]:
    """Events of each group that were read, and those plus all rows that were not."""
    seen = sampled.row_labelled
    least = sampled.members.T @ np.where(seen, sampled.low, 0.0)
    most = sampled.members.T @ np.where(seen, sampled.high, 1.0)
    return least, most
