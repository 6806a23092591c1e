"""The furthest sum of two parts that labels do not refute: one estimated with an error, one known by an exact bound.

G events lie outside the cold stratum, estimated as Ĝ with standard error σ; K lie in it, and X of them were found among
the n documents read there. What may be found is put in order by Ĝ + b(X), where b is the exact bound on K alone. A pair
(G, K) has a p-value in that order: Student's t around G, convolved with the hypergeometric distribution of X. An end of
the interval is the furthest sum G + K of all pairs that are not refuted (Buehler 1957). Where the cold stratum decides,
the end is nearly its bound alone; where the other part does, the cold stratum costs almost nothing; in between, neither
pays for the other's bad luck, as it would if each had a share of the level.

Covers: both ends, for any groups at once.
Not here: Ĝ and σ (`difference`), the bounds (`cold`), which labels each end reads (`interval`).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import stdtr, stdtrit
from scipy.stats import hypergeom

from calib_core.anchoring.cold import fewest_hidden, most_hidden
from calib_core.arrays import Bools, Floats, Ints

STEP = 1.02
"""Values of K that are tried: each one, and further out steps of 2 %. Between two, the worse of both is taken."""
RATIOS = np.concatenate([[0.0], np.geomspace(0.1, 200.0, 28)])
"""Values of N / (n σ) for which distances are tabulated; in between they are nearly straight lines."""
DEGREES = (5, 6, 8, 11, 15, 25, 50, 1000)
"""Degrees of freedom are rounded down to one of these."""
_HALVINGS, _NEGLIGIBLE = 30, 1e-7
_GRID = np.sinh(np.linspace(-6.0, 6.0, 4001))
"""Where Student's distribution is tabulated."""


@dataclass(frozen=True, slots=True)
class Outside:
    """The part outside the cold stratum; arrays of shape (n_groups,)."""

    total: Floats
    error: Floats
    """Standard error."""
    degrees: int
    """Of freedom of that error."""
    least: Floats
    most: Floats
    """What is known for certain."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The cold stratum: n of N documents read; arrays of shape (n_groups,)."""

    size: int
    labelled: int
    found: Ints
    most: Ints
    """What is known for certain; at least, there are those found."""


def largest_sum(outside: Outside, inside: Inside, tail: float) -> Floats:
    """Largest G + K of each group that is not refuted at level `tail`."""
    if inside.labelled in (0, inside.size):
        return _reached(outside, 1.0 - tail) + inside.most
    nodes, furthest = _furthest(outside, inside, tail, upper=True)
    last = np.append(nodes[1:] - 1.0, nodes[-1])  # every K up to the next node has at most this node's G
    hidden = np.clip(last, inside.found[:, None], inside.most[:, None])
    possible = (furthest >= outside.least[:, None]) & _between(nodes, last, inside)
    sums = np.where(possible, hidden + np.minimum(furthest, outside.most[:, None]), -np.inf)
    return _or_exact(outside, inside, tail, np.maximum(sums.max(axis=1), outside.least + inside.found), upper=True)


def smallest_sum(outside: Outside, inside: Inside, tail: float) -> Floats:
    """Smallest G + K of each group that is not refuted at level `tail`."""
    if inside.labelled in (0, inside.size):
        return _reached(outside, tail) + inside.found
    nodes, furthest = _furthest(outside, inside, tail, upper=False)
    first = np.append(0.0, nodes[:-1] + 1.0)  # every K down to the node before has at least this node's G
    hidden = np.clip(first, inside.found[:, None], inside.most[:, None])
    possible = (furthest <= outside.most[:, None]) & _between(first, nodes, inside)
    sums = np.where(possible, hidden + np.maximum(furthest, outside.least[:, None]), np.inf)
    return _or_exact(outside, inside, tail, np.minimum(sums.min(axis=1), outside.most + inside.most), upper=False)


def _reached(outside: Outside, quantile: float) -> Floats:
    """An end for G alone: all that is to say where the cold stratum was read in full, or not at all."""
    return np.clip(outside.total + stdtrit(outside.degrees, quantile) * outside.error, outside.least, outside.most)


def _or_exact(outside: Outside, inside: Inside, tail: float, ends: Floats, *, upper: bool) -> Floats:
    """The ends; where G is known, it and the bound on the cold stratum alone."""
    bound = np.minimum(_bounds(inside.size, inside.labelled, tail, upper)[inside.found], inside.most)
    return np.where(outside.error > 0.0, ends, outside.total + bound)


def _between(first: Floats, last: Floats, inside: Inside) -> Bools:
    """Whether any K from first to last is possible, shape (n_groups, n_nodes)."""
    return (first <= inside.most[:, None]) & (last >= inside.found[:, None])


def _furthest(outside: Outside, inside: Inside, tail: float, *, upper: bool) -> tuple[Floats, Floats]:
    """Values of K, shape (n_nodes,), and the furthest G that is not refuted with each: shape (n_groups, n_nodes)."""
    weight = inside.size / inside.labelled
    error = np.maximum(outside.error, weight / RATIOS[-1])
    degrees = max(number for number in DEGREES if number <= max(outside.degrees, DEGREES[0]))
    nodes, table = _distances(inside.size, inside.labelled, degrees, tail, upper)
    bound = _bounds(inside.size, inside.labelled, tail, upper)[inside.found]
    ratio = np.minimum(weight / error, RATIOS[-1])
    below = np.clip(np.searchsorted(RATIOS, ratio, "right") - 1, 0, len(RATIOS) - 2)
    part = ((ratio - RATIOS[below]) / (RATIOS[below + 1] - RATIOS[below]))[:, None]
    distance = (1.0 - part) * table[below] + part * table[below + 1]
    return nodes, (outside.total + bound)[:, None] + error[:, None] * distance


@lru_cache(maxsize=256)
def _distances(size: int, labelled: int, degrees: int, tail: float, upper: bool) -> tuple[Floats, Floats]:
    """Values of K; and t = (G − Ĝ − b(X)) / σ at which a pair is just refuted, by ratio and K.

    For the upper end it solves Σ_x P(x | K) F(−t − b(x) / σ) = tail, F Student's distribution.
    """
    nodes, sign = _nodes(size), -1.0 if upper else 1.0
    bound = _bounds(size, labelled, tail, upper) * labelled / size
    chance = hypergeom.pmf(np.arange(labelled + 1), size, nodes[:, None].astype(np.int64), labelled)
    seen = np.flatnonzero(chance.max(axis=0) > _NEGLIGIBLE)
    chance, bound = chance[:, seen], bound[seen]
    cumulative, quantile = stdtr(degrees, _GRID), sign * float(stdtrit(degrees, tail))
    rows = []
    for ratio in RATIOS.tolist():
        low = np.full(len(nodes), quantile - bound.max() * ratio - 1.0)
        high = np.full(len(nodes), quantile - bound.min() * ratio + 1.0)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            p = (chance * np.interp(sign * (middle[:, None] + bound * ratio), _GRID, cumulative)).sum(axis=1)
            further = (p > tail) == upper
            low, high = np.where(further, middle, low), np.where(further, high, middle)
        rows.append(high if upper else low)
    return nodes, np.array(rows)


@lru_cache(maxsize=256)
def _bounds(size: int, labelled: int, tail: float, upper: bool) -> Floats:
    """The bound on the cold stratum alone, for each number of events found: shape (labelled + 1,)."""
    found = np.arange(labelled + 1)
    return (most_hidden if upper else fewest_hidden)(size, labelled, found, tail).astype(np.float64)


def _nodes(size: int) -> Floats:
    """0, 1, 2, ... and then steps up to the size."""
    nodes = [0]
    while nodes[-1] < size:
        nodes.append(min(size, max(nodes[-1] + 1, int(nodes[-1] * STEP))))
    return np.array(nodes, dtype=np.float64)
