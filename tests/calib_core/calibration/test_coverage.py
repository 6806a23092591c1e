"""How often the intervals hold the truth, and the tests raise a false alarm: the figures of docs/calibration-core.md."""

import numpy as np
import pytest
from scipy.special import ndtr

from calib_core.calibration import (
    calibration_error_interval,
    calibration_test,
    cluster_bootstrap,
    debiased_error_interval,
    distort,
    synthetic_pairs,
)

pytestmark = pytest.mark.slow
REPEATS = 400


def true_binned_error(pred: np.ndarray, frequency: np.ndarray, bin_size: int) -> float:
    """What the error would be in the same bins if the true frequencies were known."""
    gap = (pred - frequency)[np.argsort(pred)].reshape(-1, bin_size).mean(axis=1)
    return float(np.sqrt((gap**2).mean()))


def documents(n_groups: int, rows: int, k: float, seed: int) -> tuple[np.ndarray, ...]:
    """Rows of one document err together (their latent noise correlates at 0.3), yet each is calibrated but for k."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_groups), rows)
    pred = rng.beta(0.2, 0.6, len(group))
    latent = np.sqrt(0.3) * rng.standard_normal(n_groups)[group] + np.sqrt(0.7) * rng.standard_normal(len(group))
    frequency = distort(pred, k)
    return pred, ndtr(latent) < frequency, group, frequency


@pytest.mark.parametrize(
    ("n", "bin_size", "a", "b", "k"),
    [
        (20_000, 500, 0.2, 0.6, 0.0),
        (20_000, 500, 0.2, 0.6, 0.05),
        (2_000, 200, 0.2, 0.6, 0.1),
        (2_000, 200, 1.0, 1.0, 0.02),
        (100_000, 5000, 0.05, 2.0, 0.01),
    ],
)
def test_debiased_interval_covers_at_95_percent(n: int, bin_size: int, a: float, b: float, k: float) -> None:
    covered = 0
    for seed in range(REPEATS):
        pred, label = synthetic_pairs(n, a=a, b=b, k=k, seed=seed)
        found = debiased_error_interval(pred, label, bin_size=bin_size)
        covered += found.lo <= true_binned_error(pred, distort(pred, k), bin_size) <= found.hi
    # 92 % is three standard errors of this simulation below 95 %; near zero error the interval may cover more
    assert covered / REPEATS >= 0.92


def test_algorithm_2_covers_only_where_the_error_is_far_above_the_noise() -> None:
    shares = {}
    for k in (0.0, 0.05, 0.2):
        covered = 0
        for seed in range(REPEATS):
            pred, label = synthetic_pairs(20_000, k=k, seed=seed)
            found = calibration_error_interval(pred, label, bin_size=500, n_samples=200)
            covered += found.lo <= true_binned_error(pred, distort(pred, k), 500) <= found.hi
        shares[k] = covered / REPEATS
    assert shares[0.0] == 0.0
    assert 0.65 < shares[0.05] < 0.9
    assert shares[0.2] > 0.9


@pytest.mark.parametrize(
    ("n", "bin_size", "a", "b"), [(20_000, 500, 0.2, 0.6), (2_000, 200, 1.0, 1.0), (50_000, 500, 0.02, 3.0)]
)
def test_null_test_raises_a_false_alarm_5_percent_of_the_time(n: int, bin_size: int, a: float, b: float) -> None:
    p_values = [
        calibration_test(*synthetic_pairs(n, a=a, b=b, seed=seed), bin_size=bin_size).p_value for seed in range(2000)
    ]
    assert 0.03 < np.mean(np.array(p_values) <= 0.05) < 0.07


@pytest.mark.parametrize("k", [0.0, 0.05, 0.2])
def test_cluster_bootstrap_covers_where_the_independent_interval_does_not(k: float) -> None:
    covered = independent = 0
    for seed in range(200):
        pred, label, group, frequency = documents(100, 200, k, seed)
        truth = true_binned_error(pred, frequency, 1000)
        found = cluster_bootstrap(pred, label, group, bin_size=1000, n_samples=300, seed=seed)
        covered += found.lo <= truth <= found.hi
        naive = debiased_error_interval(pred, label, bin_size=1000)
        independent += naive.lo <= truth <= naive.hi
    assert covered / 200 >= 0.91
    assert independent / 200 <= 0.9


def test_grouped_null_test_keeps_its_level_where_the_plain_one_does_not() -> None:
    grouped = plain = 0
    for seed in range(300):
        pred, label, group, _ = documents(100, 200, 0.0, seed)
        grouped += calibration_test(pred, label, bin_size=1000, groups=group, n_samples=300).p_value <= 0.05
        plain += calibration_test(pred, label, bin_size=1000).p_value <= 0.05
    assert grouped / 300 <= 0.09
    assert plain / 300 >= 0.3
