"""Shortlists keep the most probable candidates and lose nothing else."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.coref import Antecedents, antecedent_probabilities
from calib_core.coref.model.held_out import correct_entries
from calib_core.coref.model.shortlist import shortlist

Draw = Callable[..., Antecedents]


def test_the_two_largest_logits_are_kept_in_document_order() -> None:
    logits = np.array([0.0, 1.0, 0.0, 3.0, 2.0, 1.0, 0.0])
    found = shortlist(Antecedents(np.array([0, 1, 3, 7]), np.array([-1, 0, -1, 0, 1, 2, -1]), logits), 2)
    np.testing.assert_array_equal(found.candidates, [[-1, -1], [0, -1], [0, 1]])
    np.testing.assert_allclose(np.exp(found.logits()[2]), np.exp([3, 2, 0]) / np.exp([3, 2, 0]).sum())


def test_of_equal_candidates_the_nearest_is_kept() -> None:
    antecedents = Antecedents(np.array([0, 4]), np.array([0, 1, 2, -1]), np.zeros(4))
    np.testing.assert_array_equal(shortlist(antecedents, 2).candidates, [[1, 2]])


@given(n=st.integers(1, 12), keep=st.integers(1, 14), seed=st.integers(0, 5))
def test_probabilities_of_what_is_kept_keep_their_ratios(n: int, keep: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    offsets = np.cumsum([0, *range(1, n + 1)])
    candidates = np.concatenate([[*range(j), -1] for j in range(n)])
    antecedents = Antecedents(offsets, candidates, rng.integers(-2, 3, len(candidates)).astype(float))
    short = shortlist(antecedents, keep)
    again = short.antecedents(short.logits())
    whole, kept = antecedent_probabilities(antecedents), antecedent_probabilities(again)
    for j in range(n):
        old = dict(zip(candidates[offsets[j] : offsets[j + 1]], whole[offsets[j] : offsets[j + 1]], strict=True))
        own = slice(again.offsets[j], again.offsets[j + 1])
        p = np.array([old[i] for i in again.candidates[own]])
        assert len(p) == min(j, keep) + 1
        np.testing.assert_allclose(kept[own], p / p.sum())
        dropped = [value for i, value in old.items() if i not in again.candidates[own]]
        assert max(dropped, default=0.0) <= p[:-1].min(initial=1.0) + 1e-12


def test_right_places_are_the_right_entries(random_antecedents: Draw) -> None:
    antecedents = random_antecedents(12)
    entities = np.array([0, 1, 0, -1, 1, 2, -1, 0, 2, 1, 0, 3])
    short = shortlist(antecedents, 4)
    kept = np.concatenate([short.candidates >= 0, np.ones((12, 1), dtype=bool)], axis=1)
    expected = correct_entries(short.antecedents(short.logits()), entities)
    np.testing.assert_array_equal(short.right(entities)[kept], expected)


def test_document_without_mentions_has_an_empty_shortlist() -> None:
    short = shortlist(Antecedents(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)), 3)
    assert len(short.antecedents(short.logits())) == 0


def test_keeping_nothing_is_refused(random_antecedents: Draw) -> None:
    with pytest.raises(ValueError, match="keep must be at least 1; got 0"):
        shortlist(random_antecedents(3), 0)


def test_logits_of_another_shape_are_refused(random_antecedents: Draw) -> None:
    with pytest.raises(ValueError, match=r"logits must have shape \(3, 3\); got \(3, 2\)"):
        shortlist(random_antecedents(3), 2).antecedents(np.zeros((3, 2)))
