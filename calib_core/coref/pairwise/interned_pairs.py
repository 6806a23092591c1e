"""The feature codes of all pairs of a document, numbered once, so that many passes of training are cheap.

Covers: numbering the codes, scores and gradient of the pair classifier from the numbers.
Not here: the same scores without preparation, for one pass (`pair_scores`), the optimiser (`model.gradient`),
labels and emphasis (`structured_local`, `pairwise_model`).

A document has tens of thousands of pairs with 40 templates each, but only some ten thousand different conjunctions of
template value and types. Each conjunction gets a number; its three weights are added once per pass, and a pair's score
is a sum over a small table.
"""

from typing import NamedTuple

import numba as nb
import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats
from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.pair_features import N_TEMPLATES, mention_codes
from calib_core.coref.features.properties import MentionArrays
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.coref.model.gradient import Slope, add, spread_mentions
from calib_core.coref.model.logits import PAIR_SALT, TYPE_SALT, Weights, mention_tables, slot, spread
from calib_core.kernels import kernel

_FIRST_SIZE = 2**12


class InternedPairs(NamedTuple):
    """The pairs of a document, mention by mention, each with its candidates from the earliest in the window on."""

    numbers: NDArray[np.uint32]
    """Of each pair and template, shape (n_pairs, N_TEMPLATES); 0 where the template has no value."""
    slots: NDArray[np.int32]
    """Where the three weights of each number stand, shape (n_numbers, 3); row 0 is unused."""


@kernel
def intern_pairs(arrays: MentionArrays, shift: np.uint64, window: int) -> InternedPairs:
    """Number the codes of all pairs for a table of 2**(64 - shift) weights."""
    n = len(arrays.props)
    numbers = np.zeros((np.minimum(np.arange(n), window).sum(), N_TEMPLATES), dtype=np.uint32)
    codes = np.zeros((min(n, window) + 1, N_TEMPLATES), dtype=np.uint64)
    keys, owners = np.zeros(_FIRST_SIZE, dtype=np.uint64), np.zeros(_FIRST_SIZE, dtype=np.uint32)
    slots = np.zeros((_FIRST_SIZE, 3), dtype=np.int32)
    known, pair = 0, 0
    for j in range(n):
        first = max(0, j - window)
        mention_codes(arrays, j, first, codes)
        kind = arrays.props[j, TYPE]
        alone = spread(kind, TYPE_SALT)
        for i in range(first, j):
            both = spread(kind * N_TYPES + arrays.props[i, TYPE], PAIR_SALT)
            for t in range(N_TEMPLATES):
                code = codes[i - first, t]
                if code == 0:
                    continue
                at = _place(keys, code ^ both)
                if keys[at] == 0:
                    known += 1
                    keys[at], owners[at] = code ^ both, known
                    slots[known, 0], slots[known, 1] = slot(code, shift), slot(code ^ alone, shift)
                    slots[known, 2] = slot(code ^ both, shift)
                numbers[pair, t] = owners[at]
            pair += 1
            if 2 * (known + N_TEMPLATES) > len(keys):
                keys, owners, slots = _grown(keys, owners, slots)
    return InternedPairs(numbers, slots[: known + 1].copy())


@nb.njit()
def _place(keys: NDArray[np.uint64], key: np.uint64) -> int:
    """Where a key stands in the hash table, or where it would go; 0 marks a free place."""
    at = np.int64(key % np.uint64(len(keys)))
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & (len(keys) - 1)
    return int(at)


@nb.njit()
def _grown(
    keys: NDArray[np.uint64], owners: NDArray[np.uint32], slots: NDArray[np.int32]
) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.int32]]:
    """A hash table of twice the size, with room for as many slots."""
    wider, moved = np.zeros(2 * len(keys), dtype=np.uint64), np.zeros(2 * len(keys), dtype=np.uint32)
    for old in range(len(keys)):
        if keys[old] != 0:
            at = _place(wider, keys[old])
            wider[at], moved[at] = keys[old], owners[old]
    return wider, moved, np.concatenate((slots, np.zeros_like(slots)))


@nb.njit()
def _sums(slots: NDArray[np.int32], weights: Weights) -> NDArray[np.float32]:
    """What each number adds to a score."""
    found = np.zeros(len(slots), dtype=np.float32)
    for number in range(1, len(slots)):
        found[number] = weights[slots[number, 0]] + weights[slots[number, 1]] + weights[slots[number, 2]]
    return found


@nb.njit()
def _score(numbers: NDArray[np.uint32], sums: NDArray[np.float32]) -> float:
    even = odd = 0.0
    for t in range(0, N_TEMPLATES, 2):
        even += sums[numbers[t]]
        odd += sums[numbers[t + 1]]
    return even + odd


@kernel
def interned_scores(
    arrays: MentionArrays, pairs: InternedPairs, weights: Weights, shift: np.uint64, window: int
) -> Floats:
    """As `pair_scores.pair_scores`."""
    n, pair = len(arrays.props), 0
    scores = np.full((n, n), -np.inf)
    older, newer, _ = mention_tables(arrays, weights, shift)
    sums = _sums(pairs.slots, weights)
    for j in range(n):
        kind = arrays.props[j, TYPE]
        for i in range(max(0, j - window), j):
            scores[j, i] = older[i, kind] + newer[j, arrays.props[i, TYPE]] + _score(pairs.numbers[pair], sums)
            pair += 1
    return scores


@kernel
def interned_slope(
    arrays: MentionArrays,
    pairs: InternedPairs,
    labels: Bools,
    emphasis: Floats,
    weights: Weights,
    shift: np.uint64,
    window: int,
    on_score: bool,
    negligible: float,
    slope: Slope,
) -> float:
    """Add the gradient of the biased log-likelihood of a document to `slope` and return the log-likelihood.

    Parameters
    ----------
    labels, emphasis : shape (n, n), read below the diagonal
    on_score : bool
        False: Σ emphasis · log P(label). True: the emphasis multiplies the score of its pair instead.
    negligible : float
        Pairs whose share of the gradient is below this move no weight.
    """
    n, pair, total = len(arrays.props), 0, 0.0
    old, young, _ = mention_tables(arrays, weights, shift)
    older, newer, new = np.zeros((n, N_TYPES)), np.zeros((n, N_TYPES)), np.zeros(n)
    sums, gathered = _sums(pairs.slots, weights), np.zeros(len(pairs.slots))
    for j in range(n):
        kind = arrays.props[j, TYPE]
        for i in range(max(0, j - window), j):
            other, numbers = arrays.props[i, TYPE], pairs.numbers[pair]
            pair += 1
            score = old[i, kind] + young[j, other] + _score(numbers, sums)
            log_likelihood, amount = _pair_part(score, labels[j, i], emphasis[j, i], on_score)
            total += log_likelihood
            if abs(amount) < negligible:
                continue
            older[i, kind] += amount
            newer[j, other] += amount
            for t in range(N_TEMPLATES):
                gathered[numbers[t]] += amount
    _spread_numbers(pairs.slots, gathered, slope)
    spread_mentions(arrays, older, newer, new, shift, slope)
    return total


@nb.njit()
def _pair_part(score: float, label: bool, bias: float, on_score: bool) -> tuple[float, float]:
    """What a pair adds to the biased log-likelihood, and the slope of that along its unbiased score."""
    sharpness, weight = (bias, 1.0) if on_score else (1.0, bias)
    toward = sharpness * score if label else -sharpness * score
    step = bias / (1.0 + np.exp(toward))
    return weight * log_sigmoid(toward), step if label else -step


@nb.njit()
def _spread_numbers(slots: NDArray[np.int32], gathered: Floats, slope: Slope) -> None:
    for number in range(1, len(slots)):
        if gathered[number] != 0.0:
            for part in range(3):
                add(slope, slots[number, part], gathered[number])


@nb.njit()
def log_sigmoid(x: float) -> float:
    """log(1 / (1 + exp(−x))), without overflow."""
    return float(min(x, 0.0) - np.log1p(np.exp(-abs(x))))
