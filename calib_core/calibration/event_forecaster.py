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
from sklearn.model_selection import GroupKFold, KFold
from sklearn.neighbors import NearestNeighbors
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.validation import check_is_fitted

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration.inputs import check_label

CANDIDATES = tuple(range(5, 505, 5))
"""The paper tries 5 to 500 in steps of 5, for k as for the smallest leaf."""


@dataclass(frozen=True, slots=True)
class EventSet:
    """Pooled events: row i says whether event i holds, and which example it came from."""

    features: Floats
    """Shape (n_events, n_features)."""
    holds: Bools
    """Shape (n_events,)."""
    example: Ints
    """Shape (n_events,): events of one example are not independent, and are kept in one fold."""


def pool_events(examples: Iterable[tuple[ArrayLike, ArrayLike]]) -> EventSet:
    """Put the events of all examples into one binary problem: S_binary of Algorithm 1.

    Parameters
    ----------
    examples : pairs of (features, holds)
        For one input x with its events of interest E ∈ I(x): φ(x, E) of shape (n_events, n_features), or (n_events,)
        for a single feature, and whether the right answer lies in E, shape (n_events,). For MAP recalibration an
        example has one event, "the whole labelling is right"; for marginal recalibration one per position.
    """
    features, holds = [], []
    for number, (phi, event) in enumerate(examples):
        rows, labels = np.asarray(phi, dtype=np.float64), check_label(event)
        rows = rows.reshape(len(labels), -1) if rows.ndim < 2 else rows
        if len(rows) != len(labels):
            raise ValueError(f"example {number}: features must have one row per event; got {len(rows)}, {len(labels)}")
        features.append(rows)
        holds.append(labels)
    if not features:
        raise ValueError("examples must hold at least one example; got none")
    example = np.repeat(np.arange(len(holds)), [len(labels) for labels in holds])
    return EventSet(np.concatenate(features), np.concatenate(holds), example)


class EventForecaster(RegressorMixin, BaseEstimator):
    """Forecasts P(event holds) as the share of like events that held, by region of feature space.

    Parameters
    ----------
    method : {"knn", "tree"}
        The k nearest neighbours (better with continuous features), or the leaves of a decision tree (better with
        categorical ones). Neighbours are sought after each feature is scaled to unit variance.
    candidates : sequence of int
        Values of k, or of the smallest leaf, from which cross-validation chooses by squared error. One value is taken
        as it is. Values too large for a training fold are left out.
    n_folds : int
        The paper uses 10.
    seed : int
        Of the folds' shuffle.
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
        self._check(rows, labels)
        self.size_ = self._choose_size(rows, labels, None if groups is None else np.asarray(groups))
        if self.method == "tree":
            self.tree_ = DecisionTreeRegressor(min_samples_leaf=self.size_, random_state=0).fit(rows, labels)
        else:
            self.scale_ = _scale(rows)
            self.neighbours_ = NearestNeighbors(n_neighbors=self.size_).fit(rows / self.scale_)
            self.labels_ = labels
        return self

    def predict(self, features: ArrayLike) -> Floats:
        """Forecast probabilities, shape (n,)."""
        check_is_fitted(self, "size_")
        rows = _check_features(features)
        if self.method == "tree":
            return np.asarray(self.tree_.predict(rows), dtype=np.float64)
        nearest = self.neighbours_.kneighbors(rows / self.scale_, return_distance=False)
        return np.asarray(self.labels_[nearest].mean(axis=1))

    def _check(self, rows: Floats, labels: Floats) -> None:
        if self.method not in ("knn", "tree"):
            raise ValueError(f"method must be 'knn' or 'tree'; got {self.method!r}")
        if len(rows) != len(labels):
            raise ValueError(f"features and holds must have the same length; got {len(rows)} and {len(labels)}")
        if not len(rows):
            raise ValueError("features must have at least one row; got 0")
        if not len(self.candidates) or min(self.candidates) < 1:
            raise ValueError(f"candidates must be whole numbers of at least 1; got {list(self.candidates)[:5]}")

    def _choose_size(self, rows: Floats, labels: Floats, groups: ArrayLike | None) -> int:
        if len(self.candidates) == 1:
            return min(int(self.candidates[0]), len(rows))
        n_units = len(rows) if groups is None else len(np.unique(groups))
        n_folds = min(self.n_folds, n_units)
        if n_folds < 2:
            raise ValueError(
                f"choosing among {len(self.candidates)} candidates needs at least 2 rows or examples; got 1"
            )
        splitter = KFold(n_folds, shuffle=True, random_state=self.seed) if groups is None else GroupKFold(n_folds)
        folds = [(train, test) for train, test in splitter.split(rows, labels, groups)]
        room = min(len(train) for train, _ in folds)
        sizes = sorted({int(size) for size in self.candidates if size <= room}) or [room]
        loss = _tree_losses if self.method == "tree" else _knn_losses
        losses = sum(loss(rows[train], labels[train], rows[test], labels[test], sizes) for train, test in folds)
        return sizes[int(np.argmin(losses))]


def _knn_losses(rows: Floats, labels: Floats, new_rows: Floats, new_labels: Floats, sizes: list[int]) -> Floats:
    """Squared error on the new rows for each k; the neighbours are sought once, for the largest."""
    scale, ks = _scale(rows), np.array(sizes)
    nearest = (
        NearestNeighbors(n_neighbors=sizes[-1]).fit(rows / scale).kneighbors(new_rows / scale, return_distance=False)
    )
    forecasts = np.cumsum(labels[nearest], axis=1)[:, ks - 1] / ks
    return np.asarray(((forecasts - new_labels[:, None]) ** 2).sum(axis=0))


def _tree_losses(rows: Floats, labels: Floats, new_rows: Floats, new_labels: Floats, sizes: list[int]) -> Floats:
    trees = (DecisionTreeRegressor(min_samples_leaf=size, random_state=0).fit(rows, labels) for size in sizes)
    return np.array([((tree.predict(new_rows) - new_labels) ** 2).sum() for tree in trees])


def _scale(rows: Floats) -> Floats:
    spread = rows.std(axis=0)
    return np.where(spread > 0, spread, 1.0)


def _check_features(features: ArrayLike) -> Floats:
    rows = np.asarray(features, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2:
        raise ValueError(f"features must have shape (n, n_features); got {rows.shape}")
    if not np.isfinite(rows).all():
        raise ValueError(f"features must be finite; got {rows[~np.isfinite(rows)][0]}")
    return rows
