"""Every tree there is over a few words, to check distributions against."""

from functools import cache
from itertools import product

import numpy as np

from calib_core.arrays import Floats, Ints


@cache
def all_trees(n: int) -> Ints:
    """Heads of the words 1 to n in every tree with one root, shape (n_trees, n)."""
    trees = []
    for heads in product(range(n + 1), repeat=n):
        reached = {0}
        for _ in range(n):
            reached |= {word for word, head in enumerate(heads, 1) if head in reached}
        if heads.count(0) == 1 and len(reached) == n + 1:
            trees.append(heads)
    return np.array(trees, dtype=np.int64)


def tree_log_weights(scores: Floats) -> Floats:
    """Summed score of each tree of `all_trees`."""
    n = len(scores) - 1
    return np.asarray(scores[np.arange(1, n + 1), all_trees(n)].sum(axis=1))


def random_scores(seed: int, n: int, *, spread: float = 1.0, missing: float = 0.0) -> Floats:
    """Normal scores with some arcs ruled out; one chain with word 1 on top always stays possible."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(scale=spread, size=(n + 1, n + 1))
    gone = rng.random(scores.shape) < missing
    gone[np.arange(1, n + 1), np.arange(n)] = False
    scores[gone] = -np.inf
    return scores
