"""Rows of stated probabilities and answers."""

import numpy as np
import pytest

from calib_core.calibration import calibration_test
from calib_core.coref import Antecedents
from calib_core.coref.metrics.posterior_rows import (
    antecedent_rows,
    chain_counts,
    new_rows,
    pair_rows,
    sampled_pair_rows,
)
from calib_core.coref.model.held_out import HeldOut
from tests.calib_core.coref.synthetic import drawn_documents


def two_mentions(entities: list[int]) -> HeldOut:
    antecedents = Antecedents(np.array([0, 1, 3]), np.array([-1, 0, -1]), np.array([0.0, np.log(3.0), 0.0]))
    return HeldOut(antecedents, np.zeros(2, dtype=np.int64), np.array(entities))


def test_rows_by_hand() -> None:
    together, apart = two_mentions([7, 7]), two_mentions([7, -1])
    assert pair_rows(together).pred == pytest.approx([0.75])
    assert pair_rows(together).label.tolist() == [1.0]
    assert pair_rows(apart).label.tolist() == [0.0]
    assert new_rows(together).pred == pytest.approx([1.0, 0.25])
    assert new_rows(together).label.tolist() == [1.0, 0.0]
    assert antecedent_rows(together, key=1).label.tolist() == [1.0]
    assert antecedent_rows(apart, key=1).label.tolist() == [0.0]


def test_mentions_outside_every_entity_are_not_coreferent() -> None:
    assert pair_rows(two_mentions([-1, -1])).label.tolist() == [0.0]


def test_sampled_pairs_come_near_the_exact_ones() -> None:
    document = drawn_documents(1, n_mentions=12, seed=5)[0]
    sampled = sampled_pair_rows(document, 20_000, key=9)
    np.testing.assert_allclose(sampled.pred, pair_rows(document).pred, atol=0.02)


def test_chain_counts_by_hand() -> None:
    counts, true = chain_counts(two_mentions([7, 7]), 4000, key=3)
    assert true == 1
    assert counts.mean() == pytest.approx(0.75, abs=0.03)
    assert chain_counts(two_mentions([7, -1]), 10, key=3)[1] == 0


@pytest.mark.parametrize("rows", ["pairs", "new", "antecedents"])
def test_a_right_model_is_found_calibrated(rows: str) -> None:
    """Gold entities drawn from the model itself: no row may show more error than chance."""
    documents = drawn_documents(150, n_mentions=20, seed=11)
    take = {
        "pairs": pair_rows,
        "new": new_rows,
        "antecedents": lambda document: antecedent_rows(document, key=int(document.entities.sum()) + 1),
    }[rows]
    found = [take(document) for document in documents]
    groups = np.repeat(np.arange(len(found)), [len(one.pred) for one in found])
    pred, label = (np.concatenate([getattr(one, name) for one in found]) for name in ("pred", "label"))
    assert calibration_test(pred, label, bin_size=300, groups=groups, n_samples=500).p_value > 0.005
