"""The second best path, against the enumeration of all paths."""

from itertools import product

import numpy as np
import pytest

from reproductions.tagging import ChainScores, path_scores, second_best_scores, viterbi


def random_scores(lengths: list[int], n_tags: int, seed: int) -> ChainScores:
    rng = np.random.default_rng(seed)
    return ChainScores(
        rng.normal(size=(sum(lengths), n_tags)),
        np.concatenate([[0], np.cumsum(lengths)]),
        *(rng.normal(size=shape) for shape in (n_tags, (n_tags, n_tags), n_tags)),
    )


@pytest.mark.parametrize("seed", range(5))
def test_second_best_equals_enumeration(seed: int) -> None:
    scores = random_scores([4], 3, seed)
    every = sorted(path_scores(scores, path)[0] for path in product(range(3), repeat=4))
    best = viterbi(scores)
    assert best.score[0] == pytest.approx(every[-1])
    assert second_best_scores(scores, best)[0] == pytest.approx(every[-2])


def test_sentences_do_not_touch_each_other() -> None:
    both = random_scores([3, 2], 4, 9)
    alone = ChainScores(both.unary[3:], np.array([0, 2]), both.start, both.transition, both.end)
    found = second_best_scores(both, viterbi(both))
    assert found[1] == pytest.approx(second_best_scores(alone, viterbi(alone))[0])


def test_a_single_tag_leaves_no_second_path_and_a_tie_equals_the_best() -> None:
    one = random_scores([2], 1, 0)
    assert second_best_scores(one, viterbi(one))[0] == -np.inf
    zero = np.zeros((1, 2))
    tied = ChainScores(zero, np.array([0, 1]), np.zeros(2), np.zeros((2, 2)), np.zeros(2))
    assert second_best_scores(tied, viterbi(tied))[0] == viterbi(tied).score[0] == 0.0
