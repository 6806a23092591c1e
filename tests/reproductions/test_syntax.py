"""Figures of the experiment on sampled trees, on pairs made up by hand."""

import numpy as np
import pytest

from reproductions.syntax.agents import (
    N_SAMPLES,
    AgentPairs,
    as_probabilities,
    coverage,
    losses,
    redrawn,
    smoothed,
)
from reproductions.syntax.experiment import findings, gain
from reproductions.syntax.recomputed import Recomputed


def pairs(p: list[float], best: list[float], label: list[float], block: list[int]) -> AgentPairs:
    """Pairs whose blocks have the expected count in every sample."""
    blocks = np.array(block)
    totals = np.tile(np.bincount(blocks, p).round().astype(np.int64)[:, np.newaxis], (1, N_SAMPLES))
    arcs = np.linspace(0, 1, 4000)
    gold = (np.arange(4000) % 4000 < arcs * 4000).astype(np.float64)
    return AgentPairs(np.array(p), np.array(best), np.array(label), blocks, totals, arcs, gold)


def test_the_best_tree_is_worth_what_it_was_worth_elsewhere() -> None:
    dev = pairs([1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1])
    assert as_probabilities(pairs([0, 1], [0, 1], [0, 1], [0, 0]), dev).tolist() == [0.0, 0.5]


def test_loss_is_finite_where_all_samples_agree_and_are_wrong() -> None:
    wrong = pairs([0.0, 1.0], [0, 1], [1, 0], [0, 0])
    assert losses(smoothed(wrong), wrong.label) == pytest.approx(np.log(2 * N_SAMPLES + 2))


def test_a_ratio_that_is_the_same_in_every_block_has_no_width() -> None:
    found = redrawn(np.array([1.0, 1.0, 2.0]), np.array([2.0, 2.0, 4.0]), np.array([0, 1, 2]), seed=0)
    assert (found.value, found.lo, found.hi) == (0.5, 0.5, 0.5)


def test_intervals_of_blocks_hold_the_truth_or_not() -> None:
    found = coverage(pairs([1.0, 1.0, 1.0], [1, 0, 1], [1, 1, 0], [0, 1, 2]))
    assert found == (pytest.approx(2 / 3), 0.0, pytest.approx(1 / 3))


def test_hesitant_samples_beat_a_tree_that_is_wrong_half_the_time() -> None:
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 400).astype(np.float64)
    p = np.where(label == 1, 0.8, 0.2)
    best = rng.integers(0, 2, 400).astype(np.float64)
    judged = pairs(p.tolist(), best.tolist(), label.tolist(), (np.arange(400) // 10).tolist())
    assert gain(judged, judged, seed=0).lo > 0
    page = findings(judged, {"here": judged}, Recomputed(3, 20, 1.0, 1.1, 1.2, 0.05, 0.04), seed=0)
    assert [claim.holds for claim in page.claims] == ["yes"]
    assert {row.table for row in page.rows} >= {"Agents of verbs, here"}
