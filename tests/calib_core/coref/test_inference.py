"""Exact marginals, samples and decoding of antecedent distributions."""

from itertools import product

import numpy as np
import pytest

from calib_core.coref import (
    Antecedents,
    antecedent_entropy,
    antecedent_probabilities,
    cumulative_probabilities,
    map_clustering,
    pair_marginals,
    sample_clusterings,
)
from calib_core.randomness import document_key, uniform


def by_enumeration(antecedents: Antecedents) -> np.ndarray:
    """Pair probabilities by summing over every combination of antecedents."""
    n = len(antecedents)
    p = antecedent_probabilities(antecedents)
    entries = [range(antecedents.offsets[j], antecedents.offsets[j + 1]) for j in range(n)]
    total = np.zeros((n, n))
    for choice in product(*entries):
        entity = np.arange(n)
        for j, k in enumerate(choice):
            if antecedents.candidates[k] >= 0:
                entity[j] = entity[antecedents.candidates[k]]
        total += np.prod(p[list(choice)]) * (entity[:, None] == entity[None, :])
    return total


def by_recursion(antecedents: Antecedents) -> np.ndarray:
    """The recursion of the design, one pair at a time."""
    n = len(antecedents)
    p = antecedent_probabilities(antecedents)
    together = np.eye(n)
    for j in range(n):
        for k in range(antecedents.offsets[j], antecedents.offsets[j + 1]):
            if antecedents.candidates[k] >= 0:
                together[j, :j] += p[k] * together[antecedents.candidates[k], :j]
        together[:j, j] = together[j, :j]
    return together


@pytest.mark.parametrize("seed", range(5))
def test_marginals_equal_enumeration(random_antecedents, seed: int) -> None:
    antecedents = random_antecedents(7, seed)
    np.testing.assert_allclose(pair_marginals(antecedents), by_enumeration(antecedents), rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [63, 64, 65, 200])
def test_blocks_do_not_show(random_antecedents, n: int) -> None:
    antecedents = random_antecedents(n, window=90)
    np.testing.assert_allclose(pair_marginals(antecedents), by_recursion(antecedents), rtol=0, atol=1e-12)


def test_documents_with_no_mention_or_one(random_antecedents) -> None:
    assert pair_marginals(random_antecedents(0)).shape == (0, 0)
    assert pair_marginals(random_antecedents(1)).tolist() == [[1.0]]
    assert sample_clusterings(random_antecedents(0), 3, key=1).shape == (3, 0)
    assert sample_clusterings(random_antecedents(1), 3, key=1).tolist() == [[0], [0], [0]]
    assert map_clustering(random_antecedents(0)).tolist() == []
    assert antecedent_entropy(random_antecedents(0)).tolist() == []


def test_samples_agree_with_the_marginals(random_antecedents) -> None:
    antecedents = random_antecedents(12, seed=3)
    entities = sample_clusterings(antecedents, 100_000, key=document_key(0, "d"))
    share = np.mean(entities[:, :, None] == entities[:, None, :], axis=0)
    exact = pair_marginals(antecedents)
    error = np.sqrt(exact * (1 - exact) / 100_000)
    assert np.all(np.abs(share - exact) <= 5 * error + 1e-12)


def test_samples_do_not_depend_on_the_batching(random_antecedents) -> None:
    antecedents = random_antecedents(40)
    whole = sample_clusterings(antecedents, 30, key=2**64 - 5)
    parts = [sample_clusterings(antecedents, n, key=2**64 - 5, first_sample=s) for s, n in ((0, 1), (1, 20), (21, 9))]
    assert np.array_equal(whole, np.concatenate(parts))


def test_samples_follow_the_documented_draws(random_antecedents) -> None:
    antecedents, key = random_antecedents(30, window=11), 77
    cumulative = cumulative_probabilities(antecedents)
    entities = sample_clusterings(antecedents, 20, key=key)
    for s in range(20):
        for j in range(30):
            u = uniform(np.uint64(key), np.uint64(s * 2**32 + j))
            k = antecedents.offsets[j]
            while cumulative[k] <= u:
                k += 1
            candidate = antecedents.candidates[k]
            assert entities[s, j] == (j if candidate < 0 else entities[s, candidate])


def test_another_key_gives_other_samples(random_antecedents) -> None:
    antecedents = random_antecedents(40)
    assert not np.array_equal(sample_clusterings(antecedents, 5, key=1), sample_clusterings(antecedents, 5, key=2))


def test_a_negative_number_of_samples_is_refused(random_antecedents) -> None:
    with pytest.raises(ValueError, match="samples 0 to -1 are not within"):
        sample_clusterings(random_antecedents(2), -1, key=0)


def three_mentions(p: list[float]) -> Antecedents:
    """Mentions 0 and 1 are new; mention 3 chooses among 0, 1, 2 and NEW with probabilities p; 2 follows 1."""
    logits = np.log(np.array([1.0, 1e-9, 1.0, 1e-9, 1.0, 1e-9, *p]))
    return Antecedents(np.array([0, 1, 3, 6, 10]), np.array([-1, 0, -1, 0, 1, -1, 0, 1, 2, -1]), logits)


def test_summed_decoding_prefers_the_entity_and_argmax_the_mention() -> None:
    antecedents = three_mentions([0.35, 0.30, 0.20, 0.15])
    assert map_clustering(antecedents, method="argmax").tolist() == [0, 1, 1, 0]
    assert map_clustering(antecedents, method="summed").tolist() == [0, 1, 1, 1]


def test_new_wins_when_it_leads_by_the_discount() -> None:
    antecedents = three_mentions([0.10, 0.15, 0.20, 0.55])
    assert map_clustering(antecedents, new_discount=0.0).tolist() == [0, 1, 1, 2]
    assert map_clustering(antecedents, new_discount=0.5).tolist() == [0, 1, 1, 1]


def test_an_unknown_decoding_is_refused() -> None:
    with pytest.raises(ValueError, match="method must be 'argmax' or 'summed'; got 'best'"):
        map_clustering(three_mentions([0.25] * 4), method="best")  # type: ignore[arg-type]


def test_entropy_is_that_of_the_choice() -> None:
    entropy = antecedent_entropy(three_mentions([0.25, 0.25, 0.25, 0.25]))
    assert entropy[0] == 0.0
    assert entropy[3] == pytest.approx(np.log(4))


@pytest.mark.parametrize(
    ("offsets", "logits", "message"),
    [([0, 1], [np.nan], "logits must not be NaN; entry 0 is"), ([0, 2], [0.0], "offsets must end at the number")],
)
def test_arrays_that_do_not_fit_are_refused(offsets: list, logits: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Antecedents(np.array(offsets), np.array([-1] * len(logits)), np.array(logits))
