import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from calib_core.calibration import label_interval, reliability_curve
from tests.calib_core.calibration.pairs import pairs


def test_papers_normal_interval_by_hand() -> None:
    lo, hi = label_interval([0.2], [100], method="normal")
    assert (lo[0], hi[0]) == (pytest.approx(0.2 - 1.96 * 0.04), pytest.approx(0.2 + 1.96 * 0.04))


@pytest.mark.parametrize(("positives", "n"), [(0, 5000), (1, 10), (7, 20), (20, 20)])
def test_wilson_agrees_with_scipy(positives: int, n: int) -> None:
    theirs = binomtest(positives, n).proportion_ci(method="wilson")
    lo, hi = label_interval([positives / n], [n], z=1.959963984540054)
    assert (lo[0], hi[0]) == (pytest.approx(theirs.low, abs=1e-9), pytest.approx(theirs.high, abs=1e-9))


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_wilson_never_collapses_nor_leaves_the_unit_interval(n: int, share: float) -> None:
    p = round(share * n) / n
    lo, hi = label_interval([p], [n])
    assert 0 <= lo[0] <= p <= hi[0] <= 1
    assert hi[0] > lo[0]


def test_normal_collapses_where_all_labels_agree() -> None:
    lo, hi = label_interval([0.0, 1.0], [50, 50], method="normal")
    assert lo.tolist() == hi.tolist() == [0.0, 1.0]


@given(pairs(), st.integers(1, 20))
def test_curve_brackets_each_frequency(rows: tuple, bin_size: int) -> None:
    curve = reliability_curve(*rows, bin_size=bin_size)
    assert (curve.label_lo <= curve.mean_label + 1e-12).all()
    assert (curve.mean_label <= curve.label_hi + 1e-12).all()
    assert (np.diff(curve.mean_pred) >= 0).all()


@pytest.mark.parametrize(
    ("p", "n", "message"),
    [(0.5, 0, "size must be positive; got 0.0"), (1.5, 10, r"mean_label must be numbers in \[0, 1\]; got 1.5")],
)
def test_impossible_frequencies_are_refused(p: float, n: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        label_interval([p], [n])


def test_unknown_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="interval method must be 'wilson' or 'normal'; got 'exact'"):
        reliability_curve([0.5], [1], interval="exact")  # type: ignore[arg-type]
