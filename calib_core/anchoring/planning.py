"""What labels will buy, before any article is read: the expected width of an interval.

Covers: a guess at the residual variance from the model's own probabilities, and the width that follows from a draw.
Not here: the draw (`design`), intervals from labels (`interval`).
"""

from typing import Any

import numpy as np

from calib_core.anchoring.cold import most_hidden
from calib_core.arrays import Floats, Ints

MISSED = 0.04
"""Guess at the share of events where the model gave no chance; and it is that much less sure than it says elsewhere."""
_TWO_SIDED, _UPPER = 1.96, 2.24  # normal quantiles of tails 2.5 % and 1.25 %: the other half is spent on the cold part


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
    error = np.sqrt(members.T @ ((1.0 - pi) / pi * guessed_variance(score)))
    hidden = np.zeros(len(group_cold), dtype=np.int64)
    if cold_labels < cold_size:
        none = np.zeros(1, dtype=np.int64)
        hidden = np.minimum(most_hidden(cold_size, cold_labels, none, (1.0 - level) / 4.0), group_cold)
    return (_TWO_SIDED + _UPPER) * error + hidden
