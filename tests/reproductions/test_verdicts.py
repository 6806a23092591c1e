import numpy as np
import pytest

from calib_core.calibration import Estimate
from reproductions.resampling import Drawn, combined, difference, draw_times, ratio, root_mean, share, squared_error
from reproductions.verdicts import Test


@pytest.mark.parametrize(
    ("lo", "hi", "verdict"), [(0.4, 0.6, "yes"), (0.4, 0.7, "open"), (0.1, 0.3, "no"), (0.7, 0.9, "no"), (0, 1, "open")]
)
def test_the_interval_decides(lo: float, hi: float, verdict: str) -> None:
    claim = Test("A is half of B.", "A / B", 0.4, 0.6).judged(Estimate((lo + hi) / 2, lo, hi))
    assert claim.holds == verdict
    assert claim.test == "A / B: 0.4 to 0.6"


def test_region_with_one_end_is_told_in_words() -> None:
    assert Test("", "", high=1.0).region == "below 1"
    assert Test("", "", low=-0.5).region == "above -0.5"


def test_what_the_data_do_not_say_is_not_testable() -> None:
    claim = Test("A beats B.", "A - B", low=0.0).untestable("There is no B.")
    assert (claim.holds, claim.estimate) == ("untestable", None)


def test_an_interval_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="the interval of 'A' is nan to 1"):
        Test("", "A", low=0.0).judged(Estimate(0.5, float("nan"), 1.0))


def test_functions_of_draws_by_hand() -> None:
    one, two = Drawn(0.04, np.array([0.09, -0.01])), Drawn(0.01, np.array([0.01, 0.04]))
    assert root_mean([one]).draws.tolist() == [0.3, 0.0]
    assert ratio(root_mean([one]), root_mean([two])).value == pytest.approx(2)
    assert difference(one, two).draws == pytest.approx([0.08, -0.05])
    assert combined(np.maximum, one, two).draws.tolist() == [0.09, 0.04]
    assert ratio(one, Drawn(0.0, np.array([0.0, 0.0]))).draws.tolist() == [np.inf, 1.0]


def test_squared_error_is_the_true_one_on_average_and_its_interval_covers() -> None:
    rng, true, covered, values = np.random.default_rng(0), 0.1**2, 0, []
    for repeat in range(100):
        document = np.repeat(np.arange(60), 50)
        pred = rng.uniform(0.2, 0.8, 3000)
        label = rng.random(3000) < pred + 0.1
        found = squared_error(pred, label, document, draw_times(60, n_draws=400, seed=repeat), n_bins=10)
        interval = found.estimate()
        covered += interval.lo <= true <= interval.hi
        values.append(found.value)
    assert np.mean(values) == pytest.approx(true, abs=4e-4)
    assert covered >= 88


def test_documents_without_rows_are_allowed() -> None:
    times = draw_times(4, n_draws=50, seed=1)
    found = squared_error([0.2, 0.4, 0.6, 0.8], [0, 0, 1, 1], [0, 0, 3, 3], times, n_bins=2)
    assert np.isfinite(found.draws).all()


def test_a_share_has_its_wilson_interval() -> None:
    assert share(0, 0).hi == 1.0
    found = share(5, 20)
    assert (found.value, found.lo, found.hi) == pytest.approx((0.25, 0.1119, 0.4687), abs=1e-4)
