import numpy as np
import pytest

from calib_core.calibration import true_calibration_error
from reproductions.synthetic.experiment import bin_size_study, expected_score, sample_size_study
from reproductions.synthetic.page import Study, page


def test_perfect_predictions_are_expected_to_score_their_variance_over_the_bin_size() -> None:
    """E[q(1 - q)] of Beta(a, b) is ab / ((a + b)(a + b + 1))."""
    assert expected_score(100_000, 100, k=0.0, a=2.0, b=5.0) == pytest.approx(10 / 56 / 100, rel=1e-4)
    assert expected_score(100_000, 2, k=0.0, a=2.0, b=5.0) == pytest.approx(10 / 56 / 2, rel=1e-4)


def test_narrow_bins_are_expected_to_show_the_true_error_and_the_noise() -> None:
    true = true_calibration_error(a=2.0, b=5.0, k=0.1) ** 2
    found = expected_score(10**8, 50_000, k=0.1, a=2.0, b=5.0)
    assert found == pytest.approx(true, rel=0.01)


def test_one_bin_averages_both_sides_of_a_symmetric_predictor_away() -> None:
    assert expected_score(1000, 1000, k=0.1, a=1.0, b=1.0) < 0.001


@pytest.mark.parametrize("k", [0.0, 0.1])
def test_mean_scores_agree_with_theory(k: float) -> None:
    study = bin_size_study(np.array([500, 1000, 30_000]), 20, 0, k=k, shape=(0.5, 0.5))
    assert study.off < 3


def test_doubling_never_raises_the_score() -> None:
    assert bin_size_study(2 ** np.arange(1, 12), 2, 0, k=0.1, shape=(2.0, 5.0)).n_rises == 0


@pytest.mark.slow
def test_page_judges_each_claim() -> None:
    sizes, samples, shape = np.array([1000, 2000, 30_000]), np.array([10_000, 50_000, 1_000_000]), (0.2, 0.6)
    small: dict[str, Study] = {}
    for name, k in (("perfect", 0.0), ("uncalibrated", 0.1)):
        small[f"doubled, {name}"] = small[f"spaced, {name}"] = bin_size_study(sizes, 3, 0, k=k, shape=shape)
        small[f"samples, {name}"] = sample_size_study(samples, 2, 0, k=k, shape=shape)
    found = page(small, [], ((1.0, 1.0),), true_calibration_error(k=0.1) ** 2)
    assert len(found.claims) == 6
    assert found.claims[4].holds == "yes"


def test_a_rise_is_counted_once() -> None:
    study = Study(np.array([1, 2, 3]), np.array([[3.0, 1.0, 2.0]]), np.ones(3))
    assert (study.n_rises, study.share_of_rises, study.retraced) == (1, 0.5, 1.0)
