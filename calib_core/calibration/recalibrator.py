"""What all recalibration methods share.

Each method is a scikit-learn regressor whose one feature is the prediction, so it can be cloned, cross-validated and
put in a pipeline. What it learned is in the attributes that `learned` names.
Not here: the methods (`histogram`, `scaling`), one per tag group (`grouped`), saving and loading (`storage`).
"""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from calib_core.arrays import Bools, Floats
from calib_core.calibration.inputs import check_pairs, check_pred


class Recalibrator(RegressorMixin, BaseEstimator):
    """Base of all recalibration methods: `fit(pred, label)`, `predict(pred)`, and the names of their learned arrays."""

    learned: tuple[str, ...] = ()

    def fit(self, pred: ArrayLike, label: ArrayLike) -> Self:
        """Learn from predictions of shape (n,) or (n, 1) and their 0/1 labels."""
        probabilities, labels = check_pairs(one_column(pred), label)
        order = np.lexsort((labels, probabilities))  # so that sums round the same way, whatever the order of the rows
        self._fit(probabilities[order], labels[order])
        return self

    def predict(self, pred: ArrayLike) -> Floats:
        """Recalibrated predictions, shape (n,)."""
        check_is_fitted(self, self.learned)
        return self._predict(check_pred(one_column(pred)))

    def _fit(self, pred: Floats, label: Bools) -> None:
        raise NotImplementedError(type(self).__name__)

    def _predict(self, pred: Floats) -> Floats:
        raise NotImplementedError(type(self).__name__)


def one_column(pred: ArrayLike) -> ArrayLike:
    """Shape (n, 1), as scikit-learn passes a single feature, becomes (n,)."""
    array = np.asarray(pred)
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
