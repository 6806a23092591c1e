"""Recalibration methods that map predictions continuously.

Covers: isotonic regression, Platt scaling, temperature.
Not here: methods that output one value per bin (`histogram`).
"""

from collections.abc import Callable
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, log_softmax, logit, softmax
from sklearn.isotonic import IsotonicRegression
from sklearn.utils.validation import check_is_fitted

from calib_core.arrays import Bools, Floats
from calib_core.calibration.inputs import check_scores, check_tag_scores
from calib_core.calibration.recalibrator import Recalibrator, one_column

TINY = 1e-12
"""Predictions are kept this far from 0 and 1 before a logit is taken."""


class IsotonicCalibration(Recalibrator):
    """Predict with the non-decreasing function that has the least squared error (Zadrozny & Elkan 2002).

    Uses scikit-learn's. It interpolates between training predictions and stays constant outside them.
    """

    learned = ("x_", "y_")

    def _fit(self, pred: Floats, label: Bools) -> None:
        fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(pred, label.astype(np.float64))
        self.x_, self.y_ = fitted.X_thresholds_, fitted.y_thresholds_

    def _predict(self, pred: Floats) -> Floats:
        return np.interp(pred, self.x_, self.y_)


class PlattScaling(Recalibrator):
    """Predict sigmoid(slope · logit(q) + intercept) (Platt 1999).

    The targets are Platt's: (positives + 1) / (positives + 2) for positive rows and 1 / (negatives + 2) for the others.
    They keep the fit finite when the classes can be separated, or when there is only one. q is used on the logit scale.
    """

    learned = ("slope_", "intercept_")

    def _fit(self, pred: Floats, label: Bools) -> None:
        score, positives = _logit(pred), int(label.sum())
        target = np.where(label, (positives + 1) / (positives + 2), 1 / (len(label) - positives + 2))

        def loss(parameters: Floats) -> tuple[float, Floats]:
            z = parameters[0] * score + parameters[1]
            residual = expit(z) - target
            return float(np.mean(np.logaddexp(0, z) - target * z)), np.array([residual @ score, residual.sum()]) / len(
                z
            )

        best = minimize(loss, np.array([1.0, 0.0]), jac=True, method="BFGS", options={"gtol": 1e-9}).x
        self.slope_, self.intercept_ = float(best[0]), float(best[1])

    def _predict(self, pred: Floats) -> Floats:
        return np.asarray(expit(self.slope_ * _logit(pred) + self.intercept_))


class TemperatureScaling(Recalibrator):
    """Divide all logits by one temperature, chosen by likelihood (Guo et al. 2017).

    `pred` may be binary predictions of shape (n,), or scores of shape (n, n_classes) with class numbers as `label`;
    rows then keep their order of classes and sum to 1. A temperature above 1 makes predictions less confident.
    """

    learned = ("temperature_",)

    def fit(self, pred: ArrayLike, label: ArrayLike) -> Self:
        """Learn from predictions of shape (n,), (n, 1) or (n, n_classes)."""
        if np.ndim(one_column(pred)) != 2:
            return super().fit(pred, label)
        scores, classes = check_tag_scores(pred, label)
        order = np.lexsort((*scores.T, classes))  # so that sums round the same way, whatever the order of the rows
        logs, classes = np.log(np.clip(scores[order], TINY, None)), classes[order]
        rows = np.arange(len(classes))
        self.temperature_ = _likeliest_temperature(lambda t: -log_softmax(logs / t, axis=1)[rows, classes].mean())
        return self

    def predict(self, pred: ArrayLike) -> Floats:
        """Recalibrated predictions, of the shape of `pred` ((n,) for one column)."""
        if np.ndim(one_column(pred)) != 2:
            return super().predict(pred)
        check_is_fitted(self, self.learned)
        scores = check_scores(pred)
        return np.asarray(softmax(np.log(np.clip(scores, TINY, None)) / self.temperature_, axis=1))

    def _fit(self, pred: Floats, label: Bools) -> None:
        signed = np.where(label, 1.0, -1.0) * _logit(pred)
        self.temperature_ = _likeliest_temperature(lambda t: float(np.logaddexp(0, -signed / t).mean()))

    def _predict(self, pred: Floats) -> Floats:
        return np.asarray(expit(_logit(pred) / self.temperature_))


def _logit(pred: Floats) -> Floats:
    return np.asarray(logit(np.clip(pred, TINY, 1 - TINY)))


def _likeliest_temperature(loss: Callable[[float], float]) -> float:
    """The temperature in [0.01, 100] with the least loss; one of the ends if the data set no limit."""
    found = minimize_scalar(
        lambda log_t: loss(float(np.exp(log_t))), bounds=(np.log(0.01), np.log(100)), method="bounded",
        options={"xatol": 1e-10},
    )  # fmt: skip
    return float(np.exp(found.x))
