import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.calibration import (
    PairSummary,
    adaptive_bins,
    calibration_error,
    calibration_error_interval,
    curve_from_bins,
    interval_from_bins,
    synthetic_pairs,
)
from tests.calib_core.calibration.pairs import pairs


@given(pairs(), st.integers(1, 30))
def test_error_stays_within_its_bound(rows: tuple, bin_size: int) -> None:
    summary = PairSummary.from_pairs(*rows)
    exact = calibration_error(*rows, bin_size=bin_size)
    assert abs(summary.error(bin_size=bin_size) - exact) <= summary.error_bound(bin_size=bin_size) + 1e-9


@given(pairs(min_size=4), st.integers(1, 3), st.randoms(use_true_random=False))
def test_any_way_of_sharing_the_rows_gives_the_same_summary(rows: tuple, cut: int, random: object) -> None:
    pred, label = rows
    order = list(range(len(pred)))
    random.shuffle(order)  # type: ignore[attr-defined]
    parts = [PairSummary.from_pairs(pred[part], label[part]) for part in (order[:cut], order[cut:])]
    assert sum(parts, start=PairSummary.empty()) == PairSummary.from_pairs(pred, label)
    assert parts[1] + parts[0] == parts[0] + parts[1]


@pytest.mark.parametrize(("a", "b", "k"), [(0.2, 0.6, 0.0), (0.2, 0.6, 0.1), (0.02, 2.0, 0.02), (2.0, 2.0, 0.05)])
def test_bound_is_small_on_many_rows(a: float, b: float, k: float) -> None:
    pred, label = synthetic_pairs(400_000, a=a, b=b, k=k, seed=1)
    shares = [PairSummary.from_pairs(pred[i::7], label[i::7]) for i in range(7)]
    summary = sum(shares, start=PairSummary.empty())
    exact = calibration_error(pred, label)
    assert summary.error_bound() < 0.02
    assert summary.error() == pytest.approx(exact, abs=min(summary.error_bound(), 2e-4))


def test_curve_and_interval_follow_the_exact_ones() -> None:
    pred, label = synthetic_pairs(200_000, k=0.05, seed=1)
    bins, exact = PairSummary.from_pairs(pred, label).bins(), adaptive_bins(pred, label)
    assert bins.size.tolist() == exact.size.tolist()
    assert bins.mean_pred == pytest.approx(exact.mean_pred, abs=2e-3)
    assert bins.mean_label == pytest.approx(exact.mean_label, abs=0.02)
    assert curve_from_bins(bins).label_lo == pytest.approx(curve_from_bins(exact).label_lo, abs=0.02)
    there, here = interval_from_bins(bins), calibration_error_interval(pred, label)
    assert (there.lo, there.hi) == pytest.approx((here.lo, here.hi), abs=1e-3)


def test_few_distinct_predictions_are_kept_exactly() -> None:
    pred, label = np.repeat([0.0, 0.3, 0.5, 1.0], 25), np.arange(100) % 3 == 0
    summary = PairSummary.from_pairs(pred, label)
    assert summary.error(bin_size=10) == pytest.approx(calibration_error(pred, label, bin_size=10), abs=1e-9)
    assert summary.error_bound(bin_size=10) < 1e-9


def test_size_does_not_grow_with_the_rows() -> None:
    small, large = (PairSummary.from_pairs(*synthetic_pairs(n)) for n in (10, 100_000))
    assert small.size.nbytes == large.size.nbytes < 1_000_000


@pytest.mark.parametrize("bin_size", [3, 7, 10])
def test_all_positive_cells_stay_all_positive(bin_size: int) -> None:
    bins = PairSummary.from_pairs(np.full(22, 0.3), np.ones(22)).bins(bin_size=bin_size)
    assert (bins.mean_label <= 1).all()
    assert bins.mean_label == pytest.approx(1)
    assert curve_from_bins(bins, interval="normal").label_lo == pytest.approx(1, abs=1e-7)


def test_sum_needs_no_start() -> None:
    parts = [PairSummary.from_pairs([q], [1]) for q in (0.2, 0.7)]
    assert sum(parts) == parts[0] + parts[1]


def test_more_rows_than_a_cell_can_hold_are_refused_before_they_overflow() -> None:
    summary = PairSummary.from_pairs([1.0], [1])
    for _ in range(32):
        summary = summary + summary
    assert summary.error(bin_size=2**31) == 0
    with pytest.raises(ValueError, match="at most 8,589,934,591 rows in one cell"):
        summary + summary


def test_empty_summary_has_no_error() -> None:
    with pytest.raises(ValueError, match="at least one row; got 0"):
        PairSummary.empty().error()
