import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.coref import NEW, Antecedents, sample_antecedents, sample_clusterings
from calib_core.events import Evidence, SampledEvidence, document_bits, explain, fulfilling_entities
from tests.calib_core.events.documents import CODES, random_antecedents, random_evidence


def evidence(country: list[int], agent: list[bool]) -> Evidence:
    flags = np.zeros(len(country), dtype=np.int64)
    return Evidence(np.array(country), np.array(agent), flags, CODES, np.ones(len(CODES), dtype=np.bool_))


def antecedents(rows: list[dict[int, float]]) -> Antecedents:
    """Probabilities of each mention's antecedents; NEW takes what is left."""
    candidates, logits, offsets = [], [], [0]
    for row in rows:
        for candidate, probability in [*row.items(), (NEW, 1 - sum(row.values()))]:
            candidates.append(candidate)
            logits.append(np.log(probability))
        offsets.append(len(candidates))
    return Antecedents(np.array(offsets), np.array(candidates), np.array(logits))


def test_hussein_counts_by_one_link_and_fails_without_it() -> None:
    """Mention 0 names AAA, mention 1 is the agent and refers to it with probability one half."""
    said, linked = evidence([0, -1], [False, True]), antecedents([{}, {0: 0.5}])
    (found,) = explain(said, linked, 1000, key=7)
    assert (found.country, found.best) == ("AAA", True)
    assert found.p == pytest.approx(0.5, abs=0.05)
    assert [(chain.mentions, chain.share) for chain in found.chains] == [((1, 0), found.p)]
    assert found.apart == pytest.approx(1 - found.p)
    (decision,) = found.decisions
    assert (decision.mention, decision.influence) == (1, pytest.approx(1.0))
    assert [(o.antecedent, o.probability, o.p_event) for o in decision.options] == [(0, 0.5, 1.0), (NEW, 0.5, 0.0)]


def test_another_country_in_the_entity_is_named_as_what_stood_in_the_way() -> None:
    """The agent itself names AAA; mention 1 names BBB and joins it with probability 0.3."""
    said, linked = evidence([0, 1], [True, False]), antecedents([{}, {0: 0.3}])
    (found,) = explain(said, linked, 1000, key=7)
    assert [chain.mentions for chain in found.chains] == [(0,)]
    assert found.apart == 0
    assert found.conflicts == {"BBB": pytest.approx(1 - found.p)}
    assert found.p == pytest.approx(0.7, abs=0.05)


def test_chain_runs_through_the_mention_that_both_ends_refer_to() -> None:
    """Agent 1 and namer 2 both refer to mention 0; the way is 1, 0, 2."""
    said = evidence([-1, -1, 0], [False, True, False])
    (found,) = explain(said, antecedents([{}, {0: 0.999999}, {0: 0.999999}]), 50, key=3)
    assert [chain.mentions for chain in found.chains] == [(1, 0, 2)]


def test_doubt_about_the_tree_is_told_with_what_hangs_on_it() -> None:
    """Mention 1 names AAA in all trees; it is the agent in three trees of ten."""
    best, other = evidence([-1, 0], [True, False]), evidence([-1, 0], [False, True])
    which = (np.arange(1000) % 10 < 3).astype(np.int64)
    (found,) = explain(SampledEvidence((best, other), which), antecedents([{}, {}]), 100, key=7, n_more=1000)
    assert (found.p, found.best, found.decisions) == (pytest.approx(0.3), False, ())
    assert [(chain.mentions, chain.share) for chain in found.chains] == [((1,), pytest.approx(0.3))]
    assert {(doubt.mention, doubt.code) for doubt in found.doubts} == {(0, None), (1, None)}
    (agent,) = (doubt for doubt in found.doubts if doubt.mention == 1)
    assert (agent.share, agent.p_event, agent.p_otherwise) == (pytest.approx(0.3), 1.0, 0.0)
    assert agent.influence == pytest.approx(1.0)


def test_doubt_about_a_description_names_the_code() -> None:
    best, other = evidence([0], [True]), evidence([1], [True])
    which = (np.arange(100) % 2).astype(np.int64)
    first, second = explain(SampledEvidence((best, other), which), antecedents([{}]), 100, key=7, n_more=100)
    assert {doubt.code for one in (first, second) for doubt in one.doubts} == {"AAA", "BBB"}


def test_certain_document_has_no_decision_to_tell() -> None:
    (found,) = explain(evidence([0], [True]), antecedents([{}]), 20, key=1)
    assert (found.p, found.decisions) == (1.0, ())


def test_document_without_agent_has_nothing_to_explain() -> None:
    assert explain(evidence([0, 1], [False, False]), antecedents([{}, {0: 0.5}]), 20, key=1) == ()


@given(st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_draws_followed_give_the_sampled_clusterings(n: int, seed: int) -> None:
    linked = random_antecedents(n, np.random.default_rng(seed))
    drawn = sample_antecedents(linked, 20, key=seed)
    entity = np.empty_like(drawn)
    for s in range(20):
        for j in range(n):
            entity[s, j] = j if drawn[s, j] == NEW else entity[s, drawn[s, j]]
    assert np.array_equal(entity, sample_clusterings(linked, 20, key=seed))


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_shares_add_up_and_agree_with_the_event_bits(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    said, linked = random_evidence(n, rng), random_antecedents(n, rng)
    found = {one.country: one for one in explain(said, linked, 40, key=seed, n_more=0)}
    bits = document_bits(said, linked, 40, key=seed).positive()
    assert {country: one.p for country, one in found.items()} == dict(zip(bits.country, bits.p.tolist(), strict=True))
    for one in found.values():
        assert sum(chain.share for chain in one.chains) == pytest.approx(one.p)
        assert one.p + one.apart + sum(one.conflicts.values()) == pytest.approx(1)


@given(st.integers(1, 10), st.integers(0, 2**32 - 1))
def test_chains_lead_from_an_agent_to_the_country_inside_a_fulfilling_entity(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    said, linked = random_evidence(n, rng), random_antecedents(n, rng)
    clusterings = sample_clusterings(linked, 30, key=seed)
    entities = {(country, tuple(members)) for row in clusterings for country, members in fulfilling_entities(said, row)}
    for one in explain(said, linked, 30, key=seed, n_more=0):
        for chain in one.chains:
            assert said.agent[chain.mentions[0]]
            assert said.codes[said.country[chain.mentions[-1]]] == one.country
            assert any(country == one.country and set(chain.mentions) <= set(m) for country, m in entities)
