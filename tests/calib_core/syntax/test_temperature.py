"""Temperatures are found again where they are known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.arrays import Ints
from calib_core.syntax import (
    Arcs,
    ArcTemperatures,
    Relations,
    arc_log_loss,
    fit_arc_temperatures,
    fit_relation_temperature,
    gold_arcs,
    relation_log_loss,
    sample_trees,
)
from tests.calib_core.syntax.trees import random_scores


def drawn(seed: int, temperatures: ArcTemperatures) -> tuple[Arcs, Ints]:
    """Scores, and a gold tree that is a sample at the given temperatures."""
    arcs = Arcs.of_matrix(random_scores(seed, 8, spread=3.0))
    return arcs, arcs.heads[sample_trees(temperatures.apply(arcs), 1, key=seed)[0]]


def test_one_temperature_worked_by_hand() -> None:
    arcs = Arcs.of_matrix(np.log(np.array([[1.0, 1, 1], [9, 1, 1], [1, 1, 1]])))
    assert np.exp(ArcTemperatures(near=2.0).apply(arcs).scores) == pytest.approx([0.75, 0.25, 0.5, 0.5])


def test_a_mixture_worked_by_hand() -> None:
    # 0.9 and 0.1 at temperature 1; 0.75 and 0.25 at temperature 2; half of each
    arcs = Arcs.of_matrix(np.log(np.array([[1.0, 1, 1], [9, 1, 1], [1, 1, 1]])))
    mixed = ArcTemperatures(near=1.0, wide=2.0, share=0.5).apply(arcs)
    assert np.exp(mixed.scores[:2]) == pytest.approx([0.825, 0.175])


@given(st.integers(0, 2**32), st.floats(0.3, 4), st.floats(0.3, 4), st.floats(0, 0.9))
def test_temperatures_keep_the_order_of_heads_and_sum_to_one(seed: int, near: float, wide: float, share: float) -> None:
    arcs = Arcs.of_matrix(random_scores(seed, 6, spread=4.0, missing=0.3))
    scores = ArcTemperatures(near, wide, share).apply(arcs).scores
    for start, end in zip(arcs.offsets[:-1], arcs.offsets[1:], strict=True):
        assert np.exp(scores[start:end]).sum() == pytest.approx(1)
        assert (np.diff(scores[start:end][np.argsort(arcs.scores[start:end])]) >= -1e-12).all()


def test_fitted_temperatures_lose_no_more_than_the_true_ones() -> None:
    true = ArcTemperatures(near=1.6, wide=3.5, share=0.1)
    sentences = [drawn(seed, true) for seed in range(400)]
    fitted = fit_arc_temperatures(sentences)
    assert arc_log_loss(sentences, fitted) <= arc_log_loss(sentences, true) + 1e-4
    assert arc_log_loss(sentences, fitted) < arc_log_loss(sentences) - 0.02


def test_the_temperature_of_relations_is_found_again() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(scale=4.0, size=(5000, 6))
    p = np.exp(scores / 1.5)
    p /= p.sum(axis=1, keepdims=True)
    labels = (rng.random((5000, 1)) > p.cumsum(axis=1)).sum(axis=1).clip(max=5)
    relations = Relations(np.arange(0, 30_001, 6), np.tile(np.arange(6), 5000), scores.ravel())
    judged = [(relations, np.arange(5000), labels)]
    assert fit_relation_temperature(judged) == pytest.approx(1.5, abs=0.06)
    assert relation_log_loss(judged, 1.5) < relation_log_loss(judged)


def test_gold_arcs_that_are_not_possible_are_marked() -> None:
    arcs = Arcs.of_matrix(np.array([[0.0, 0, 0], [0, 0, -np.inf], [0, 0, 0]]))
    assert gold_arcs(arcs, np.array([2, 1])).tolist() == [-1, 2]
    assert arc_log_loss([(arcs, np.array([2, 1]))]) == pytest.approx(-np.log(1e-6) / 2)


def test_nothing_to_fit_on_changes_nothing() -> None:
    assert fit_arc_temperatures([]) == ArcTemperatures()
    assert fit_relation_temperature([]) == 1.0


@pytest.mark.parametrize("change", [{"near": 0.0}, {"wide": -1.0}, {"share": 1.0}])
def test_what_is_no_temperature_is_refused(change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        ArcTemperatures(**change)
