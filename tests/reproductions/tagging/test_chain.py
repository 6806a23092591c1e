"""Inference in chains, held against sums over every path."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reproductions.tagging import ChainScores, log_partition, pair_marginals, path_scores, tag_marginals, viterbi


def random_chain(seed: int, lengths: list[int], n_tags: int, spread: float = 2.0) -> ChainScores:
    rng = np.random.default_rng(seed)
    draw = lambda *shape: rng.normal(0, spread, shape)  # noqa: E731
    sentences = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return ChainScores(draw(sum(lengths), n_tags), sentences, draw(n_tags), draw(n_tags, n_tags), draw(n_tags))


def every_path(scores: ChainScores, sentence: int) -> tuple[np.ndarray, np.ndarray]:
    """All tag sequences of one sentence, shape (n_paths, n), and the score of each, summed by hand."""
    unary = scores.unary[scores.sentences[sentence] : scores.sentences[sentence + 1]]
    paths = np.array(list(product(range(unary.shape[1]), repeat=len(unary))))
    total = scores.start[paths[:, 0]] + scores.end[paths[:, -1]]
    for at in range(len(unary)):
        total = total + unary[at, paths[:, at]]
        if at:
            total = total + scores.transition[paths[:, at - 1], paths[:, at]]
    return paths, total


chains = st.builds(
    random_chain,
    st.integers(0, 10**6),
    st.lists(st.integers(1, 4), min_size=1, max_size=3),
    st.integers(1, 4),
    st.sampled_from([0.1, 2.0, 300.0]),
)


@settings(max_examples=40)
@given(chains)
def test_partition_and_marginals_are_sums_over_all_paths(scores: ChainScores) -> None:
    marginal, log_z, pairs = tag_marginals(scores), log_partition(scores), pair_marginals(scores)
    row = 0
    for sentence, first in enumerate(scores.sentences[:-1]):
        paths, total = every_path(scores, sentence)
        highest = total.max()
        weight = np.exp(total - highest)
        assert log_z[sentence] == pytest.approx(highest + np.log(weight.sum()), rel=1e-9, abs=1e-9)
        weight /= weight.sum()
        n_tags = scores.unary.shape[1]
        for at in range(paths.shape[1]):
            expected = np.bincount(paths[:, at], weights=weight, minlength=n_tags)
            np.testing.assert_allclose(marginal[first + at], expected, atol=1e-9)
            if at:
                code = paths[:, at - 1] * n_tags + paths[:, at]
                np.testing.assert_allclose(
                    pairs[row], np.bincount(code, weights=weight, minlength=n_tags**2), atol=1e-9
                )
                row += 1
    assert row == len(pairs)


@settings(max_examples=40)
@given(chains)
def test_viterbi_finds_the_best_of_all_paths_and_its_probability(scores: ChainScores) -> None:
    best = viterbi(scores)
    np.testing.assert_allclose(path_scores(scores, best.tags), best.score, rtol=1e-9, atol=1e-9)
    for sentence in range(len(best.score)):
        _, total = every_path(scores, sentence)
        assert best.score[sentence] == pytest.approx(total.max())
        probability = 1 / np.exp(total - total.max()).sum()
        assert np.exp(best.log_probability[sentence]) == pytest.approx(probability, abs=1e-9)


@settings(max_examples=40)
@given(chains)
def test_pairs_sum_to_the_marginals_of_both_words(scores: ChainScores) -> None:
    n_tags = scores.unary.shape[1]
    pairs, marginal = pair_marginals(scores).reshape(-1, n_tags, n_tags), tag_marginals(scores)
    later = np.delete(np.arange(len(marginal)), scores.sentences[:-1])
    np.testing.assert_allclose(pairs.sum(axis=1), marginal[later], atol=1e-9)
    np.testing.assert_allclose(pairs.sum(axis=2), marginal[later - 1], atol=1e-9)


def test_two_words_by_hand() -> None:
    """Weights of the paths 00, 01, 10, 11 are 2·1·1, 2·3·4, 1·1·1, 1·1·4: emissions 2, 1 then 1, 4; 0→1 is 3."""
    scores = ChainScores(
        np.log([[2.0, 1.0], [1.0, 4.0]]), np.array([0, 2]), np.zeros(2), np.log([[1.0, 3.0], [1.0, 1.0]]), np.zeros(2)
    )
    assert np.exp(log_partition(scores)) == pytest.approx([31.0])
    np.testing.assert_allclose(tag_marginals(scores), np.array([[26, 5], [3, 28]]) / 31)
    np.testing.assert_allclose(pair_marginals(scores, [[0, 1], [1, 0]]), np.array([[24, 1]]) / 31)
    assert viterbi(scores).tags.tolist() == [0, 1]


def test_forbidden_tags_have_no_probability() -> None:
    scores = random_chain(0, [4, 2], 3)
    scores.unary[1, 2] = scores.unary[5, 0] = scores.transition[0, 1] = -np.inf
    marginal, pairs = tag_marginals(scores), pair_marginals(scores, [[0, 1]])
    assert marginal[1, 2] == marginal[5, 0] == 0.0
    assert not pairs.any()
    np.testing.assert_allclose(marginal.sum(axis=1), 1.0)


def test_sentence_without_a_path_is_named() -> None:
    scores = random_chain(0, [2, 2], 2)
    scores.unary[3] = -np.inf
    with pytest.raises(ValueError, match="sentence 1 has no path"):
        tag_marginals(scores)


def test_long_sentence_neither_over_nor_underflows() -> None:
    scores = random_chain(1, [2000], 5, spread=20.0)
    marginal = tag_marginals(scores)
    np.testing.assert_allclose(marginal.sum(axis=1), 1.0)
    assert np.isfinite(log_partition(scores)).all()


@pytest.mark.parametrize(
    ("part", "wrong", "message"),
    [
        ("start", np.zeros(4), "start must have shape"),
        ("sentences", np.array([0, 2, 2, 6]), "sentences must rise"),
        ("end", np.array([0.0, np.nan, 0.0]), "end must be finite"),
    ],
)
def test_scores_that_do_not_fit_are_refused(part: str, wrong: np.ndarray, message: str) -> None:
    scores = random_chain(0, [4, 2], 3)
    parts = {name: getattr(scores, name) for name in ("unary", "sentences", "start", "transition", "end")}
    with pytest.raises(ValueError, match=message):
        ChainScores(**(parts | {part: wrong}))


def test_pairs_outside_the_tagset_are_refused() -> None:
    with pytest.raises(ValueError, match="two tags below 3"):
        pair_marginals(random_chain(0, [2], 3), [[0, 3]])
