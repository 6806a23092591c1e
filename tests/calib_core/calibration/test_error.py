import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.calibration import (
    adaptive_bins,
    binned_error,
    calibration_error,
    calibration_error_interval,
    calibration_mse,
    debiased_calibration_error,
    debiased_error_interval,
    synthetic_pairs,
)
from calib_core.calibration.debiased import debiased_mse, score_interval
from tests.calib_core.calibration.pairs import pairs, random_pairs


def test_hand_worked_error() -> None:
    # bins (0.1, 0.3) and (0.8, 1.0): mean predictions 0.2 and 0.9, frequencies 0.5 and 1.0
    assert calibration_error([0.1, 0.3, 0.8, 1.0], [0, 1, 1, 1], bin_size=2) == pytest.approx(np.sqrt(0.05))
    assert calibration_mse([0.1, 0.3, 0.8, 1.0], [0, 1, 1, 1], bin_size=2) == pytest.approx(0.05)


def test_norms_by_hand() -> None:
    bins = adaptive_bins([0.1, 0.3, 0.8, 1.0], [0, 1, 1, 1], bin_size=2)
    assert binned_error(bins, norm="l1") == pytest.approx((0.3 + 0.1) / 2)
    assert binned_error(bins, norm="max") == pytest.approx(0.3)
    with pytest.raises(ValueError, match="norm must be 'l1', 'l2' or 'max'; got 'l3'"):
        binned_error(bins, norm="l3")  # type: ignore[arg-type]


@given(pairs())
def test_certain_predictions_have_no_error_when_right_and_the_largest_when_wrong(rows: tuple) -> None:
    _, label = rows
    assert calibration_error(label.astype(float), label, bin_size=1) == 0
    assert calibration_error(1.0 - label, label, bin_size=1) == pytest.approx(1)


@given(pairs(), st.integers(1, 20))
def test_error_of_the_complement_is_the_same(rows: tuple, bin_size: int) -> None:
    whole_bins = len(rows[0]) // bin_size * bin_size or len(rows[0])  # cuts are then the same from either end
    pred, label = np.round(rows[0][:whole_bins], 3), rows[1][:whole_bins]  # 1 - pred loses no digit
    there = calibration_error(pred, label, bin_size=bin_size)
    assert calibration_error(1 - pred, ~label, bin_size=bin_size) == pytest.approx(there, abs=1e-9)


def test_doubling_the_bin_size_never_raises_the_error() -> None:
    """Jensen's inequality: section 4.3.2 of the thesis."""
    pred, label = synthetic_pairs(2**12, k=0.1, seed=1)
    errors = [calibration_mse(pred, label, bin_size=2**power) for power in range(1, 13)]
    assert (np.diff(errors) <= 1e-15).all()


def test_algorithm_2_by_hand() -> None:
    """One bin: the sampled errors are |N(0.5, 0.25 / n) - 0.3| and have known mean and deviation."""
    n = 10_000
    interval = calibration_error_interval(np.full(n, 0.3), np.arange(n) % 2, n_samples=100_000, bin_size=n)
    sd = 0.5 / np.sqrt(n)
    assert interval.value == pytest.approx(0.2)
    assert (interval.lo + interval.hi) / 2 == pytest.approx(0.2, abs=5 * sd / np.sqrt(100_000))
    assert interval.hi - interval.lo == pytest.approx(2 * 1.96 * sd, rel=0.02)


def test_algorithm_2_agrees_with_a_plain_loop() -> None:
    pred, label = random_pairs(3000)
    interval = calibration_error_interval(pred, label, bin_size=300, n_samples=4000, seed=3)
    bins, rng = adaptive_bins(pred, label, bin_size=300), np.random.default_rng(99)
    errors = []
    for _ in range(4000):
        sd = np.sqrt(bins.mean_label * (1 - bins.mean_label) / bins.size)
        drawn = np.minimum(1, np.maximum(0, rng.normal(bins.mean_label, sd)))
        errors.append(np.sqrt((bins.size * (bins.mean_pred - drawn) ** 2).sum() / bins.size.sum()))
    noise = 5 * np.std(errors) / np.sqrt(4000)
    assert interval.lo == pytest.approx(np.mean(errors) - 1.96 * np.std(errors), abs=2 * noise)
    assert interval.hi == pytest.approx(np.mean(errors) + 1.96 * np.std(errors), abs=2 * noise)


def test_squared_interval_is_that_of_the_mse() -> None:
    pred, label = random_pairs(3000)
    interval = calibration_error_interval(pred, label, bin_size=300, squared=True)
    assert interval.value == pytest.approx(calibration_mse(pred, label, bin_size=300))
    assert interval.lo < interval.hi < 0.1


def test_interval_depends_on_the_seed_alone_and_not_on_row_order() -> None:
    pred, label = random_pairs(1000)
    order = np.random.default_rng(1).permutation(1000)
    first = calibration_error_interval(pred, label, bin_size=100, seed=5, n_samples=100)
    assert calibration_error_interval(pred[order], label[order], bin_size=100, seed=5, n_samples=100) == first
    assert calibration_error_interval(pred, label, bin_size=100, seed=6, n_samples=100) != first


def test_bins_whose_labels_all_agree_have_no_width_in_algorithm_2() -> None:
    interval = calibration_error_interval([0.1] * 10 + [0.9] * 10, [0] * 10 + [1] * 10, bin_size=10)
    assert (interval.lo, interval.hi) == (pytest.approx(0.1), pytest.approx(0.1))


def test_algorithm_2_is_centred_above_a_perfect_models_estimate() -> None:
    """Why the debiased interval exists; the fact is stated in the docstring."""
    pred, label = synthetic_pairs(100_000, seed=2)
    interval = calibration_error_interval(pred, label, bin_size=1000, n_samples=1000)
    assert interval.lo > interval.value


def test_debiased_error_by_hand() -> None:
    # one bin of 4 rows: gap 0.75 - 0.5, variance of the frequency 0.25 / 3
    pred, label = [0.7, 0.8, 0.7, 0.8], [1, 0, 1, 0]
    bins = adaptive_bins(pred, label)
    assert debiased_mse(bins) == pytest.approx(0.25**2 - 0.25 / 3)
    assert debiased_calibration_error(pred, label) == 0.0
    assert debiased_calibration_error([0.1] * 4, [1, 1, 1, 0]) == pytest.approx(np.sqrt(0.65**2 - 0.1875 / 3))


def test_debiased_mse_is_unbiased() -> None:
    estimates = []
    for seed in range(2000):
        rng = np.random.default_rng(seed)
        estimates.append(debiased_mse(adaptive_bins(np.full(50, 0.4), rng.random(50) < 0.5)))
    assert np.mean(estimates) == pytest.approx(0.01, abs=5 * np.std(estimates) / np.sqrt(2000))


def test_score_interval_solves_its_quadratic() -> None:
    found = score_interval(0.04, slope=0.001, at_zero=1e-5)
    for end in (found.lo**2, found.hi**2):
        assert (0.04 - end) ** 2 == pytest.approx(1.96**2 * (0.001 * end + 1e-5))
    assert found.value == pytest.approx(0.2)


@given(pairs(min_size=4), st.integers(2, 10))
def test_debiasing_never_raises_the_error_and_the_interval_holds_what_is_left(rows: tuple, bin_size: int) -> None:
    found = debiased_error_interval(*rows, bin_size=bin_size)
    assert 0 <= found.lo <= found.hi <= 1
    assert found.value <= found.hi
    assert found.lo <= found.value or found.value == 0  # 0 stands for a negative estimate, which may lie outside
    assert found.value <= binned_error(adaptive_bins(*rows, bin_size=bin_size, split_ties=False))


def test_tied_predictions_are_not_debiased_twice() -> None:
    """A constant forecaster of 0.5 that is right half of the time has no error, in one bin or in many."""
    label = np.random.default_rng(0).random(10_000) < 0.5
    once = debiased_mse(adaptive_bins(np.full(10_000, 0.5), label, split_ties=False))
    assert debiased_calibration_error(np.full(10_000, 0.5), label, bin_size=100) == np.sqrt(max(0, once))


def test_labels_that_all_agree_leave_a_width() -> None:
    """No positive among rows that expect one: the interval reaches down to 0, as the test would."""
    found = debiased_error_interval(np.linspace(0, 0.002, 1000), np.zeros(1000))
    assert found.lo == 0
    assert found.hi > 0.002


def test_interval_stays_in_the_unit_interval() -> None:
    found = debiased_error_interval([0.5, 0.2], [0, 1])
    assert (found.lo, found.hi) == (0, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: calibration_error_interval([0.5], [1], n_samples=1), "n_samples must be at least 2; got 1"),
        (lambda: debiased_calibration_error([0.5], [1]), "bins of at least 2 rows; got 1"),
        (lambda: debiased_error_interval([0.5, 0.6], [1, 0], bin_size=1), "bins of at least 2 rows; got 1"),
    ],
)
def test_bad_input(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


def test_one_class_only_is_measured() -> None:
    assert calibration_error([0.2, 0.4], [0, 0]) == pytest.approx(0.3)
    assert debiased_calibration_error([0.2, 0.4], [0, 0]) == pytest.approx(0.3)
    assert calibration_error_interval([0.2, 0.4], [0, 0]).lo == pytest.approx(0.3)
