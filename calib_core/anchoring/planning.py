"""What labels will buy, before any article is read: the expected width of an interval.

Covers: a guess at the residual variance from the model's own probabilities, and the width that follows from a draw.
Not here: the draw (`design`), intervals from labels (`interval`).
"""

from typing import Any

import numpy as np

from calib_core.anchoring.joined import Inside, Outside, largest_sum, smallest_sum
from calib_core.arrays import Floats, Ints

MISSED = 0.04
"""Guess at the share of events where the model gave no chance; and it is that much less sure than it says elsewhere."""
DEGREES = 8
"""Guess at the degrees of freedom of the error."""


def guessed_variance(score: Floats) -> Floats:
    """Residual variance of each row if the model is nearly as good as it says, shape (n_rows,)."""
    p = (1.0 - 2.0 * MISSED) * score + MISSED
    return p * (1.0 - p)


def expected_width(
    pi: Floats, score: Floats, members: Any, *, cold_size: int, cold_labels: int, group_cold: Ints, level: float = 0.95
) -> Floats:
    """Width of each group's interval, its share of the cold stratum included, shape (n_groups,).

    Parameters
    ----------
    pi, score : shape (n_rows,)
        Of each pair of document and country that could be an event, outside the cold stratum; pi above 0.
    members : sparse, shape (n_rows, n_groups)
    cold_size, cold_labels : int
        The cold stratum, and how much of it is drawn; no event is expected there.
    group_cold : shape (n_groups,)
        Cold documents that could hold an event of the group.
    """
    total, tail = members.T @ score, (1.0 - level) / 2.0
    error = np.sqrt(members.T @ ((1.0 - pi) / pi * guessed_variance(score)))
    outside = Outside(total, error, DEGREES, np.zeros(len(total)), members.T @ np.ones(len(score)))
    most = group_cold if cold_labels < cold_size else np.zeros_like(group_cold)
    inside = Inside(cold_size, cold_labels, np.zeros_like(group_cold), most)
    return largest_sum(outside, inside, tail) - smallest_sum(outside, inside, tail)
