"""Drawn trees have the probabilities they should, and are the same however they are drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from calib_core.arrays import Floats, Ints
from calib_core.randomness import document_key
from calib_core.syntax import Arcs, Relations, arc_marginals, sample_relations, sample_trees, sentence_key
from tests.calib_core.syntax.trees import all_trees, random_scores, tree_log_weights

N = 20_000


def frequencies(scores: Floats, most_steps: int | None) -> Floats:
    """How often each of all trees was drawn, shape (n_trees,)."""
    arcs = Arcs.of_matrix(scores)
    drawn = arcs.heads[sample_trees(arcs, N, key=sentence_key(0, "doc", 0), most_steps=most_steps)]
    number = {tuple(tree): i for i, tree in enumerate(all_trees(len(arcs)).tolist())}
    return np.bincount([number[tuple(tree)] for tree in drawn.tolist()], minlength=len(number))


def chi_square(observed: Ints, p: Floats) -> float:
    """Probability of a larger deviation, rare trees taken together."""
    order = np.argsort(p)
    n_rare = max(1, int(np.searchsorted(np.cumsum(p[order]) * N, 10.0)))
    groups = [order[:n_rare], *([i] for i in order[n_rare:])]
    expected = np.array([p[group].sum() * N for group in groups])
    counts = np.array([observed[group].sum() for group in groups])
    used = expected > 0
    return float(chi2.sf(((counts - expected)[used] ** 2 / expected[used]).sum(), max(1, used.sum() - 1)))


@pytest.mark.parametrize("most_steps", [None, 0, 4], ids=["walks", "slow sampler", "slow sampler where walks are long"])
@pytest.mark.parametrize("spread", [0.3, 2.0])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_tree_is_drawn_as_often_as_it_should(n: int, spread: float, most_steps: int | None) -> None:
    scores = random_scores(n, n, spread=spread)
    weights = tree_log_weights(scores)
    p = np.exp(weights - np.logaddexp.reduce(weights))
    assert chi_square(frequencies(scores, most_steps), p) > 1e-3


def test_the_root_is_drawn_by_what_hangs_below_it() -> None:
    # Both words have the score 0 as a root, but 2 under 1 weighs nine times 1 under 2: drawn by its own score
    # (Zmigrod et al. 2021) the root would be 1 in half of the samples.
    scores = np.log(np.array([[1.0, 1, 1], [1, 1, 1], [1, 9, 1]]))
    share = frequencies(scores, None)[all_trees(2)[:, 0] == 0].sum() / N
    assert share == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("n", [12, 60])
def test_frequencies_are_the_marginals(n: int) -> None:
    arcs = Arcs.of_matrix(random_scores(n, n, spread=3.0, missing=0.3))
    drawn = sample_trees(arcs, 4000, key=1)
    frequency = np.bincount(drawn.ravel(), minlength=len(arcs.heads)) / 4000
    p = arc_marginals(arcs)
    deviation = (frequency - p) / np.sqrt(np.maximum(p * (1 - p), 1e-3) / 4000)
    assert np.abs(deviation).max() < 5


@given(st.integers(0, 2**32), st.integers(1, 20), st.integers(1, 15))
def test_samples_are_the_same_in_any_batches(seed: int, n: int, cut: int) -> None:
    arcs = Arcs.of_matrix(random_scores(seed, n, missing=0.5))
    together = sample_trees(arcs, 16, key=seed)
    apart = [sample_trees(arcs, cut, key=seed), sample_trees(arcs, 16 - cut, key=seed, first_sample=cut)]
    assert together.tolist() == np.concatenate(apart).tolist()


@given(st.integers(0, 2**32), st.integers(1, 25), st.sampled_from([1.0, 30.0, 3000.0]))
def test_every_draw_is_a_tree_with_one_root(seed: int, n: int, spread: float) -> None:
    arcs = Arcs.of_matrix(random_scores(seed, n, spread=spread, missing=0.5))
    for heads in arcs.heads[sample_trees(arcs, 5, key=seed)]:
        assert (heads == 0).sum() == 1
        at = np.arange(1, n + 1)
        for _ in range(n):
            at = np.where(at > 0, heads[at - 1], 0)
        assert not at.any()


@pytest.mark.parametrize("gap", [30.0, 3000.0])
def test_words_that_are_each_others_only_heads_end_their_walk(gap: float) -> None:
    # 1 and 2 want each other; of the trees, 3 on top of 1 and 3 on top of 2 are equally likely.
    scores = np.full((4, 4), -np.inf)
    scores[3, 0] = scores[1, 2] = scores[2, 1] = 0.0
    scores[1, 3] = scores[2, 3] = -gap
    arcs = Arcs.of_matrix(scores)
    heads = arcs.heads[sample_trees(arcs, 2000, key=5)]
    assert (heads[:, 0] == 3).mean() == pytest.approx(0.5, abs=0.05)
    assert ((heads[:, 0] == 3) != (heads[:, 1] == 3)).all()


def test_relations_have_their_probabilities_and_their_own_draws() -> None:
    arcs = Arcs.of_matrix(np.array([[0.0, 0, 0], [0, 0, 0], [-np.inf, 0, 0]]))  # one tree: 2 under 1
    relations = Relations(np.array([0, 1, 2, 4]), np.array([7, 7, 8, 9]), np.log([1.0, 1.0, 0.2, 0.6]))
    trees = sample_trees(arcs, N, key=3)
    drawn = relations.labels[sample_relations(relations, trees, key=3)]
    assert set(drawn[:, 0].tolist()) == {7}
    assert (drawn[:, 1] == 9).mean() == pytest.approx(0.75, abs=0.01)
    tail = sample_relations(relations, trees[100:], key=3, first_sample=100)
    assert relations.labels[tail].tolist() == drawn[100:].tolist()


def test_keys_differ_by_seed_document_and_sentence() -> None:
    keys = {sentence_key(seed, doc, sentence) for seed in (0, 1) for doc in ("a", "b") for sentence in (0, 1)}
    assert len(keys | {document_key(0, "a"), document_key(0, "b")}) == 10


def test_no_words_and_no_samples_are_fine() -> None:
    none = Arcs.of_matrix(np.zeros((1, 1)))
    assert sample_trees(none, 3, key=0).shape == (3, 0)
    assert sample_trees(Arcs.of_matrix(np.zeros((3, 3))), 0, key=0).shape == (0, 2)


def test_sample_numbers_beyond_the_counter_are_refused() -> None:
    with pytest.raises(ValueError, match="are not within 0 and"):
        sample_trees(Arcs.of_matrix(np.zeros((3, 3))), 2, key=0, first_sample=2**32 - 1)
