"""Intervals for anchored counts: the difference estimator's, joined with the exact bound on the cold stratum.

Covers: estimate and interval of every group, unsure labels counted both ways, α split between the two parts.
Not here: the parts themselves (`difference`, `cold`).
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq
from scipy.special import stdtrit

from calib_core.anchoring.cold import ColdStratum, cold_ceiling, cold_estimate
from calib_core.anchoring.difference import Sampled, effective_errors, group_totals, variance
from calib_core.arrays import Floats, Ints

SPLITS = 32  # steps of the cold stratum's p-value at which the upper end is tried
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
    Each end is missed with probability at most α = (1 − level) / 2. The lower end takes from the cold stratum the
    events that were read there: certain, so it costs nothing. The upper end splits α (`joined_upper`).
    Where labels are unsure, the lower end takes them as no and the upper end as yes. No interval reaches below the
    events that were read, or above what is left when rows read without one are taken out.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must be in (0, 1); got {level}")
    tail = (1.0 - level) / 2.0
    least, most = known_range(sampled)
    lower = group_totals(sampled, sampled.low) - half_width(sampled, sampled.low, tail)
    middle = (sampled.low + sampled.high) / 2.0
    return Anchored(
        estimate=group_totals(sampled, middle) + cold_estimate(cold, (cold.low + cold.high) / 2.0),
        lower=np.clip(lower, least, most) + cold.low,
        upper=joined_upper(sampled, cold, tail),
        error=np.sqrt(variance(sampled, middle)),
        cold_upper=cold_ceiling(cold, tail) if cold.labelled < cold.size else cold.high,
    )


def joined_upper(sampled: Sampled, cold: ColdStratum, tail: float) -> Floats:
    """Upper end of each group's events, in the cold stratum and outside, missed with probability at most `tail`.

    Notes
    -----
    The samples of both parts are independent, so a pair (G outside, K in the cold stratum) may be refuted by the
    product of its two p-values (Fisher): it falls below c with probability c (1 − log c) = `tail`. The end is the
    largest G + K that is not refuted. Every split of `tail` between the parts competes here, which is up to a third
    narrower than fixing one split beforehand. Between two neighbours of the steps taken over K's p-value, the larger K
    and the larger G are used: too wide by a little, never too narrow.
    """
    total, least_most = group_totals(sampled, sampled.high), known_range(sampled)

    def outside(part: float) -> Floats:
        return np.clip(total + half_width(sampled, sampled.high, part), *least_most)

    if cold.labelled >= cold.size:
        return outside(tail) + cold.high
    product = brentq(lambda c: c * (1.0 - np.log(c)) - tail, 1e-12, tail)
    steps = np.geomspace(1.0, product, SPLITS)
    ends = [outside(product / larger) + cold_ceiling(cold, smaller) for larger, smaller in pairwise(steps.tolist())]
    return np.max(ends, axis=0)


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
