"""Exact probabilities of arcs, by hand, against every tree there is, and against the determinant."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.arrays import Floats
from calib_core.syntax import Arcs, arc_marginals, log_partition, tree_log_probability
from tests.calib_core.syntax.trees import all_trees, random_scores, tree_log_weights


def marginal_matrix(scores: Floats) -> Floats:
    arcs = Arcs.of_matrix(scores)
    matrix = np.zeros(scores.shape)
    matrix[arcs.words, arcs.heads] = arc_marginals(arcs)
    return matrix[1:]


def enumerated(scores: Floats) -> Floats:
    n = len(scores) - 1
    weights = tree_log_weights(scores)
    p = np.exp(weights - np.logaddexp.reduce(weights))
    return np.array([[p[all_trees(n)[:, word] == head].sum() for head in range(n + 1)] for word in range(n)])


def by_determinant(scores: Floats) -> tuple[Floats, float]:
    """Koo et al. (2007), section 3.2, word for word; heads are rows there."""
    weights = np.exp(scores[1:])
    root, among = weights[:, 0], weights[:, 1:].T.copy()
    np.fill_diagonal(among, 0.0)
    laplacian = np.diag(among.sum(axis=0)) - among
    laplacian[0] = root
    inverse = np.linalg.inv(laplacian)
    later = np.arange(len(root)) > 0
    own = np.where(later, np.diag(inverse), 0.0)[np.newaxis]
    marginals = among * (own - np.where(later[:, np.newaxis], inverse.T, 0.0))
    return np.column_stack([root * inverse[:, 0], marginals.T]), float(np.linalg.slogdet(laplacian)[1])


def test_two_words_worked_by_hand() -> None:
    # root 1 then 2 under 1: 3 * 5 = 15; root 2 then 1 under 2: 7 * 2 = 14
    scores = np.log(np.array([[1.0, 1, 1], [3, 1, 2], [7, 5, 1]]))
    assert marginal_matrix(scores) == pytest.approx(np.array([[15, 0, 14], [14, 15, 0]]) / 29)
    assert np.exp(log_partition(Arcs.of_matrix(scores))) == pytest.approx(29)


@given(st.integers(0, 2**32), st.integers(1, 5), st.sampled_from([0.5, 5.0, 500.0]), st.sampled_from([0.0, 0.5]))
def test_marginals_are_those_of_all_trees(seed: int, n: int, spread: float, missing: float) -> None:
    scores = random_scores(seed, n, spread=spread, missing=missing)
    assert marginal_matrix(scores) == pytest.approx(enumerated(scores), abs=1e-9)
    assert log_partition(Arcs.of_matrix(scores)) == pytest.approx(np.logaddexp.reduce(tree_log_weights(scores)))


@given(st.integers(0, 2**32), st.integers(2, 40))
def test_marginals_and_partition_are_those_of_the_determinant(seed: int, n: int) -> None:
    scores = random_scores(seed, n)
    marginals, partition = by_determinant(scores)
    assert marginal_matrix(scores) == pytest.approx(marginals, abs=1e-9)
    assert log_partition(Arcs.of_matrix(scores)) == pytest.approx(partition)


@given(st.integers(0, 2**32), st.integers(1, 30), st.floats(-1000, 1000))
def test_a_constant_added_to_a_word_changes_only_the_partition(seed: int, n: int, constant: float) -> None:
    scores = random_scores(seed, n, missing=0.3)
    shifted = scores.copy()
    shifted[n] += constant
    assert marginal_matrix(shifted) == pytest.approx(marginal_matrix(scores), abs=1e-9)
    difference = log_partition(Arcs.of_matrix(shifted)) - log_partition(Arcs.of_matrix(scores))
    assert difference == pytest.approx(constant, abs=1e-7)


@pytest.mark.parametrize("gap", [30.0, 300.0, 30_000.0])
def test_words_that_are_each_others_only_heads_keep_exact_probabilities(gap: float) -> None:
    # Trees: root 1 (2 under 1) or root 2 (1 under 2), both exp(-gap) against the cycle; a determinant cannot tell.
    scores = np.array([[0.0, 0, 0], [-gap, 0, 0], [-gap + np.log(3), 0, 0]])
    assert marginal_matrix(scores) == pytest.approx(np.array([[0.25, 0, 0.75], [0.75, 0.25, 0]]), abs=1e-12)


def test_a_long_sentence_keeps_its_sums() -> None:
    scores = random_scores(0, 250, spread=20.0)
    marginals = marginal_matrix(scores)
    assert np.abs(marginals.sum(axis=1) - 1).max() < 1e-10  # one head each
    assert marginals[:, 0].sum() == pytest.approx(1)  # one root


def test_one_word_hangs_on_the_root_and_no_words_have_one_tree() -> None:
    one = Arcs.of_matrix(np.array([[0.0, 0.0], [-3.0, 0.0]]))
    assert (arc_marginals(one).tolist(), log_partition(one)) == ([1.0], -3.0)
    none = Arcs.of_matrix(np.zeros((1, 1)))
    assert (arc_marginals(none).tolist(), log_partition(none)) == ([], 0.0)


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_probabilities_of_all_trees_sum_to_one(seed: int, n: int) -> None:
    arcs = Arcs.of_matrix(random_scores(seed, n, missing=0.4))
    assert sum(np.exp(tree_log_probability(arcs, tree)) for tree in all_trees(n)) == pytest.approx(1)


def test_scores_without_a_tree_are_refused() -> None:
    scores = np.full((3, 3), -np.inf)
    scores[1:, 0] = 0.0  # both words can only be the root
    with pytest.raises(ValueError, match="the arcs of 2 words must allow a tree"):
        Arcs.of_matrix(scores)


def test_a_score_that_is_no_number_is_refused() -> None:
    scores = np.zeros((3, 3))
    scores[2, 1] = np.nan
    with pytest.raises(ValueError, match="scores must be finite; word 2 has nan"):
        Arcs.of_matrix(scores)


def test_arcs_come_back_as_their_matrix() -> None:
    scores = random_scores(1, 6, missing=0.4)
    again = Arcs.of_matrix(scores).matrix()
    np.fill_diagonal(scores, -np.inf)
    assert again[1:].tolist() == scores[1:].tolist()


def test_temperature_flattens_probabilities() -> None:
    # odds of 9 become 3 at temperature 2
    scores = np.log(np.array([[1.0, 1, 1], [9, 1, 1], [1, 1, 1]]))
    assert arc_marginals(Arcs.of_matrix(scores).tempered(2.0))[0] == pytest.approx(0.75)
    with pytest.raises(ValueError, match="temperature must be above 0; got 0"):
        Arcs.of_matrix(scores).tempered(0)
