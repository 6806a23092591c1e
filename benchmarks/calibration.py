"""The calibration core against numpy's argsort and other libraries, on as many pairs as in the paper."""

import warnings

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression

from benchmarks.measure import Row, at_most, peak_bytes, seconds
from calib_core.calibration import (
    IsotonicCalibration,
    PairSummary,
    calibration_error,
    calibration_error_interval,
    calibration_test,
    cluster_bootstrap,
    debiased_error_interval,
    synthetic_pairs,
)

N = 4_300_000
"""Mention pairs in the paper's coreference experiment."""


def run() -> list[Row]:
    """Time each on the same skewed pairs; the other libraries take most of the time."""
    pred, label = synthetic_pairs(N, a=0.05, b=2.0, seed=0)
    argsort = seconds(lambda: np.argsort(pred))
    ours = seconds(lambda: calibration_error_interval(pred, label))
    memory = peak_bytes(lambda: calibration_error_interval(pred, label))
    theirs, netcal = _peers(pred, label.astype(np.int64))
    documents = np.arange(N) // 10_000
    return [
        Row("np.argsort", f"{N:,} pairs: the yardstick", argsort, "s"),
        at_most("Algorithms 1 + 2, 10,000 samples", "time over np.argsort's", ours / argsort, "x", 2),
        at_most(
            "Algorithms 1 + 2, 10,000 samples", "time over uncertainty-calibration's point", ours / theirs, "x", 0.2
        ),
        at_most(
            "Algorithms 1 + 2, 10,000 samples", "peak extra memory over the input", memory / _size(pred, label), "x", 6
        ),
        _ratio("Algorithm 1 alone", lambda: calibration_error(pred, label), argsort),
        _ratio("debiased error with interval", lambda: debiased_error_interval(pred, label), argsort),
        _ratio("calibration test", lambda: calibration_test(pred, label), argsort),
        _ratio("cluster bootstrap, 430 documents", lambda: cluster_bootstrap(pred, label, documents), argsort),
        _ratio("mergeable summary of all pairs", lambda: PairSummary.from_pairs(pred, label), argsort),
        _ratio("isotonic calibration, fit", lambda: IsotonicCalibration().fit(pred, label), argsort),
        _ratio("scikit-learn isotonic, fit", lambda: IsotonicRegression().fit(pred, label), argsort),
        _ratio("scikit-learn calibration_curve", lambda: calibration_curve(label, pred, n_bins=860), argsort),
        Row("netcal ECE, 860 bins, no interval", "time over np.argsort's", netcal / argsort, "x"),
        Row("uncertainty-calibration, no interval", "time over np.argsort's", theirs / argsort, "x"),
    ]


def _size(pred: np.ndarray, label: np.ndarray) -> int:
    return pred.nbytes + label.nbytes


def _ratio(name: str, work: object, argsort: float) -> Row:
    return Row(name, "time over np.argsort's", seconds(work, repeats=2) / argsort, "x")  # type: ignore[arg-type]


def _peers(pred: np.ndarray, label: np.ndarray) -> tuple[float, float]:
    """Seconds for the point estimate of uncertainty-calibration, and for netcal's."""
    with warnings.catch_warnings():  # of deprecations of their own
        warnings.simplefilter("ignore")
        from calibration import get_calibration_error
        from netcal.metrics import ECE

        theirs = seconds(lambda: get_calibration_error(pred, label), repeats=1)
        return theirs, seconds(lambda: ECE(860).measure(pred, label), repeats=1)
