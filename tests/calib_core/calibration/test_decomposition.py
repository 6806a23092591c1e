import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.calibration import (
    BRIER,
    LOG,
    SPHERICAL,
    ScoringRule,
    brier_decomposition,
    brier_score,
    log_loss,
    log_loss_decomposition,
    score_decomposition,
)
from tests.calib_core.calibration.pairs import pairs, random_pairs

# y = 0 whenever x = 0, y = 1 whenever x = 1, and one of each for x = 2
OUTCOMES = np.array([0, 0, 1, 1, 0, 1])


@pytest.mark.parametrize(
    ("forecasts", "calibration", "sharpness"),
    [
        ([0, 1, 0.5], 0, 0.167),
        ([0.5, 0.5, 0.5], 0, 0),
        ([0.2, 0.8, 0.4], 0.03, 0.167),
        ([0, 0.75, 0.75], 0, 0.125),
    ],
)
def test_table_of_kuleshov_and_liang_section_2_2(forecasts: list, calibration: float, sharpness: float) -> None:
    parts = brier_decomposition(np.repeat(forecasts, 2), OUTCOMES)
    assert parts.calibration == pytest.approx(calibration, abs=5e-4)
    assert parts.sharpness == pytest.approx(sharpness, abs=5e-4)
    assert parts.uncertainty == pytest.approx(0.25)


@given(pairs(), st.one_of(st.none(), st.integers(1, 20)))
def test_parts_of_the_brier_score_add_up(rows: tuple, bin_size: int | None) -> None:
    parts = brier_decomposition(*rows, bin_size=bin_size)
    assert parts.loss == pytest.approx(brier_score(*rows))
    assert parts.calibration + parts.refinement + parts.within_bin == pytest.approx(parts.loss)
    assert parts.uncertainty - parts.sharpness + parts.calibration + parts.within_bin == pytest.approx(parts.loss)
    assert min(parts.calibration, parts.refinement, parts.sharpness + 1e-12) >= 0
    if bin_size is None:
        assert parts.within_bin == pytest.approx(0, abs=1e-12)


def test_binned_remainder_is_the_two_terms_of_stephenson() -> None:
    """Within-bin variance of predictions minus twice their covariance with the labels."""
    pred, label = random_pairs(1000)
    order = np.argsort(pred)
    q, y = pred[order].reshape(10, 100), label[order].reshape(10, 100).astype(float)
    q, y = q - q.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    parts = brier_decomposition(pred, label, bin_size=100)
    assert parts.within_bin == pytest.approx((q**2).mean() - 2 * (q * y).mean())


@given(pairs())
def test_theorem_3_4_holds_for_several_rules(rows: tuple) -> None:
    for rule in (BRIER, SPHERICAL):
        parts = score_decomposition(*rows, rule)
        assert parts.calibration <= 1e-12
        assert parts.calibration + parts.refinement == pytest.approx(parts.score)


def test_a_rule_of_ones_own() -> None:
    doubled = ScoringRule(lambda x: 2 * BRIER.if_true(x), lambda x: 2 * BRIER.if_false(x))
    pred, label = random_pairs(200)
    assert score_decomposition(pred, label, doubled).score == pytest.approx(-2 * brier_score(pred, label))


def test_log_loss_and_its_parts_by_hand() -> None:
    pred, label = [0.5, 0.5, 0.8, 0.8], [0, 1, 1, 0]
    parts = log_loss_decomposition(pred, label)
    assert log_loss(pred, label) == pytest.approx(-(2 * np.log(0.5) + np.log(0.8) + np.log(0.2)) / 4)
    assert parts.loss == pytest.approx(log_loss(pred, label))
    divergence = 0.5 * np.log(0.5 / 0.8) + 0.5 * np.log(0.5 / 0.2)
    assert parts.calibration == pytest.approx(divergence / 2)
    assert parts.refinement == pytest.approx(np.log(2))


def test_a_wrong_certainty_costs_infinitely_and_a_right_one_nothing() -> None:
    assert log_loss([0.0, 1.0], [0, 1]) == 0
    assert log_loss([1.0, 0.5], [0, 1]) == np.inf
    parts = log_loss_decomposition([1.0, 1.0, 0.0], [1, 0, 0])
    assert (parts.loss, parts.calibration, parts.within_bin) == (np.inf, np.inf, 0)
    assert score_decomposition([0.0, 1.0], [0, 1], LOG).score == 0


def test_ten_buckets_as_kuleshov_and_liang() -> None:
    parts = brier_decomposition([0.11, 0.19, 0.95, 1.0], [0, 1, 1, 1], n_buckets=10)
    assert parts.calibration == pytest.approx(((0.15 - 0.5) ** 2 + (0.975 - 1) ** 2) / 2)


@given(pairs(), st.randoms(use_true_random=False))
def test_order_of_rows_changes_no_bit(rows: tuple, random: object) -> None:
    pred, label = rows
    order = list(range(len(pred)))
    random.shuffle(order)  # type: ignore[attr-defined]
    for measure in (brier_score, log_loss, brier_decomposition):
        assert measure(pred, label) == measure(pred[order], label[order])


def test_two_binnings_at_once_are_refused() -> None:
    with pytest.raises(ValueError, match="give bin_size or n_buckets, not both; got 5 and 10"):
        brier_decomposition([0.5], [1], bin_size=5, n_buckets=10)
