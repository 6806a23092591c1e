"""Two ways to divide feature space into regions, each of which forecasts its share of positives.

Covers: nearest neighbours and decision trees, for several region sizes at once.
Not here: choosing the size (`event_forecaster`).
"""

from collections.abc import Sequence

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.tree import DecisionTreeRegressor

from calib_core.arrays import Floats

_BLOCK = 4096
"""New rows whose neighbours are in memory at a time."""


class Neighbours:
    """The k nearest training rows, for any k up to `largest`; rows with equal features are one point with a weight."""

    def __init__(self, rows: Floats, labels: Floats, largest: int) -> None:
        spread = rows.std(axis=0)
        self.scale = np.where(spread > 0, spread, 1.0)
        points, place, self.weight = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        self.positives = np.bincount(place.ravel(), weights=labels, minlength=len(points))
        self.search = NearestNeighbors(n_neighbors=min(largest, len(points))).fit(points / self.scale)

    def forecast(self, rows: Floats, sizes: Sequence[int]) -> Floats:
        """Share of positives among the k nearest, shape (n, n_sizes)."""
        blocks = [rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK)]
        return np.concatenate([self._forecast_block(block, sizes) for block in blocks] or [np.empty((0, len(sizes)))])

    def _forecast_block(self, rows: Floats, sizes: Sequence[int]) -> Floats:
        nearest = self.search.kneighbors(rows / self.scale, return_distance=False)
        weight, positives = self.weight[nearest], self.positives[nearest]
        upto, positives_upto = np.cumsum(weight, axis=1), np.cumsum(positives, axis=1)
        each, forecasts = np.arange(len(rows)), np.empty((len(rows), len(sizes)))
        for column, k in enumerate(sizes):
            last = np.minimum((upto < k).sum(axis=1), nearest.shape[1] - 1)
            # the last point counts only as many rows as are needed to make k
            missing = np.minimum(k - (upto - weight)[each, last], weight[each, last])
            found = (positives_upto - positives)[each, last] + positives[each, last] * missing / weight[each, last]
            forecasts[:, column] = found / ((upto - weight)[each, last] + missing)
        return forecasts


class Leaves:
    """The leaves of a regression tree with a smallest leaf of each size."""

    def __init__(self, rows: Floats, labels: Floats) -> None:
        self.rows, self.labels = rows, labels
        self.trees: dict[int, DecisionTreeRegressor] = {}

    def forecast(self, rows: Floats, sizes: Sequence[int]) -> Floats:
        """Share of positives in the leaf, shape (n, n_sizes)."""
        if not len(rows):
            return np.empty((0, len(sizes)))
        return np.column_stack([self._tree(size).predict(rows) for size in sizes])

    def _tree(self, size: int) -> DecisionTreeRegressor:
        if size not in self.trees:
            tree = DecisionTreeRegressor(min_samples_leaf=size, random_state=0)
            self.trees[size] = tree.fit(self.rows, self.labels)
        return self.trees[size]
