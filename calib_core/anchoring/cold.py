"""What the cold stratum can hide: exact bounds on the events in documents that nobody read.

Covers: hypergeometric bounds (Clopper & Pearson's argument for a finite population), and the estimate beside them.
Not here: the gate and warm strata (`difference`), or how the two join (`interval`).

The cold stratum is a simple random sample of n from N documents, in which no event is expected. A variance says
nothing when no event was found, the exact bound does: with none among n, about 3 N / n may still be hidden.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.stats import hypergeom

from calib_core.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class ColdStratum:
    """The whole stratum's size and labels, and per group arrays of shape (n_groups,)."""

    size: int
    labelled: int
    group_size: Ints
    """Cold documents that could hold an event of the group, for instance those of its quarter."""
    group_labelled: Ints
    """How many of those were labelled."""
    low: Ints
    """Labelled documents with an event of the group, unsure ones taken as having none."""
    high: Ints
    """The same, unsure ones taken as having one."""

    def __post_init__(self) -> None:
        if not 0 <= self.labelled <= self.size:
            raise ValueError(f"labelled must be in [0, {self.size}], the size of the stratum; got {self.labelled}")
        in_order = (self.low >= 0) & (self.low <= self.high) & (self.high <= self.group_labelled)
        inside = (self.group_labelled <= self.labelled) & (self.group_size <= self.size)
        wrong = np.flatnonzero(~(in_order & inside))
        if len(wrong):
            raise ValueError(f"0 ≤ low ≤ high ≤ group_labelled ≤ labelled must hold; it fails in group {wrong[0]}")


def no_cold(n_groups: int) -> ColdStratum:
    """A cold stratum without documents."""
    none = np.zeros(n_groups, dtype=np.int64)
    return ColdStratum(size=0, labelled=0, group_size=none, group_labelled=none, low=none, high=none)


def most_hidden(size: int, labelled: int, found: Ints, alpha: float) -> Ints:
    """Largest number of events in `size` documents that `found` among `labelled` do not refute at level alpha.

    >>> most_hidden(1190, 100, np.array([0]), 0.05)
    array([33])

    Notes
    -----
    The largest K with P(X ≤ found | N, K, n) > alpha, X hypergeometric; found by bisection, since P falls with K.
    """
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha must be in (0, 1); got {alpha}")
    values, group = np.unique(found, return_inverse=True)  # most groups found none
    return np.array([_most_hidden(size, labelled, int(value), alpha) for value in values], dtype=np.int64)[group]


@lru_cache(maxsize=1 << 16)
def _most_hidden(size: int, labelled: int, found: int, alpha: float) -> int:
    """`most_hidden` for one number; remembered, since tails are costly and are asked for again and again."""
    low, high = found, size - labelled + found  # low is never refuted
    while low < high:
        middle = (low + high + 1) // 2
        if hypergeom.cdf(found, size, middle, labelled) > alpha:
            low = middle
        else:
            high = middle - 1
    return low


def fewest_hidden(size: int, labelled: int, found: Ints, alpha: float) -> Ints:
    """Smallest number of events that the labels do not refute: the same question about documents without one."""
    return size - most_hidden(size, labelled, labelled - found, alpha)


def cold_estimate(cold: ColdStratum, found: Floats) -> Floats:
    """Unbiased estimate N / n · found per group; 0 where nothing was labelled."""
    return found * (cold.size / cold.labelled) if cold.labelled else np.zeros(len(found))


def cold_ceiling(cold: ColdStratum, alpha: float) -> Ints:
    """Upper bound of each group's events in the cold stratum, exceeded with probability at most alpha.

    "An event of this group" is a property of documents of the whole stratum, so that the whole sample bears on each
    group, however few of its own documents were read. What is known of the group's documents then cuts the bound.
    """
    upper = most_hidden(cold.size, cold.labelled, cold.high, alpha)
    return np.minimum(upper, cold.group_size - cold.group_labelled + cold.high)
