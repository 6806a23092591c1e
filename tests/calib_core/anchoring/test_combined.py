from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from calib_core.anchoring import ColdStratum, LabelledRows, Sampled, anchored_counts, draw, entry_budgets, no_cold
from calib_core.anchoring.design import Earlier, budget_steps
from tests.calib_core.anchoring.archives import sampled_from, simulated


def with_surprises(labelled):
    """Six documents with a scored row and a row that only a label names; the total is the only wide group."""
    truth = np.array([1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0], dtype=float)
    code = np.tile([0, 1], 6)
    members = csr_array(np.column_stack([np.ones(12), code == 0, code == 1]))
    sampled = Sampled(
        stratum=np.zeros(6, dtype=int), pi=np.linspace(0.3, 0.8, 6), labelled=labelled,
        document=np.repeat(np.arange(6), 2), score=np.tile([0.4, 0.0], 6), low=truth, high=truth, members=members,
    )  # fmt: skip
    surprise = np.tile([False, True], 6)
    return LabelledRows(sampled, surprise, code, np.zeros(12, dtype=int), np.arange(6), no_cold(3), (2, 1))


def test_what_only_labels_name_is_counted_without_bias():
    mean = 0.0
    for drawn in product([False, True], repeat=6):
        rows = with_surprises(np.array(drawn))
        chance = np.where(drawn, rows.sampled.pi, 1 - rows.sampled.pi).prod()
        mean += chance * rows.by_design().estimate[2]
    assert mean == pytest.approx(2.0)


def test_a_surprise_has_no_score_and_exists_only_where_it_was_read():
    rows = with_surprises(np.arange(6) < 3).repaired()
    assert len(rows.score) == 9
    assert (rows.score == 0).sum() == 3


def test_pooled_draws_keep_events_that_only_labels_name():
    draws = with_surprises(np.ones(6, dtype=bool)).by_pooling(n_draws=10)
    assert (draws == [3, 2]).all()


def only_cold(size, labelled, found):
    groups = (np.array([size]), np.array([labelled]), np.array([found]), np.array([found]))
    return ColdStratum(size, labelled, *groups)


def known_total(n=60, p=0.5):
    """Half of the documents labelled: a total with a width."""
    return Sampled(
        stratum=np.zeros(n, dtype=int), pi=np.full(n, 0.5), labelled=np.arange(n) % 2 == 0, document=np.arange(n),
        score=np.full(n, p), low=np.arange(n) % 4 / 3 > 0.5, high=np.arange(n) % 4 / 3 > 0.5,
        members=csr_array(np.ones((n, 1))),
    )  # fmt: skip


def test_a_cold_stratum_that_was_read_in_full_costs_nothing():
    sampled = known_total()
    with_cold, without = anchored_counts(sampled, only_cold(30, 30, 2)), anchored_counts(sampled, no_cold(1))
    assert [with_cold.lower[0], with_cold.upper[0]] == pytest.approx([without.lower[0] + 2, without.upper[0] + 2])


def test_a_cold_stratum_that_nobody_read_may_hold_anything():
    without = anchored_counts(known_total(), no_cold(1))
    counts = anchored_counts(known_total(), only_cold(30, 0, 0))
    assert [counts.lower[0], counts.upper[0]] == pytest.approx([without.lower[0], without.upper[0] + 30])


@given(st.integers(0, 10**6), st.integers(2, 60))
def test_entry_budgets_are_those_at_which_the_draw_first_holds_a_document(seed, budget):
    rng = np.random.default_rng(seed)
    stratum, spread, number = rng.integers(0, 3, 60), rng.random(60), rng.random(60)
    entry = entry_budgets(stratum, spread, number, budget=budget)
    for step in budget_steps(budget)[:: max(1, budget // 5)]:
        drawn = draw(stratum, spread, number, budget=step).drawn
        assert ((entry > 0) & (entry <= step) == drawn).all()


@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(0, 40))
def test_an_extended_draw_holds_the_earlier_one_whatever_was_added(seed, budget, added):
    rng = np.random.default_rng(seed)
    stratum, spread, number = rng.integers(0, 3, 60 + added), rng.random(60 + added), rng.random(60 + added)
    old = draw(stratum[:60], spread[:60], number[:60], budget=budget)
    cold = old.drawn & (old.stratum == 2)
    limit = number[:60][cold].max() if cold.any() else -1.0
    earlier = Earlier(np.where(stratum == 2, 0, np.r_[old.pi, np.zeros(added)]), limit)
    new = draw(stratum, spread, number, budget=budget, earlier=earlier)
    assert new.drawn[:60][old.drawn].all()
    assert (new.drawn <= (new.pi > 0)).all()


def test_joint_draws_agree_with_the_estimates():
    archive = simulated()
    sampled, cold = sampled_from(archive, np.random.default_rng(0).random(2000), 300)
    rows = LabelledRows(
        sampled, np.zeros(1200, dtype=bool), archive.country[archive.stratum != 2],
        archive.quarter[archive.stratum != 2], np.arange(1200), cold, (5, 8),
    )  # fmt: skip
    cells = np.arange(40)
    wide_of_cell = csr_array((np.ones(120), (np.tile(cells, 3), np.r_[0 * cells, 1 + cells // 8, 6 + cells % 8])))
    pooled = rows.by_pooling(n_draws=2000)
    draws, counts = rows.joint(pooled, wide_of_cell), rows.by_design()
    assert draws.shape == (2000, 14)
    hidden = draws[:, 0].mean() - counts.estimate[0]
    assert abs(hidden) < 0.1 * counts.estimate[0]
    assert draws[:, 0].std() == pytest.approx(counts.error[0], rel=0.25)
    assert np.corrcoef(draws[:, 0], draws[:, 1:6].sum(axis=1))[0, 1] > 0.97


def test_by_design_is_unmoved_by_rows_that_are_no_surprises():
    archive = simulated()
    sampled, cold = sampled_from(archive, np.random.default_rng(0).random(2000), 300)
    rows = LabelledRows(
        sampled, np.zeros(1200, dtype=bool), np.zeros(1200, dtype=int), np.zeros(1200, dtype=int), np.arange(1200),
        cold, (1, 1),
    )  # fmt: skip
    repaired = replace(rows.repaired())
    assert rows.by_design().estimate == pytest.approx(anchored_counts(repaired, cold).estimate)
