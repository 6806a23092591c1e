import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.calibration import calibration_error, calibration_test, synthetic_pairs
from calib_core.calibration.binning import adaptive_cuts
from calib_core.calibration.null_moments import null_moments
from tests.calib_core.calibration.pairs import pairs


def test_null_moments_agree_with_a_large_simulation() -> None:
    rng = np.random.default_rng(0)
    pred = np.sort(rng.beta(0.3, 1.0, 60))
    cuts = adaptive_cuts(pred, bin_size=20)
    labels = rng.random((400_000, 60)) < pred
    gaps = (pred - labels).reshape(-1, 3, 20).mean(axis=2)
    simulated = (gaps**2).mean(axis=1)
    mean, variance, third = null_moments(pred, cuts)
    assert mean == pytest.approx(simulated.mean(), rel=0.01)
    assert variance == pytest.approx(simulated.var(), rel=0.03)
    assert third == pytest.approx(((simulated - simulated.mean()) ** 3).mean(), rel=0.15)


def test_one_bin_by_hand() -> None:
    """100 rows at 0.5 with 60 positives: 2 standard deviations off, so a normal's two-sided tail, about 0.0455."""
    found = calibration_test(np.full(100, 0.5), np.arange(100) < 60)
    assert found.error == pytest.approx(0.1)
    assert found.null_error == pytest.approx(0.05)
    assert found.p_value == pytest.approx(0.0455, abs=0.003)


def test_a_miscalibrated_model_is_found_out_and_a_perfect_one_is_not() -> None:
    assert calibration_test(*synthetic_pairs(100_000, k=0.02, seed=1)).p_value < 1e-6
    assert calibration_test(*synthetic_pairs(100_000, k=0.0, seed=1)).p_value > 0.05


@given(pairs(), st.integers(1, 20))
def test_result_is_well_formed_for_any_input(rows: tuple, bin_size: int) -> None:
    found = calibration_test(*rows, bin_size=bin_size)
    assert 0 <= found.p_value <= 1
    assert 0 <= found.null_error <= max(found.null_error_95, found.null_error)


def test_certain_predictions_are_refuted_by_one_wrong_label() -> None:
    assert calibration_test([0.0, 1.0, 1.0], [0, 1, 1]).p_value == 1
    assert calibration_test([0.0, 1.0, 1.0], [0, 1, 0]).p_value == 0


def test_a_bin_of_millions_of_equal_predictions_does_not_overflow() -> None:
    """Half a standard deviation off, in one bin of 2²² rows: a normal's two-sided tail of 0.5, 0.617."""
    found = calibration_test(np.full(2**22, 0.5), np.arange(2**22) < 2**21 + 512)
    assert found.p_value == pytest.approx(0.617, abs=0.01)


def test_one_fair_coin_tells_nothing() -> None:
    assert calibration_test([0.5], [1]).p_value == 1
    assert calibration_test([0.5], [1]).null_error == 0.5
    assert calibration_test([0.5, 0.5], [1, 1]).p_value > 0.05


def test_without_ties_the_error_is_the_papers() -> None:
    pred, label = synthetic_pairs(5000, seed=4)
    assert calibration_test(pred, label, bin_size=500).error == calibration_error(pred, label, bin_size=500)


def test_grouped_test_sees_no_more_than_two_documents_can_tell() -> None:
    """Two documents of equal rows are two observations: signs agree or not, so p is about a half or about one."""
    pred, label, groups = np.full(100, 0.5), np.repeat([1, 0], 50), np.repeat(["a", "b"], 50)
    assert calibration_test(pred, label, groups=groups, n_samples=1000).p_value == 1
    assert calibration_test(pred, np.ones(100), groups=groups, n_samples=1000).p_value == pytest.approx(0.5, abs=0.06)


def test_grouped_test_repeats_with_its_seed() -> None:
    pred, label = synthetic_pairs(2000, seed=1)
    calls = [
        calibration_test(pred, label, groups=np.arange(2000) // 20, n_samples=200, seed=seed) for seed in (7, 7, 8)
    ]
    assert calls[0] == calls[1] != calls[2]


def test_groups_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match=r"groups must have one entry per row; got shape \(1,\) for 2 rows"):
        calibration_test([0.5, 0.5], [0, 1], groups=[1])
