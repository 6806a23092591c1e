import numpy as np
import pytest

from calib_core.calibration import (
    calibration_error,
    distort,
    synthetic_documents,
    synthetic_pairs,
    true_calibration_error,
)


def test_distortion_by_hand() -> None:
    assert distort([0.0, 0.05, 0.5, 0.51, 0.95, 1.0], 0.1) == pytest.approx([0, 0, 0.4, 0.61, 1, 1])
    assert distort([0.3, 0.8], 0.0).tolist() == [0.3, 0.8]


@pytest.mark.parametrize("k", [0.05, 0.2, 0.5])
def test_true_error_agrees_with_a_large_draw(k: float) -> None:
    pred, _ = synthetic_pairs(2_000_000, a=0.5, b=0.7, k=k, seed=1)
    drawn = np.sqrt(np.mean((pred - distort(pred, k)) ** 2))
    assert true_calibration_error(a=0.5, b=0.7, k=k) == pytest.approx(drawn, rel=0.01)


def test_estimate_approaches_the_true_error() -> None:
    pred, label = synthetic_pairs(1_000_000, k=0.1, seed=0)
    assert calibration_error(pred, label) == pytest.approx(true_calibration_error(k=0.1), rel=0.03)
    assert true_calibration_error(k=0.0) == 0


@pytest.mark.parametrize("k", [-0.1, 0.9])
def test_true_error_of_an_impossible_shift_is_refused(k: float) -> None:
    with pytest.raises(ValueError, match=rf"k must be in \[0, 0.5\]; got {k}"):
        true_calibration_error(k=k)


def test_same_seed_same_pairs() -> None:
    assert all((a == b).all() for a, b in zip(synthetic_pairs(10, seed=3), synthetic_pairs(10, seed=3), strict=True))


def test_rows_of_a_document_err_together_and_are_calibrated_one_by_one() -> None:
    pred, label, document = synthetic_documents(3000, 20, correlation=0.5, seed=0)
    residual = (label - pred).reshape(3000, 20)
    together, alone = residual.mean(axis=1).var(), residual.var() / 20
    assert document.tolist()[:21] == [0] * 20 + [1]
    assert residual.mean() == pytest.approx(0, abs=4 * np.sqrt(together / 3000))
    assert together > 3 * alone


def test_correlation_outside_the_unit_interval_is_refused() -> None:
    with pytest.raises(ValueError, match=r"correlation must be in \[0, 1\]; got 2"):
        synthetic_documents(2, 2, correlation=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n must be at least 1; got 0"),
        ({"n": 5, "k": 0.6}, r"k must be in \[0, 0.5\]; got 0.6"),
        ({"n": 5, "a": 0.0}, "a and b must be positive; got 0.0 and 0.6"),
    ],
)
def test_bad_input(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        synthetic_pairs(**options)
