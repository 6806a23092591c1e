"""Intervals hold the truth, and tests raise false alarms, as often as they say; simulated."""

import pytest

from benchmarks.coverage import SETTINGS, false_alarms, grouped_coverage, grouped_false_alarms, independent_coverage

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("setting", SETTINGS)
def test_debiased_interval_covers_at_95_percent(setting: tuple) -> None:
    _, debiased = independent_coverage(*setting, repeats=300)
    # 91 % is three standard errors of this simulation below 95 %; near zero error the interval covers more
    assert debiased >= 0.91


def test_algorithm_2_covers_only_where_the_error_is_far_above_the_noise() -> None:
    shares = [independent_coverage(20_000, 500, 0.2, 0.6, k, repeats=200)[0] for k in (0.0, 0.05, 0.2)]
    assert shares[0] == 0.0
    assert 0.6 < shares[1] < 0.9
    assert shares[2] > 0.9


@pytest.mark.parametrize(
    ("n", "bin_size", "a", "b"), [(20_000, 500, 0.2, 0.6), (2_000, 200, 1.0, 1.0), (50_000, 500, 0.02, 3.0)]
)
def test_null_test_raises_a_false_alarm_5_percent_of_the_time(n: int, bin_size: int, a: float, b: float) -> None:
    assert 0.025 < false_alarms(n, bin_size, a, b, repeats=1000) < 0.075


@pytest.mark.parametrize("k", [0.0, 0.05, 0.2])
def test_cluster_bootstrap_covers_where_the_independent_interval_does_not(k: float) -> None:
    alone, together = grouped_coverage(k, repeats=200)
    assert alone <= 0.9
    assert together >= 0.91


def test_grouped_null_test_keeps_its_level_where_the_plain_one_does_not() -> None:
    plain, grouped = grouped_false_alarms(repeats=300)
    assert plain >= 0.3
    assert grouped <= 0.09
