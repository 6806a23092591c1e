import numpy as np
import pytest

from calib_core.calibration import (
    bin_size_sweep,
    calibration_error,
    debiased_calibration_error,
    recommended_bin_size,
    synthetic_pairs,
    true_calibration_error,
)
from tests.calib_core.calibration.pairs import random_pairs


def test_columns_are_the_functions_of_the_same_name() -> None:
    pred, label = random_pairs(2000)
    sweep = bin_size_sweep(pred, label, bin_sizes=[100, 500])
    assert sweep.n_bins.tolist() == [20, 4]
    for size, error, debiased in zip(sweep.bin_size.tolist(), sweep.error, sweep.debiased, strict=True):
        assert error == pytest.approx(calibration_error(pred, label, bin_size=size))
        assert debiased == pytest.approx(debiased_calibration_error(pred, label, bin_size=size))


def test_leave_one_out_loss_agrees_with_leaving_one_out() -> None:
    pred, label = random_pairs(60)
    order = np.argsort(pred)
    residual = (label - pred)[order].reshape(6, 10)
    others = (residual.sum(axis=1, keepdims=True) - residual) / 9
    sweep = bin_size_sweep(pred, label, bin_sizes=[10])
    assert sweep.cv_loss[0] == pytest.approx(((residual - others) ** 2).mean())


def test_a_perfect_model_supports_no_structure_and_shows_only_noise() -> None:
    pred, label = synthetic_pairs(50_000, k=0.0, seed=0)
    sweep = bin_size_sweep(pred, label)
    assert sweep.best >= 5000
    assert sweep.error == pytest.approx(sweep.noise, rel=0.6, abs=2e-3)
    assert (sweep.debiased <= sweep.error).all()


def test_debiased_error_is_right_over_a_wide_range_where_the_plain_one_is_not() -> None:
    pred, label = synthetic_pairs(50_000, k=0.05, seed=0)
    truth = true_calibration_error(k=0.05)
    sweep = bin_size_sweep(pred, label, bin_sizes=[200, 500, 1000, 2500])
    assert sweep.debiased == pytest.approx(truth, rel=0.08)
    assert sweep.error[0] > 1.1 * truth


def test_default_sizes_double_and_end_with_one_bin() -> None:
    assert bin_size_sweep(*random_pairs(2000)).bin_size.tolist() == [200, 400, 800, 2000]


@pytest.mark.parametrize(("n", "size"), [(50, 200), (20_000, 200), (100_000, 1000), (4_300_000, 5000)])
def test_recommended_bin_size(n: int, size: int) -> None:
    assert recommended_bin_size(n) == size


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ([], "at least one size"),
        ([1, 50], "bin_sizes must be at least 2; got 1"),
        ([2.7], "bin_sizes must be a whole number; got"),
        ([np.nan], "bin_sizes must be a whole number; got"),
    ],
)
def test_bad_sizes_are_refused(sizes: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bin_size_sweep([0.5, 0.6], [0, 1], bin_sizes=sizes)


def test_one_row_cannot_be_swept() -> None:
    with pytest.raises(ValueError, match="at least 2 rows; got 1"):
        bin_size_sweep([0.5], [1])
