"""The kernel against hand-worked cases, brute force, a plain loop, and itself in other batches."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from calib_core.coref import map_clustering, sample_clusterings
from calib_core.coref.model.antecedents import Antecedents
from calib_core.events import (
    Batch,
    Evidence,
    batch_bits,
    clustering_answers,
    document_bits,
    fulfilling_entities,
    unpack_bits,
)
from calib_core.randomness import document_key, uniform
from tests.calib_core.events.documents import CODES, random_antecedents, random_evidence


def evidence(country: list[int], agent: list[bool], reported: list[bool] | None = None) -> Evidence:
    n = len(country)
    asked = np.array(reported or [True] * len(CODES))
    return Evidence(np.array(country), np.array(agent), np.zeros(n, dtype=np.int64), CODES, asked)


def components(antecedent: list[int]) -> np.ndarray:
    """Entities of an antecedent vector, by connected components of its graph."""
    links = [(j, a) for j, a in enumerate(antecedent) if a >= 0]
    rows, columns = zip(*links, strict=True) if links else ((), ())
    n = len(antecedent)
    graph = coo_array((np.ones(len(links)), (rows, columns)), shape=(n, n))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def probabilities(antecedents: Antecedents, j: int) -> tuple[np.ndarray, np.ndarray]:
    entries = slice(antecedents.offsets[j], antecedents.offsets[j + 1])
    odds = np.exp(antecedents.logits[entries] - antecedents.logits[entries].max())
    return antecedents.candidates[entries], odds / odds.sum()


def exact(said: Evidence, antecedents: Antecedents) -> dict[str, float]:
    """P(document counts) for each country, summed over every antecedent vector."""
    total = dict.fromkeys(CODES, 0.0)
    choices = [list(zip(*probabilities(antecedents, j), strict=True)) for j in range(len(antecedents))]
    for vector in product(*choices):
        weight = float(np.prod([p for _, p in vector]))
        for code in {code for code, _ in fulfilling_entities(said, components([int(a) for a, _ in vector]))}:
            total[code] += weight
    return total


def walked(antecedents: Antecedents, key: int, sample: int) -> list[int]:
    """One sample as the contract has it: walk the entries in stored order against the cumulative softmax."""
    chosen = []
    for j in range(len(antecedents)):
        candidates, p = probabilities(antecedents, j)
        u = uniform(np.uint64(key), np.uint64(sample * 2**32 + j))
        chosen.append(int(candidates[min(int((np.cumsum(p) <= u).sum()), len(p) - 1)]))
    return chosen


LINKED = Antecedents(np.array([0, 1, 3]), np.array([-1, 0, -1]), np.array([0.0, np.log(3.0), 0.0]))


def test_hand_worked_two_mentions() -> None:
    """Mention 1 is an agent and joins mention 0, of country AAA, with odds 3 to 1."""
    samples = document_bits(evidence([0, -1], [False, True]), LINKED, 40_000, key=7)
    assert samples.country == ("AAA",)
    assert samples.p[0] == pytest.approx(0.75, abs=5 * np.sqrt(0.75 * 0.25 / 40_000))
    assert samples.best.tolist() == [1]


def test_hand_worked_second_country_spoils_the_entity() -> None:
    """Now mention 1 is of country BBB: alone it counts, joined neither does."""
    samples = document_bits(evidence([0, 1], [False, True]), LINKED, 40_000, key=7)
    assert samples.country == ("AAA", "BBB")
    assert samples.p.tolist() == [0.0, pytest.approx(0.25, abs=5 * np.sqrt(0.75 * 0.25 / 40_000))]
    assert samples.best.tolist() == [0, 0]


def test_a_mention_of_several_countries_never_counts() -> None:
    samples = document_bits(evidence([0, -2], [True, True]), LINKED, 1_000, key=7)
    assert 0.2 < samples.p[0] < 0.3


@pytest.mark.parametrize("seed", range(12))
def test_brute_force_over_all_antecedent_vectors_agrees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    said, antecedents = random_evidence(6, rng), random_antecedents(6, rng)
    samples = document_bits(said, antecedents, 20_000, key=seed)
    truth = exact(said, antecedents)
    for code, p in truth.items():
        found = samples.p[samples.country.index(code)] if code in samples.country else 0.0
        assert found == pytest.approx(p, abs=5 * np.sqrt(max(p * (1 - p), 0.0) / 20_000) + 1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 14))
def test_every_sample_is_the_walk_of_the_contract(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    said, antecedents = random_evidence(n, rng), random_antecedents(n, rng)
    key = document_key(seed, "doc")
    samples = document_bits(said, antecedents, 10, key=key)
    for s in range(10):
        expected = [code for code, _ in fulfilling_entities(said, components(walked(antecedents, key, s)))]
        found = dict(zip(samples.country, samples.entities[:, s].tolist(), strict=True))
        assert {code: expected.count(code) for code in CODES if expected.count(code)} == {
            code: count for code, count in found.items() if count
        }


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 12), min_size=1, max_size=8), st.integers(1, 40))
def test_any_batching_gives_the_same_samples(seed: int, sizes: list[int], n_samples: int) -> None:
    rng = np.random.default_rng(seed)
    said = [random_evidence(n, rng) for n in sizes]
    linked = [random_antecedents(n, rng) for n in sizes]
    keys = [document_key(seed, str(d)) for d in range(len(sizes))]
    together = batch_bits(said, linked, n_samples, keys=keys)
    for d, key in enumerate(keys):
        alone = document_bits(said[d], linked[d], n_samples, key=key)
        rows = np.flatnonzero(together.document == d)
        assert alone.country == tuple(together.country[row] for row in rows)
        assert np.array_equal(alone.entities, together.entities[rows])
        assert np.array_equal(alone.best, together.best[rows])


def test_more_samples_begin_with_the_same_ones() -> None:
    rng = np.random.default_rng(0)
    said, linked = random_evidence(20, rng), random_antecedents(20, rng)
    few, many = (document_bits(said, linked, n, key=3) for n in (50, 200))
    assert np.array_equal(few.entities, many.entities[:, :50])


def test_samples_are_those_of_the_coreference_sampler() -> None:
    rng = np.random.default_rng(0)
    said, linked = random_evidence(60, rng), random_antecedents(60, rng)
    samples = document_bits(said, linked, 500, key=11)
    clusterings = sample_clusterings(linked, 500, key=11)
    assert np.array_equal(clustering_answers(said, clusterings, samples.country), samples.entities)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12))
def test_best_answer_is_that_of_the_one_best_clustering(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    said, linked = random_evidence(n, rng), random_antecedents(n, rng)
    samples = document_bits(said, linked, 2, key=0)
    best = map_clustering(linked)[np.newaxis]
    assert np.array_equal(samples.best, clustering_answers(said, best, samples.country)[:, 0])


def test_one_best_goes_by_whole_entities() -> None:
    """Mention 2 prefers NEW (0.4) to either mention of the first entity (0.3 each), but not to both together."""
    linked = Antecedents(np.array([0, 1, 3, 6]), np.array([-1, 0, -1, 0, 1, -1]), np.log([1, 0.9, 0.1, 0.3, 0.3, 0.4]))
    said = evidence([0, -1, -1], [False, False, True])
    assert document_bits(said, linked, 2, key=0).best.tolist() == [1]


def test_entities_are_counted_one_by_one() -> None:
    apart = Antecedents(np.array([0, 1, 2]), np.array([-1, -1]), np.zeros(2))
    samples = document_bits(evidence([0, 0], [True, True]), apart, 10, key=0)
    assert (samples.entities == 2).all()
    assert samples.p.tolist() == [1.0]


def test_only_reported_countries_have_rows_and_others_still_spoil() -> None:
    said = evidence([0, 1], [False, True], reported=[True, False, False])
    samples = document_bits(said, LINKED, 100, key=0)
    assert samples.country == ("AAA",)
    assert samples.p.tolist() == [0.0]


def test_documents_without_agent_or_country_have_no_rows() -> None:
    assert len(document_bits(evidence([0, 1], [False, False]), LINKED, 10, key=0)) == 0
    assert len(document_bits(evidence([-1, -1], [True, True]), LINKED, 10, key=0)) == 0
    assert len(batch_bits([], [], 10, keys=[])) == 0


def test_positive_drops_rows_that_never_count() -> None:
    samples = document_bits(evidence([0, 1], [False, True]), LINKED, 100, key=0)
    assert samples.positive().country == ("BBB",)


@pytest.mark.parametrize("n_samples", [1, 7, 8, 9, 100])
def test_bits_pack_and_unpack(n_samples: int) -> None:
    samples = document_bits(evidence([0, 1], [True, True]), LINKED, n_samples, key=5)
    assert samples.bits.shape == (2, (n_samples + 7) // 8)
    assert np.array_equal(unpack_bits(samples.bits, n_samples), samples.entities > 0)
    assert samples.bits[0, 0] & 1 == (samples.entities[0, 0] > 0)


@pytest.mark.parametrize(
    ("offsets", "candidates", "logits", "complaint"),
    [
        ([0, 1, 3], [-1, 1, -1], [0, 0, 0], "mention 1 has candidate 1"),
        ([0, 1, 3], [-1, -1, 0], [0, 0, 0], "mention 1 has candidate 0"),
        ([0, 1, 3], [-1, -2, -1], [0, 0, 0], "mention 1 has candidate -2"),
        ([0, 1, 3], [-1, 0, -1], [0, np.inf, 0], "mention 1 has candidate 0 with logit inf"),
        ([0, 1, 1], [-1], [0], "mention 1 has no antecedents, not even NEW"),
    ],
)
def test_broken_antecedents_are_refused(
    offsets: list[int], candidates: list[int], logits: list[float], complaint: str
) -> None:
    linked = Antecedents(np.array(offsets), np.array(candidates), np.array(logits, dtype=np.float64))
    with pytest.raises(ValueError, match="document 0 of the batch: " + complaint):
        document_bits(evidence([0, 0], [True, True]), linked, 10, key=0)


def test_impossible_candidates_are_never_drawn() -> None:
    linked = Antecedents(LINKED.offsets, LINKED.candidates, np.array([0.0, -np.inf, 0.0]))
    assert document_bits(evidence([0, -1], [False, True]), linked, 1_000, key=0).p.tolist() == [0.0]


def test_evidence_of_other_mentions_is_refused() -> None:
    with pytest.raises(ValueError, match="evidence of 1 mentions and antecedents of 2"):
        document_bits(evidence([0], [True]), LINKED, 10, key=0)


def test_no_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="n_samples must be at least 1"):
        document_bits(evidence([0, 0], [True, True]), LINKED, 0, key=0)


def test_bits_of_another_number_of_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="100 samples take 13 bytes a row; got 2"):
        unpack_bits(np.zeros((1, 2), dtype=np.uint8), 100)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"mentions": np.array([0])}, r"mentions must have shape \(2,\); got \(1,\)"),
        ({"mentions": np.array([1, 2])}, "mentions must run from 0 to 2; it runs from 1 to 2"),
        ({"mentions": np.array([0, 3])}, "mentions must run from 0 to 2; it runs from 0 to 3"),
        ({"offsets": np.array([0, 3, 3, 3])}, r"offsets must have shape \(3,\); got \(4,\)"),
        ({"offsets": np.array([0, 1, 9])}, "offsets must run from 0 to 3; it runs from 0 to 9"),
        ({"offsets": np.array([0, 5, 3])}, "offsets must never decrease; entry 2 does, to 3"),
        ({"agent": np.array([True])}, r"agent must have shape \(2,\); got \(1,\)"),
        ({"logits": np.zeros(2)}, r"logits must have shape \(3,\); got \(2,\)"),
        ({"reported": np.ones(1, dtype=np.bool_)}, r"reported must have shape \(3,\); got \(1,\)"),
        ({"country": np.array([0, 3])}, r"country must lie in \[-2, 3\); mention 1 has 3"),
        ({"country": np.array([-3, 0])}, r"country must lie in \[-2, 3\); mention 0 has -3"),
    ],
)
def test_arrays_that_do_not_fit_together_never_reach_the_kernel(changed: dict[str, np.ndarray], complaint: str) -> None:
    whole = Batch.of([evidence([0, 0], [True, True])], [LINKED], [0])
    with pytest.raises(ValueError, match=complaint):
        replace(whole, **changed)


@pytest.mark.parametrize("key", [-1, 2**64])
def test_a_key_that_is_no_64_bit_number_is_named(key: int) -> None:
    with pytest.raises(ValueError, match=rf"document 0 of the batch has {key}"):
        document_bits(evidence([0, 0], [True, True]), LINKED, 10, key=key)


def test_negative_labels_of_entities_are_refused() -> None:
    with pytest.raises(ValueError, match="clustering 0 gives mention 0 -1"):
        clustering_answers(evidence([0, -1], [False, True]), np.array([[-1, -1]]), ["AAA"])


def test_labels_of_entities_may_be_large() -> None:
    said, large = evidence([0, -1], [False, True]), 2**62
    assert clustering_answers(said, np.array([[large, large]]), ["AAA"]).tolist() == [[1]]


def test_an_unknown_country_is_named() -> None:
    with pytest.raises(ValueError, match="unknown country 'ZZZ'"):
        clustering_answers(evidence([0], [True]), np.zeros((1, 1), dtype=np.int64), ["ZZZ"])


def test_more_entities_than_fit_stay_at_the_largest_number() -> None:
    n = 2**16
    said = evidence([0] * n, [True] * n)
    assert clustering_answers(said, np.arange(n)[np.newaxis], ["AAA"]).tolist() == [[2**16 - 1]]


def test_clusterings_of_other_mentions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"entities has shape \(1, 3\) but there are 1 mentions"):
        clustering_answers(evidence([0], [True]), np.zeros((1, 3), dtype=np.int64), ["AAA"])
