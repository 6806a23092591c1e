"""One recalibration per group of tags (tag frequency grouping, Kranzlein et al. 2021, section 3.3)."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from calib_core.arrays import Floats, Ints
from calib_core.calibration.inputs import check_pairs, check_pred, check_tags
from calib_core.calibration.recalibrator import Recalibrator


class GroupedCalibration(BaseEstimator):
    """Fits a copy of one recalibration method to each group's rows; made by `grouped`.

    A group without rows to learn from uses a copy fitted to all rows.
    """

    def __init__(self, calibrator: Recalibrator, groups: ArrayLike) -> None:
        self.calibrator = calibrator
        self.groups = groups

    def fit(self, pred: ArrayLike, label: ArrayLike, tag: ArrayLike) -> Self:
        """Learn from scores of shape (n,), their 0/1 labels and their tags: the columns of `TagScores`."""
        probabilities, labels = check_pairs(pred, label)
        group = self._group_of_rows(tag, len(probabilities))
        self.shared_ = clone(self.calibrator).fit(probabilities, labels)
        self.by_group_ = {
            int(number): clone(self.calibrator).fit(probabilities[group == number], labels[group == number])
            for number in np.unique(group)
        }
        return self

    def predict(self, pred: ArrayLike, tag: ArrayLike) -> Floats:
        """Recalibrated scores, shape (n,); a tag outside `groups` is refused."""
        check_is_fitted(self, "by_group_")
        probabilities = check_pred(pred)
        group = self._group_of_rows(tag, len(probabilities))
        recalibrated = np.empty_like(probabilities)
        for number in np.unique(group):
            rows = group == number
            recalibrated[rows] = self.by_group_.get(int(number), self.shared_).predict(probabilities[rows])
        return recalibrated

    def _group_of_rows(self, tag: ArrayLike, n_rows: int) -> Ints:
        groups = np.asarray(self.groups)
        tags = check_tags(tag, len(groups))
        if len(tags) != n_rows:
            raise ValueError(f"pred and tag must have the same length; got {n_rows} and {len(tags)}")
        return np.asarray(groups[tags], dtype=np.int64)


def grouped(calibrator: Recalibrator, groups: ArrayLike) -> GroupedCalibration:
    """Wrap a recalibration method so that each group of tags gets its own fit.

    Parameters
    ----------
    calibrator
        Any recalibration method of this package; it is copied, never changed.
    groups : shape (n_tags,)
        Group of each tag: `tag_frequency_groups(...)`, or `np.arange(n_tags)` for one fit per tag.
    """
    numbers = np.asarray(groups)
    if numbers.ndim != 1 or not len(numbers) or numbers.dtype.kind not in "iu":
        raise ValueError(f"groups must be one whole number per tag; got shape {numbers.shape}, dtype {numbers.dtype}")
    return GroupedCalibration(calibrator, numbers)
