"""The best tree, against every tree there is."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calib_core.spanning_tree import best_single_root_tree


def all_trees(n: int) -> list[tuple[int, ...]]:
    """Heads of the words 1..n in every tree with one root."""
    trees = []
    for heads in product(range(n + 1), repeat=n):
        reached = {0}
        for _ in range(n):
            reached |= {word for word, head in enumerate(heads, 1) if head in reached}
        if heads.count(0) == 1 and len(reached) == n + 1:
            trees.append(heads)
    return trees


TREES = {n: all_trees(n) for n in range(1, 5)}


def test_a_cycle_is_broken_where_it_costs_least() -> None:
    # 1 and 2 prefer each other; hanging 2 on the root loses 0.1, hanging 1 there loses 0.5
    scores = np.array([[0.0, 0, 0], [-0.6, 0, -0.1], [-0.2, -0.1, 0]])
    assert best_single_root_tree(scores).tolist() == [0, 2, 0]


def test_two_words_that_want_the_root_share_it() -> None:
    scores = np.array([[0.0, 0, 0], [9, 0, 1], [8, 1, 0]])
    assert best_single_root_tree(scores).tolist() == [0, 0, 1]


@given(st.integers(1, 4), st.integers(0, 2**32))
def test_no_tree_is_better(n: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(n + 1, n + 1))
    best = max(TREES[n], key=lambda heads: sum(scores[word, head] for word, head in enumerate(heads, 1)))
    assert best_single_root_tree(scores)[1:].tolist() == list(best)


def test_one_word_hangs_on_the_root() -> None:
    assert best_single_root_tree(np.zeros((2, 2))).tolist() == [0, 0]
