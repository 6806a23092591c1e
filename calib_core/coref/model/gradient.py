"""The gradient of one document's log marginal likelihood, and the AdaGrad step that follows it.

Covers: maximum marginal likelihood over correct antecedents (Durrett & Klein 2013), optional softmax-margin costs, and
AdaGrad with a lazily applied L1 penalty.
Not here: the order of the documents and the epochs (`training`).
"""

from typing import NamedTuple

import numba as nb
import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Floats, Ints
from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.mention_features import Codes
from calib_core.coref.features.pair_features import N_TEMPLATES
from calib_core.coref.features.properties import MentionArrays
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.coref.model.logits import (
    FIRST_SALT,
    NEWER_SALT,
    OLDER_SALT,
    PAIR_SALT,
    TYPE_SALT,
    Weights,
    link_scores,
    mention_tables,
    slot,
    spread,
)  # fmt: skip
from calib_core.kernels import kernel

NEGLIGIBLE = 5e-4
"""A candidate whose share of the gradient is below this moves no weight."""


class Slope(NamedTuple):
    """A sparse gradient: dense values, and the list of slots that are not zero."""

    value: Floats
    seen: NDArray[np.uint8]
    slots: Ints
    length: Ints


def empty_slope(n_weights: int) -> Slope:
    """A gradient of zero."""
    return Slope(
        np.zeros(n_weights), np.zeros(n_weights, np.uint8), np.zeros(n_weights, np.int64), np.zeros(1, np.int64)
    )


@nb.njit()
def add(slope: Slope, at: int, amount: float) -> None:
    """Add to one slot, and remember that it is no longer zero."""
    if slope.seen[at] == 0:
        slope.seen[at] = 1
        slope.slots[slope.length[0]] = at
        slope.length[0] += 1
    slope.value[at] += amount


@kernel
def posterior_gap(scores: Floats, correct: NDArray[np.bool_], costs: Floats, gap: Floats) -> float:
    """Fill `gap` with P(k | correct) − P(k) and return log P(correct); the last entry is NEW.

    `costs` are (link although new, new although linked, wrong link), added to the scores of wrong entries: the
    softmax-margin of Durrett & Klein. All zero gives the plain likelihood.
    """
    n = len(scores)
    anaphoric = not correct[n - 1]
    for k in range(n):
        if not correct[k]:
            scores[k] += (costs[1] if k == n - 1 else costs[2]) if anaphoric else costs[0]
    top = scores.max()
    total = 0.0
    right = 0.0
    for k in range(n):
        gap[k] = np.exp(scores[k] - top)
        total += gap[k]
        if correct[k]:
            right += gap[k]
    right = max(right, 1e-300)
    for k in range(n):
        gap[k] = gap[k] * ((1.0 / right if correct[k] else 0.0) - 1.0 / total)
    return float(np.log(right / total))


@kernel
def document_slope(
    arrays: MentionArrays, entities: Ints, weights: Weights, shift: np.uint64, window: int, costs: Floats, slope: Slope
) -> float:
    """Add the gradient of a document to `slope` and return its log-likelihood.

    Parameters
    ----------
    entities : shape (n_mentions,)
        Gold entity of each mention, -1 for none.
    """
    n = len(arrays.props)
    tables = mention_tables(arrays, weights, shift)
    older, newer, new = np.zeros((n, N_TYPES)), np.zeros((n, N_TYPES)), np.zeros(n)
    codes = np.zeros((min(n, window) + 1, N_TEMPLATES), dtype=np.uint64)
    total = 0.0
    for j in range(n):
        first = max(0, j - window)
        scores, gap = np.zeros(j - first + 1), np.zeros(j - first + 1)
        correct = np.zeros(j - first + 1, dtype=np.bool_)
        for i in range(first, j):
            correct[i - first] = entities[j] >= 0 and entities[i] == entities[j]
        correct[j - first] = not correct.any()
        link_scores(arrays, j, first, tables, weights, shift, codes, scores)
        total += posterior_gap(scores, correct, costs, gap)
        new[j] += gap[j - first]
        spread_pairs(arrays, j, first, gap, codes, shift, older, newer, slope)
    spread_mentions(arrays, older, newer, new, shift, slope)
    return total


@kernel
def spread_pairs(
    arrays: MentionArrays, j: int, first: int, gap: Floats, codes: Codes, shift: np.uint64,
    older: Floats, newer: Floats, slope: Slope,
) -> None:  # fmt: skip
    """Give each link's share of the gradient to its templates and to U and V."""
    kind = arrays.props[j, TYPE]
    alone = spread(kind, TYPE_SALT)
    for i in range(first, j):
        amount = gap[i - first]
        if abs(amount) < NEGLIGIBLE:
            continue
        other = arrays.props[i, TYPE]
        older[i, kind] += amount
        newer[j, other] += amount
        both = spread(kind * N_TYPES + other, PAIR_SALT)
        for t in range(N_TEMPLATES):
            code = codes[i - first, t]
            if code != 0:
                add(slope, slot(code, shift), amount)
                add(slope, slot(code ^ alone, shift), amount)
                add(slope, slot(code ^ both, shift), amount)


@kernel
def spread_mentions(
    arrays: MentionArrays, older: Floats, newer: Floats, new: Floats, shift: np.uint64, slope: Slope
) -> None:
    """Give what U, V and NEW gathered to the features of each mention."""
    n, n_features = arrays.codes.shape
    for m in range(n):
        kind = arrays.props[m, TYPE]
        for f in range(n_features):
            code = arrays.codes[m, f]
            add(slope, slot(code ^ FIRST_SALT, shift), new[m])
            add(slope, slot(code ^ spread(kind, FIRST_SALT), shift), new[m])
            for other in range(N_TYPES):
                if older[m, other] != 0.0:
                    add(slope, slot(code ^ spread(other, OLDER_SALT), shift), older[m, other])
                if newer[m, other] != 0.0:
                    add(slope, slot(code ^ spread(other, NEWER_SALT), shift), newer[m, other])


@kernel
def adagrad_step(
    weights: Weights, squares: Floats, last: Ints, slope: Slope, step: int, rate: float, penalty: float
) -> None:
    """Climb along `slope` and clear it; first apply the L1 shrinkage of the steps that left a weight untouched."""
    for c in range(slope.length[0]):
        at = slope.slots[c]
        amount = slope.value[at]
        slope.value[at] = 0.0
        slope.seen[at] = 0
        weight = shrunk(weights[at], squares[at], step - 1 - last[at], rate, penalty)
        squares[at] += amount * amount
        if squares[at] > 0.0:
            weight = shrunk(weight + rate * amount / np.sqrt(squares[at]), squares[at], 1, rate, penalty)
        weights[at] = weight
        last[at] = step
    slope.length[0] = 0


@nb.njit()
def shrunk(weight: float, square: float, steps: int, rate: float, penalty: float) -> float:
    """A weight after `steps` steps of L1 shrinkage at AdaGrad's own rate."""
    if square <= 0.0 or weight == 0.0:
        return weight
    less = abs(weight) - steps * rate * penalty / np.sqrt(square)
    return 0.0 if less <= 0.0 else (less if weight > 0.0 else -less)


@kernel
def settle(weights: Weights, squares: Floats, last: Ints, step: int, rate: float, penalty: float) -> Weights:
    """The weights with all outstanding shrinkage applied; the arguments are left as they are."""
    settled = weights.copy()
    for at in range(len(weights)):
        if weights[at] != 0.0:
            settled[at] = shrunk(weights[at], squares[at], step - last[at], rate, penalty)
    return settled
