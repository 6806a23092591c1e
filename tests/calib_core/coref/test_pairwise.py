"""The pairwise model of Choi & Cardie: E-steps by hand, biased likelihood, training."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.coref import PairwiseConfig, clusters_of, detect_mentions, train_pairwise_model
from calib_core.coref.model.gradient import empty_slope
from calib_core.coref.model.training import examples
from calib_core.coref.pairwise.interned_pairs import intern_pairs, interned_scores, interned_slope
from calib_core.coref.pairwise.pair_scores import pair_scores
from calib_core.coref.pairwise.pairwise_model import Iteration, best_iteration, em_path, emphasis, intern_examples
from calib_core.coref.pairwise.structured_local import algorithm_1, algorithm_2, closest_links, links_of, single_link
from calib_core.document import Document

# Elizabeth(1), Mary, Elizabeth(2), she: the paper's example. Entities: 0 = Elizabeth, 1 = Mary.
TRUTH = np.array([0, 1, 0, 0])


def matrix(**pairs: float) -> np.ndarray:
    """Scores below the diagonal from names like `p20` (pair of mentions 2 and 0)."""
    scores = np.full((4, 4), -np.inf)
    for j in range(4):
        for i in range(j):
            scores[j, i] = pairs.get(f"p{j}{i}", -9.0)
    return scores


# The model links Elizabeth(1)-Elizabeth(2) and Elizabeth(2)-she, but not Elizabeth(1)-she.
REPAIRED = matrix(p20=2.0, p32=1.0, p30=-0.5)
# The model misses both links of "she", the one with Elizabeth(2) by less, and links it with Mary.
MISSED = matrix(p20=2.0, p32=-0.3, p30=-0.7, p31=0.4)


def labels(found: np.ndarray) -> set[tuple[int, int]]:
    return {(int(j), int(i)) for j, i in zip(*np.nonzero(found), strict=True)}


def test_what_clustering_repairs_is_learned_as_not_coreferent() -> None:
    assert labels(algorithm_2(REPAIRED, TRUTH)) == {(2, 0), (3, 2)}
    assert labels(algorithm_1(REPAIRED, TRUTH)) == {(2, 0), (3, 2)}


def test_algorithm_1_restores_the_cheapest_links_that_join_the_entity() -> None:
    assert labels(algorithm_1(MISSED, TRUTH)) == {(2, 0), (3, 2)}


def test_algorithm_2_restores_every_link_that_clustering_misses() -> None:
    assert labels(algorithm_2(MISSED, TRUTH)) == {(2, 0), (3, 2), (3, 0)}


def test_mentions_outside_every_entity_get_no_link() -> None:
    assert labels(algorithm_2(matrix(p10=3.0), np.array([-1, -1, 0, 0]))) == {(3, 2)}


@given(st.lists(st.floats(-3, 3), min_size=15, max_size=15), st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_algorithm_1_always_clusters_to_the_truth(values: list[float], truth: list[int]) -> None:
    scores = np.full((6, 6), -np.inf)
    scores[np.tril_indices(6, -1)] = values
    entities = np.array(truth)
    assert np.array_equal(links_of(single_link(algorithm_1(scores, entities))), links_of(entities))


def test_single_link_is_the_transitive_closure() -> None:
    linked = np.zeros((5, 5), dtype=bool)
    linked[3, 1] = linked[4, 3] = True
    assert single_link(linked).tolist() == [0, 1, 2, 1, 1]


def test_the_closest_pairs_are_those_with_the_nearest_antecedent() -> None:
    assert labels(closest_links(TRUTH)) == {(2, 0), (3, 2)}


def test_bias_weights_the_pairs_it_names() -> None:
    ones = np.ones((4, 4))
    assert np.array_equal(emphasis(TRUTH, PairwiseConfig()), ones)
    every = emphasis(TRUTH, PairwiseConfig(bias="all", beta=3.0))
    assert labels(every == 3.0) == {(2, 0), (3, 2), (3, 0)}
    closest = emphasis(TRUTH, PairwiseConfig(bias="closest", beta=1.5))
    assert labels(closest == 1.5) == {(2, 0), (3, 2)}
    assert closest.sum() == pytest.approx(16 + 2 * 0.5)


def test_the_biased_likelihood_is_the_weighted_sum(story: Document) -> None:
    example = examples([story])[0]
    weights = np.random.default_rng(1).normal(0, 0.05, 2**14).astype(np.float32)
    shift = np.uint64(50)
    truth = links_of(example.entities)
    below = np.tril(np.ones_like(truth), -1).astype(bool)
    scores = pair_scores(example.arrays, weights, shift, 500)[below]
    logs = -np.log1p(np.exp(np.where(truth[below], -scores, scores)))
    for bias in ("none", "closest", "all"):
        weight = emphasis(example.entities, PairwiseConfig(bias=bias, beta=3.0))
        pairs = intern_pairs(example.arrays, shift, 500)
        for on_score in (False, True):
            value = interned_slope(
                example.arrays, pairs, truth, weight, weights, shift, 500, on_score, 0.0, empty_slope(2**14)
            )
            toward = np.where(truth[below], scores, -scores) * weight[below]
            expected = np.sum(-np.log1p(np.exp(-toward))) if on_score else np.sum(weight[below] * logs)
            assert value == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("on_score", [False, True])
def test_the_pair_gradient_is_the_slope_of_the_biased_likelihood(story: Document, on_score: bool) -> None:
    example = examples([story])[0]
    weights = np.random.default_rng(1).normal(0, 0.05, 2**14).astype(np.float32)
    truth, shift = links_of(example.entities), np.uint64(50)
    weight = emphasis(example.entities, PairwiseConfig(bias="all", beta=2.0))
    pairs, slope = intern_pairs(example.arrays, shift, 500), empty_slope(2**14)
    interned_slope(example.arrays, pairs, truth, weight, weights, shift, 500, on_score, 0.0, slope)
    for at in slope.slots[: slope.length[0]][::97]:
        values = []
        for step in (1e-2, -1e-2):
            moved = weights.copy()
            moved[at] += np.float32(step)
            values.append(
                interned_slope(
                    example.arrays, pairs, truth, weight, moved, shift, 500, on_score, 0.0, empty_slope(2**14)
                )
            )
        assert slope.value[at] == pytest.approx((values[0] - values[1]) / 2e-2, abs=5e-3)


@pytest.mark.parametrize("window", [500, 3])
def test_numbered_codes_give_the_scores_of_the_codes_themselves(story: Document, window: int) -> None:
    example, shift = examples([story])[0], np.uint64(50)
    weights = np.random.default_rng(2).normal(0, 0.05, 2**14).astype(np.float32)
    numbered = interned_scores(example.arrays, intern_pairs(example.arrays, shift, window), weights, shift, window)
    assert numbered == pytest.approx(pair_scores(example.arrays, weights, shift, window), abs=1e-5)


def test_without_an_e_step_all_passes_learn_the_true_labels(story: Document) -> None:
    config = PairwiseConfig(em_iterations=2, epochs=3, bits=12, e_step="none")
    *_, last = em_path(intern_examples(examples([story]), config), config)
    assert np.array_equal(last.weights, train_pairwise_model([story], PairwiseConfig(epochs=6, bits=12)).weights)


SMALL = PairwiseConfig(bits=14, epochs=25, rate=0.1, penalty=0.001)


@pytest.mark.parametrize("config", [SMALL, replace(SMALL, em_iterations=3), replace(SMALL, bias="all", beta=3.0)])
def test_training_fits_the_story(story: Document, config: PairwiseConfig) -> None:
    model = train_pairwise_model([story], config)
    clusters = clusters_of(model.clustering(story), detect_mentions(story))
    assert sorted(clusters) == sorted(story.clusters or ())


def test_training_is_reproducible_and_algorithms_may_differ(story: Document) -> None:
    config = replace(SMALL, em_iterations=2, epochs=3, e_step="algorithm-1")
    one, two = (train_pairwise_model([story, story], config).weights for _ in range(2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bias": "some"}, "bias must be"),
        ({"e_step": "algorithm-3"}, "e_step must be"),
        ({"bias_on": "all"}, "bias_on must be"),
        ({"beta": -1.0}, "beta must not be negative; got -1.0"),
        ({"em_iterations": 0}, "em_iterations must be at least 1; got 0"),
    ],
)
def test_impossible_configurations_are_refused(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PairwiseConfig(**change)


def test_one_run_of_em_gives_local_training_first_and_the_best_of_the_rest(story: Document) -> None:
    config = PairwiseConfig(em_iterations=3, bits=12)
    path = list(em_path(intern_examples(examples([story]), config), config))
    local = train_pairwise_model([story], PairwiseConfig(bits=12))
    structured = train_pairwise_model([story], config)
    assert len(path) == 3
    assert np.array_equal(path[0].weights, local.weights)
    assert np.array_equal(best_iteration(path).weights, structured.weights)


def test_of_equal_iterations_the_earlier_is_best_and_the_first_only_if_alone() -> None:
    weights = [np.full(2, float(number), dtype=np.float32) for number in range(4)]
    path = [Iteration(w, wrong) for w, wrong in zip(weights, (0.0, 5.0, 3.0, 3.0), strict=True)]
    assert best_iteration(path) is path[2]
    assert best_iteration(path[:1]) is path[0]
