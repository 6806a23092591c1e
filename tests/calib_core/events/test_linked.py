"""Targets, possessors and actors: the kernel answers as the rules spelled out on whole clusters do."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib_core.coref import sample_clusterings
from calib_core.coref.model.antecedents import Antecedents
from calib_core.events import Evidence, batch_bits, document_bits
from calib_core.events.linked import row_counts
from calib_core.events.links import Links
from calib_core.events.readings import SampledEvidence
from calib_core.events.sampling import answers_under
from tests.calib_core.events.documents import random_antecedents

CODES = ("-", "AAA", "BBB", "CCC")
ACTORS = ("POLICE", "REBELS")
TARGETS = ("AAA", "BBB", "CCC", "DDD")


def random_linked(rng: np.random.Generator, n: int, *, n_words: int = 1) -> Evidence:
    """Evidence of n mentions and some words, with random events and possessors."""
    total = n + n_words

    def codes(most: int, share: float) -> np.ndarray:
        drawn = np.where(rng.random(total) < share, rng.integers(0, most, total), -1)
        return np.where(rng.random(total) < 0.05, -2, drawn).astype(np.int64)

    agents = np.flatnonzero(rng.random(total) < 0.4)
    agent = np.zeros(total, dtype=np.bool_)
    agent[agents] = True
    events = {
        (int(rng.integers(0, 3)), int(a), int(t))
        for a in agents
        for t in rng.choice([-1, *range(n)], size=rng.integers(1, 3))
    }
    both = {(e, a) for e, a, t in events if t >= 0}
    events = {(e, a, t) for e, a, t in events if t >= 0 or (e, a) not in both}
    possessors = {(int(m), int(p)) for m, p in rng.integers(0, n, (rng.integers(0, n), 2)) if m != p}
    links = Links(
        actor=codes(len(ACTORS), 0.2), target=codes(len(CODES), 0.4),
        events=np.array(sorted(events), dtype=np.int64).reshape(-1, 3),
        possessors=np.array(sorted(possessors), dtype=np.int64).reshape(-1, 2),
        actor_codes=ACTORS, target_codes=TARGETS, reported_targets=np.array([True, True, True, False]), dyadic=True,
    )  # fmt: skip
    return Evidence(
        codes(len(CODES), 0.5), agent, np.zeros(total, np.int64), CODES, np.array([True, True, False, True]),
        word_tokens=(-1,) * n_words, links=links,
    )  # fmt: skip


def answered(
    evidence: Evidence, antecedents: Antecedents, n_samples: int, key: int
) -> list[dict[tuple[str, str], int]]:
    """Rows with their numbers of entities, sample by sample."""
    samples = batch_bits([evidence], [antecedents], n_samples, keys=[key])
    names = list(zip(samples.country, samples.target or (), strict=True))
    return [{name: int(k) for name, k in zip(names, column, strict=True) if k} for column in samples.entities.T]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 9))
def test_kernel_answers_as_the_rules_on_whole_clusters(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    evidence, antecedents = random_linked(rng, n), random_antecedents(n, rng)
    clusterings = sample_clusterings(antecedents, 30, key=seed)
    assert answered(evidence, antecedents, 30, seed) == [row_counts(evidence, labels) for labels in clusterings]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 9))
def test_any_target_is_the_query_without_targets(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    evidence, antecedents = random_linked(rng, n), random_antecedents(n, rng)
    assert evidence.links is not None
    untargeted = replace(evidence, links=replace(evidence.links, dyadic=False))
    plain = batch_bits([untargeted], [antecedents], 50, keys=[seed])
    samples = batch_bits([evidence], [antecedents], 50, keys=[seed])
    anyone = [row for row, target in enumerate(samples.target or ()) if target == "*"]
    assert tuple(samples.country[row] for row in anyone) == plain.country
    np.testing.assert_array_equal(samples.entities[anyone], plain.entities)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 9))
def test_without_possessors_actors_and_targets_it_is_the_plain_kernel(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    evidence, antecedents = random_linked(rng, n), random_antecedents(n, rng)
    assert evidence.links is not None
    nothing = np.full(len(evidence), -1)
    links = replace(evidence.links, actor=nothing, target=nothing, possessors=np.zeros((0, 2), np.int64), dyadic=False)
    linked = batch_bits([replace(evidence, links=links)], [antecedents], 50, keys=[seed]).positive()
    plain = batch_bits([replace(evidence, links=None)], [antecedents], 50, keys=[seed]).positive()
    assert linked.country == plain.country
    np.testing.assert_array_equal(linked.entities, plain.entities)
    np.testing.assert_array_equal(linked.best, plain.best)


def test_answers_do_not_depend_on_the_batch() -> None:
    rng = np.random.default_rng(0)
    documents = [(random_linked(rng, n), random_antecedents(n, rng)) for n in (4, 9, 1, 6)]
    together = batch_bits(*map(list, zip(*documents, strict=True)), 40, keys=[1, 2, 3, 4])  # type: ignore[arg-type]
    alone = [batch_bits([e], [a], 40, keys=[k]) for k, (e, a) in enumerate(documents, start=1)]
    np.testing.assert_array_equal(together.entities, np.concatenate([one.entities for one in alone]))
    assert together.country == tuple(code for one in alone for code in one.country)


@pytest.mark.parametrize("linked", [True, False])
def test_each_sample_goes_by_its_own_reading(linked: bool) -> None:
    rng = np.random.default_rng(3)
    readings = tuple(random_linked(rng, 7, n_words=k) for k in (1, 0, 2))
    if not linked:
        readings = tuple(replace(reading, links=None) for reading in readings)
    antecedents, which = random_antecedents(7, rng), rng.integers(0, 3, 40)
    sampled = batch_bits([SampledEvidence(readings, which)], [antecedents], 40, keys=[5])
    rows = list(zip(sampled.country, sampled.target or [""] * len(sampled), strict=True))
    for number, reading in enumerate(readings):
        alone = batch_bits([reading], [antecedents], 40, keys=[5])
        expected = dict(
            zip(zip(alone.country, alone.target or [""] * len(alone), strict=True), alone.entities, strict=True)
        )
        mine = which == number
        for row, entities in zip(rows, sampled.entities, strict=True):
            np.testing.assert_array_equal(entities[mine], expected.get(row, np.zeros(40))[mine])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 8), st.booleans())
def test_given_clusterings_are_answered_row_by_row_as_sampled_ones(seed: int, n: int, joins: bool) -> None:
    rng = np.random.default_rng(seed)
    evidence = random_linked(rng, n)
    evidence = evidence if joins else replace(evidence, links=None)
    antecedents = random_antecedents(n, rng)
    samples = document_bits(evidence, antecedents, 20, key=seed)
    clusterings = sample_clusterings(antecedents, 20, key=seed).astype(np.int64)
    assert np.array_equal(answers_under(evidence, clusterings), samples.entities)
