"""Independent trees from the distribution over a sentence's single-root trees, and relations for their arcs.

Covers: an exact sampler with counter-based random numbers, and the exact but slow one that it falls back on.
Not here: exact probabilities (`marginals`), what is asked of each tree (`calib_core.events`).

The root is drawn from its exact marginal, then the rest by Wilson's walks (Wilson 1996) among the words alone. Drawing
the root by its score instead, as in Zmigrod et al. (2021), is biased: it ignores how much the trees below it weigh
(Stanojević 2022, whose WilsonMarginal this is). Here the marginal comes from `elimination`, so it stays right where
theirs, by a determinant, loses its digits.

Words that are nearly each other's only heads keep a walk going for a long time. The number of steps says nothing
about the tree (it counts erased cycles, which are independent of the tree that is left: Propp & Wilson 1998), so a
sample that takes too many is started over by the slow sampler without any bias: the same walks, but each step drawn
given that it will not be erased.

The contract: draws of sample s are `uniform(key, s * 2**32 + step)`, with steps from 0 for the root and the walks, from
2**30 for the slow sampler, and from 2**31 + word for relations. `sentence_key` makes the key.
"""

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats, Ints
from calib_core.kernels import kernel
from calib_core.randomness import uniform
from calib_core.syntax.arcs import Arcs, Relations
from calib_core.syntax.elimination import add_logs, eliminate, expected_rewards, walk_system

Draws = NDArray[np.int32]

_STRIDE = np.uint64(2**32)
_SLOW, _RELATIONS = 2**30, 2**31
MOST_STEPS = 2**24


def sentence_key(seed: int, doc_id: str, sentence: int) -> int:
    """64-bit key of the trees of one sentence, numbered from 0; it is no document's key."""
    text = f"{seed}\x00{doc_id}\x00trees\x00{sentence}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def sample_trees(
    arcs: Arcs, n_samples: int, *, key: int, first_sample: int = 0, most_steps: int | None = None
) -> Draws:
    """Draw trees of one sentence.

    Parameters
    ----------
    arcs : Arcs
    n_samples : int
    key : int
        From `sentence_key`.
    first_sample : int
        Number of the first sample, so that samples 0 to 99 can be drawn in any batches with one result.
    most_steps : int, optional
        Steps of the walks after which a sample goes to the slow sampler; by default about as many as cost the same.

    Returns
    -------
    shape (n_samples, n)
        The arc of each word, as a position in `arcs.heads`; `arcs.heads[draws]` are the heads.
    """
    if n_samples < 0 or first_sample < 0 or first_sample + n_samples >= 2**32:
        raise ValueError(f"samples {first_sample} to {first_sample + n_samples} are not within 0 and 2**32")
    n = len(arcs)
    drawn = np.empty((n_samples, n), dtype=np.int32)
    if not n or not n_samples:
        return drawn
    system, _ = walk_system(arcs)
    limit = min(64 + n**4, MOST_STEPS) if most_steps is None else most_steps
    _sample(
        arcs.offsets, arcs.heads, _cumulative(arcs), _root_cumulative(system), system, np.uint64(key),
        np.uint64(first_sample), limit, drawn,
    )  # fmt: skip
    return drawn


def sample_relations(relations: Relations, trees: Draws, *, key: int, first_sample: int = 0) -> Draws:
    """Draw the relation of each arc of drawn trees.

    Parameters
    ----------
    relations : Relations
        Of the same arcs.
    trees : shape (n_samples, n)
        From `sample_trees` with the same key and first sample.

    Returns
    -------
    shape (n_samples, n)
        Positions in `relations.labels`.
    """
    if trees.size and (trees.min() < 0 or trees.max() >= len(relations)):
        raise ValueError(f"trees must hold arcs in [0, {len(relations)}); got {trees.min()} to {trees.max()}")
    weights = np.exp(relations.log_probabilities())
    drawn = np.empty_like(trees)
    _sample_relations(relations.offsets, weights, trees, np.uint64(key), np.uint64(first_sample), drawn)
    return drawn


def _cumulative(arcs: Arcs) -> Floats:
    """Running sums of each word's weights of heads that are words; the root counts nothing here."""
    weights = arcs.scores.copy()
    weights[arcs.heads == 0] = -np.inf
    top = np.maximum.reduceat(weights, arcs.offsets[:-1])
    weights = np.exp(weights - np.where(np.isfinite(top), top, 0.0)[arcs.words - 1])
    sums = np.cumsum(weights)
    before = np.concatenate([[0.0], sums])[arcs.offsets[:-1]]
    return np.asarray(sums - before[arcs.words - 1])


def _root_cumulative(system: Floats) -> Floats:
    """Running sums of the exact P(word is the root), shape (n,); the last possible root brings them to exactly 1."""
    n = len(system)
    roots = np.flatnonzero(np.isfinite(system[:, n]))
    if len(roots) == 1:
        return np.asarray((np.arange(n) >= roots[0]).astype(np.float64))
    logs = _log_stationary(system.copy()) + system[:, n]
    sums = np.cumsum(np.exp(logs - logs.max()))
    sums /= sums[-1]
    sums[roots[-1] :] = 1.0
    return np.asarray(sums)


@kernel
def _log_stationary(system: Floats) -> Floats:
    """Where a walk that never ends spends its time, up to a constant, shape (n,); the matrix is overwritten.

    By the Markov chain tree theorem that is what all trees with each word on top weigh, the root's own arc left out.
    """
    n = system.shape[0]
    words = np.arange(n)
    pivots = np.zeros(n)
    for word in range(n - 1, 0, -1):
        pivots[word] = eliminate(system, word, words[:word])
    stationary = np.zeros(n)
    for word in range(1, n):
        total = -np.inf
        for before in range(word):
            total = add_logs(total, stationary[before] + system[before, word])
        stationary[word] = total - pivots[word]
    return stationary


@kernel
def _sample(
    offsets: Ints, heads: Ints, cumulative: Floats, roots: Floats, system: Floats, key: np.uint64, first: np.uint64,
    limit: int, drawn: Draws,
) -> None:  # fmt: skip
    """All samples, each by walks, or by the slow sampler where they take too long."""
    root_arc = np.full(len(offsets) - 1, -1, np.int64)
    for word in range(len(root_arc)):
        if heads[offsets[word]] == 0:
            root_arc[word] = offsets[word]
    for s in range(drawn.shape[0]):
        start = (first + np.uint64(s)) * _STRIDE
        root = int(np.searchsorted(roots, uniform(key, start), side="right"))
        if not _walk(offsets, heads, cumulative, root, key, start, limit, drawn[s]):
            _walk_without_cycles(offsets, heads, system, root, key, start + np.uint64(_SLOW), drawn[s])
        drawn[s, root] = root_arc[root]


@kernel
def _walk(
    offsets: Ints, heads: Ints, cumulative: Floats, root: int, key: np.uint64, start: np.uint64, limit: int,
    arc: Draws,
) -> bool:  # fmt: skip
    """Wilson's algorithm with a given root; False if it takes more than `limit` steps.

    `arc` is overwritten: leaving a word again overwrites the arc it was left by before, which erases cycles.
    """
    n = len(arc)
    joined = np.zeros(n, np.bool_)
    joined[root] = True
    step = 0
    for word in range(n):
        at = word
        while not joined[at]:
            step += 1
            if step > limit:
                return False
            low, high = offsets[at], offsets[at + 1] - 1
            u = uniform(key, start + np.uint64(step)) * cumulative[high]
            while low < high and cumulative[low] <= u:
                low += 1
            arc[at] = low
            at = heads[low] - 1
        at = word
        while not joined[at]:
            joined[at] = True
            at = heads[arc[at]] - 1
    return True


@kernel
def _walk_without_cycles(
    offsets: Ints, heads: Ints, system: Floats, root: int, key: np.uint64, start: np.uint64, arc: Draws
) -> None:
    """Wilson's algorithm with each step drawn given that no later cycle erases it.

    From the end of a path the next word is v with probability proportional to a(end, v) times the probability that a
    walk from v meets the tree before the path (Lawler's Laplacian random walk).
    """
    n = len(arc)
    joined, on_path = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    joined[root] = True
    step = 0
    for word in range(n):
        at = word
        on_path[:] = False
        while not joined[at]:
            on_path[at] = True
            low, high = offsets[at], offsets[at + 1]
            logs = _unerased(system, joined, on_path, at, heads[low:high])
            arc[at] = low + _choice(logs, uniform(key, start + np.uint64(step)))
            step += 1
            at = heads[arc[at]] - 1
        joined |= on_path


@kernel
def _unerased(system: Floats, joined: Bools, on_path: Bools, at: int, heads: Ints) -> Floats:
    """Log-weight of each head of `at`, times the probability that the walk goes on from there to the tree, not back."""
    n = system.shape[0]
    reduced = system.copy()
    for word in range(n):
        reduced[word, n] = reduced[word, n + 1] = -np.inf
        for head in range(n):
            if joined[head]:
                reduced[word, n] = add_logs(reduced[word, n], system[word, head])
            if joined[head] or on_path[head]:
                reduced[word, n + 1] = add_logs(reduced[word, n + 1], system[word, head])
    reaches = expected_rewards(reduced, ~(joined | on_path))
    logs = np.full(len(heads), -np.inf)
    for position in range(len(heads)):
        head = heads[position] - 1
        if head >= 0 and not on_path[head]:
            logs[position] = system[at, head] + (0.0 if joined[head] else reaches[head])
    return logs


@kernel
def _choice(logs: Floats, u: float) -> int:
    """The position that a draw from [0, 1) takes among log-weights."""
    weights = np.exp(logs - logs.max())
    left = u * weights.sum()
    last = 0
    for position in range(len(weights)):
        if weights[position] > 0:
            last = position
            left -= weights[position]
            if left < 0:
                break
    return last


@kernel
def _sample_relations(
    offsets: Ints, weights: Floats, trees: Draws, key: np.uint64, first: np.uint64, drawn: Draws
) -> None:
    for s in range(trees.shape[0]):
        start = (first + np.uint64(s)) * _STRIDE + np.uint64(_RELATIONS)
        for word in range(trees.shape[1]):
            entry, last = offsets[trees[s, word]], offsets[trees[s, word] + 1] - 1
            u = uniform(key, start + np.uint64(word))
            while entry < last and weights[entry] <= u:
                u -= weights[entry]
                entry += 1
            drawn[s, word] = entry
