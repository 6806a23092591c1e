"""Calibrated probabilities for events of a structured prediction (Kuleshov & Liang 2015).

Covers: pooling events of interest into one binary problem, and the k-NN and tree forecasters of their Algorithm 1.
Not here: features (`structured_features`); calibration and sharpness of the result (`brier_decomposition`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import GroupKFold
from sklearn.utils.validation import check_is_fitted

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration.inputs import check_at_least, check_label
from calib_core.calibration.regions import Leaves, Neighbours

CANDIDATES = tuple(range(5, 505, 5))
"""The paper tries 5 to 500 in steps of 5, both for k and for the smallest leaf."""


@dataclass(frozen=True, slots=True)
class EventSet:
    """Pooled events: row i says whether event i holds, and which example it came from."""

    features: Floats
    """Shape (n_events, n_features)."""
    holds: Bools
    """Shape (n_events,)."""
    example: Ints
    """Shape (n_events,): events of one example are not independent, so they stay in one fold."""


def pool_events(examples: Iterable[tuple[ArrayLike, ArrayLike]]) -> EventSet:
    """Put the events of all examples into one binary problem: S_binary of Algorithm 1.

    Parameters
    ----------
    examples : pairs of (features, holds)
        For one input x with its events of interest E ∈ I(x): φ(x, E) of shape (n_events, n_features), or (n_events,)
        for a single feature, and whether the right answer lies in E, shape (n_events,). For MAP recalibration an
        example has one event, "the whole labelling is right"; for marginal recalibration one per position.
    """
    features: list[Floats] = []
    holds: list[Bools] = []
    for number, (phi, event) in enumerate(examples):
        rows, labels = np.asarray(phi, dtype=np.float64), check_label(event)
        rows = rows[:, None] if rows.ndim == 1 else rows
        if rows.ndim != 2 or len(rows) != len(labels):
            raise ValueError(f"example {number}: {len(labels)} events need as many rows of features; got {rows.shape}")
        if features and rows.shape[1] != features[0].shape[1]:
            raise ValueError(f"example {number}: features must number {features[0].shape[1]}; got {rows.shape[1]}")
        features.append(rows)
        holds.append(labels)
    if not features:
        raise ValueError("examples must hold at least one example; got none")
    example = np.repeat(np.arange(len(holds)), [len(labels) for labels in holds])
    return EventSet(np.concatenate(features), np.concatenate(holds), example)


class EventForecaster(RegressorMixin, BaseEstimator):
    """Forecasts P(event holds) as the share of similar events that held, by region of feature space.

    Parameters
    ----------
    method : {"knn", "tree"}
        The k nearest neighbours (better with continuous features), or the leaves of a decision tree (better with
        categorical ones).
    candidates : sequence of int
        Values of k, or of the smallest leaf, from which cross-validation chooses by squared error. A single value is
        used as it is. Values too large for a training fold are left out.
    n_folds : int
        The paper uses 10.
    seed : int
        Seed of the shuffle that makes the folds.

    Notes
    -----
    Beyond the paper: each feature is scaled to unit variance before the search for neighbours; where only some of the
    events with equal features are needed to make k, each counts in part; the order of rows changes nothing.
    """

    def __init__(
        self,
        method: Literal["knn", "tree"] = "knn",
        *,
        candidates: Sequence[int] = CANDIDATES,
        n_folds: int = 10,
        seed: int = 0,
    ) -> None:
        self.method = method
        self.candidates = candidates
        self.n_folds = n_folds
        self.seed = seed

    def fit(self, features: ArrayLike, holds: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Learn from features of shape (n, n_features) or (n,), and whether each event held.

        `groups` of shape (n,) names the example that each event came from (`EventSet.example`); events of one example
        then stay in one fold. The paper does not say how it splits them.
        """
        rows, labels = _check_features(features), check_label(holds).astype(np.float64)
        example = np.zeros(len(rows), dtype=np.int64) if groups is None else np.asarray(groups)
        self._check(rows, labels, example)
        order = np.lexsort((example, labels, *rows.T))  # so that the order of rows cannot matter
        rows, labels = rows[order], labels[order]
        owner = np.arange(len(rows)) if groups is None else example[order]
        self.size_ = self._choose_size(rows, labels, owner)
        self.regions_ = self._regions(rows, labels, self.size_)
        return self

    def predict(self, features: ArrayLike) -> Floats:
        """Forecast probabilities, shape (n,)."""
        check_is_fitted(self, "regions_")
        return self.regions_.forecast(_check_features(features), [self.size_])[:, 0]

    def _regions(self, rows: Floats, labels: Floats, largest: int) -> "Neighbours | Leaves":
        return Leaves(rows, labels) if self.method == "tree" else Neighbours(rows, labels, largest)

    def _choose_size(self, rows: Floats, labels: Floats, owner: Ints) -> int:
        if len(self.candidates) == 1:
            return min(int(self.candidates[0]), len(rows))
        n_folds = min(self.n_folds, len(np.unique(owner)))
        if n_folds < 2:
            raise ValueError("choosing among several candidates needs events of at least 2 examples; got 1")
        splitter = GroupKFold(n_folds, shuffle=True, random_state=self.seed)
        folds = list(splitter.split(rows, labels, owner))
        room = min(len(train) for train, _ in folds)
        sizes = sorted({int(size) for size in self.candidates if size <= room}) or [room]
        losses = np.zeros(len(sizes))
        for train, test in folds:
            forecasts = self._regions(rows[train], labels[train], sizes[-1]).forecast(rows[test], sizes)
            losses += ((forecasts - labels[test, None]) ** 2).sum(axis=0)
        return sizes[int(np.argmin(losses))]

    def _check(self, rows: Floats, labels: Floats, example: Ints) -> None:
        if self.method not in ("knn", "tree"):
            raise ValueError(f"method must be 'knn' or 'tree'; got {self.method!r}")
        check_at_least("n_folds", self.n_folds, 2)
        if not len(self.candidates):
            raise ValueError("candidates must hold at least one size; got none")
        for size in self.candidates:
            check_at_least("candidates", size, 1)
        if not len(rows) == len(labels) == len(example):
            raise ValueError(
                f"features, holds and groups must have the same length; got {len(rows)}, {len(labels)}, {len(example)}"
            )
        if not len(rows):
            raise ValueError("features must have at least one row; got 0")


def _check_features(features: ArrayLike) -> Floats:
    rows = np.asarray(features, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2:
        raise ValueError(f"features must have shape (n, n_features); got {rows.shape}")
    if not np.isfinite(rows).all():
        raise ValueError(f"features must be finite; got {rows[~np.isfinite(rows)][0]}")
    return rows
