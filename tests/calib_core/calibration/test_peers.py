"""Agreement with other libraries where they define the same quantity, to 1e-9."""

import warnings

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss
from sklearn.metrics import log_loss as sklearn_log_loss

from calib_core.calibration import (
    HistogramBinning,
    adaptive_bins,
    binned_error,
    brier_score,
    calibration_error,
    debiased_calibration_error,
    equal_width_bins,
    log_loss,
    marginal_calibration_error,
    top_label_calibration_error,
)
from tests.calib_core.calibration.pairs import random_pairs

PRED, LABEL = random_pairs(6000)
CLOSE = 1e-9

with warnings.catch_warnings():  # both peers warn on import, of deprecations of their own
    warnings.simplefilter("ignore")
    import calibration as uncertainty_calibration
    from calibration.calibrators import HistogramCalibrator
    from netcal.metrics import ECE, MCE


def test_scikit_learn_curve_with_quantile_bins() -> None:
    frequency, mean = calibration_curve(LABEL, PRED, n_bins=12, strategy="quantile")
    bins = adaptive_bins(PRED, LABEL, n_bins=12)
    assert bins.mean_pred == pytest.approx(mean, abs=CLOSE)
    assert bins.mean_label == pytest.approx(frequency, abs=CLOSE)


def test_scikit_learn_curve_with_uniform_bins() -> None:
    frequency, mean = calibration_curve(LABEL, PRED, n_bins=12, strategy="uniform")
    bins = equal_width_bins(PRED, LABEL, n_bins=12)
    assert bins.mean_pred == pytest.approx(mean, abs=CLOSE)
    assert bins.mean_label == pytest.approx(frequency, abs=CLOSE)


def test_scikit_learn_scores() -> None:
    assert brier_score(PRED, LABEL) == pytest.approx(brier_score_loss(LABEL, PRED), abs=CLOSE)
    assert log_loss(PRED, LABEL) == pytest.approx(sklearn_log_loss(LABEL, PRED), abs=CLOSE)


def test_netcal_expected_and_maximum_error() -> None:
    bins = equal_width_bins(PRED, LABEL, n_bins=10)
    assert binned_error(bins, norm="l1") == pytest.approx(ECE(10).measure(PRED, LABEL.astype(int)), abs=CLOSE)
    assert binned_error(bins, norm="max") == pytest.approx(MCE(10).measure(PRED, LABEL.astype(int)), abs=CLOSE)


@pytest.mark.parametrize("n_bins", [5, 15, 40])
def test_uncertainty_calibration_plain_and_debiased_error(n_bins: int) -> None:
    theirs = uncertainty_calibration.utils.lower_bound_scaling_ce
    plain = theirs(PRED, LABEL.astype(int), debias=False, num_bins=n_bins)
    debiased = theirs(PRED, LABEL.astype(int), debias=True, num_bins=n_bins)
    assert calibration_error(PRED, LABEL, n_bins=n_bins) == pytest.approx(plain, abs=CLOSE)
    assert debiased_calibration_error(PRED, LABEL, n_bins=n_bins) == pytest.approx(debiased, abs=CLOSE)


@pytest.mark.parametrize("decimals", [1, 2])
def test_uncertainty_calibration_error_of_equal_predictions(decimals: int) -> None:
    pred = np.round(PRED, decimals)
    theirs = uncertainty_calibration.utils.lower_bound_scaling_ce(pred, LABEL.astype(int), debias=False, num_bins=10)
    bins = adaptive_bins(pred, LABEL, n_bins=10, split_ties=False)
    assert binned_error(bins) == pytest.approx(theirs, abs=CLOSE)


def tagger() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(5), 2000)
    return probs, np.array([rng.choice(5, p=row) for row in probs**1.5 / (probs**1.5).sum(axis=1, keepdims=True)])


def test_uncertainty_calibration_marginal_and_top_label_error() -> None:
    probs, gold = tagger()
    theirs = uncertainty_calibration.utils.lower_bound_scaling_ce
    marginal = theirs(probs, gold, debias=False, num_bins=10, mode="marginal")
    top = theirs(probs, gold, debias=False, num_bins=10, mode="top-label")
    assert marginal_calibration_error(probs, gold, n_bins=10) == pytest.approx(marginal, abs=CLOSE)
    assert top_label_calibration_error(probs, gold, n_bins=10) == pytest.approx(top, abs=CLOSE)


def test_uncertainty_calibration_histogram_binning() -> None:
    peer = HistogramCalibrator(len(PRED), num_bins=10)
    peer.train_calibration(PRED, LABEL.astype(int))
    new, _ = random_pairs(500, seed=9)
    assert HistogramBinning(n_bins=10).fit(PRED, LABEL).predict(new) == pytest.approx(peer.calibrate(new), abs=CLOSE)
