"""Losses of held-out documents."""

import numpy as np
import pytest

from calib_core.coref import Antecedents
from calib_core.coref.model.held_out import HeldOut, antecedent_loss, antecedent_slope, correct_entries, pair_loss
from tests.calib_core.coref.synthetic import drawn_documents


def three_mentions(entities: list[int]) -> HeldOut:
    """Mention 1 may follow 0, mention 2 may follow 0 or 1; all with even odds."""
    antecedents = Antecedents(np.array([0, 1, 3, 6]), np.array([-1, 0, -1, 0, 1, -1]), np.zeros(6))
    return HeldOut(antecedents, np.zeros(3, dtype=np.int64), np.array(entities))


def test_right_entries_are_coreferent_ones_or_new_where_there_is_none() -> None:
    document = three_mentions([5, -1, 5])
    right = correct_entries(document.antecedents, document.entities)
    assert right.tolist() == [True, False, True, True, False, False]


def test_antecedent_loss_by_hand() -> None:
    """Mention 0 is NEW for certain, 1 is NEW with 1/2, 2 follows 0 with 1/3."""
    assert antecedent_loss(three_mentions([5, -1, 5])) == pytest.approx(np.log(2) + np.log(3))


def test_pair_loss_by_hand() -> None:
    """P(0~1) = 1/2; P(0~2) = P(1~2) = 1/3 + 1/3 · 1/2 = 1/2; so each of three pairs costs log 2."""
    assert pair_loss(three_mentions([5, -1, 5])) == pytest.approx(3 * np.log(2))


def test_slope_is_the_derivative_of_the_loss() -> None:
    document = drawn_documents(1, n_mentions=8, seed=3)[0]
    offsets, logits = document.antecedents.offsets, document.antecedents.logits
    right = correct_entries(document.antecedents, document.entities)
    slope, ignored = np.empty(len(logits)), np.empty(len(logits))
    antecedent_slope(offsets, logits, right, slope)
    for entry in range(len(logits)):
        step = np.zeros(len(logits))
        step[entry] = 1e-6
        up, down = (antecedent_slope(offsets, logits + s, right, ignored) for s in (step, -step))
        assert slope[entry] == pytest.approx((up - down) / 2e-6, abs=1e-6)


def test_arrays_of_other_mentions_are_refused() -> None:
    document = three_mentions([1, 1, 1])
    with pytest.raises(ValueError, match="3 mentions have"):
        HeldOut(document.antecedents, document.kinds, np.array([1]))
