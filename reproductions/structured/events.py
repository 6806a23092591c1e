"""Events of interest with their features, and forecasts of them: Algorithm 1 of Kuleshov & Liang.

Covers: what the three tasks of the experiment share.
Not here: the tasks (`digits`, `chain`, `coref`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import Estimate, EventForecaster, brier_decomposition, equal_width_bins
from calib_core.calibration.binning import Bins

BUCKETS = 10
"""The paper's: [0, 0.1), [0.1, 0.2), ..."""
K = 100
"""Neighbours of the "out of the box" forecaster."""
CANDIDATES = (5, 10, 15, 20, 25, 50, 75, 100, 150, 200, 300, 400, 500)
"""Sizes from which cross-validation chooses: the paper's range, thinned."""


@dataclass(frozen=True, slots=True)
class Events:
    """Events of one kind on one set of examples.

    Attributes
    ----------
    raw : shape (n,)
        What the model itself says of each event.
    holds : shape (n,)
    example : shape (n,)
        The sentence, document or image of each event, numbered from 0 and never decreasing.
    columns : mapping of name to shape (n,) or (n, k)
        Features; a group of indicators is one column of k.
    """

    raw: Floats
    holds: Bools
    example: Ints
    columns: Mapping[str, Floats]

    def __len__(self) -> int:
        """Number of events."""
        return len(self.raw)

    def features(self, names: Sequence[str]) -> Floats:
        """Features side by side, shape (n, n_features)."""
        return np.column_stack([self.columns[name] for name in names]).astype(np.float64)

    def of_examples(self, chosen: Ints) -> "Events":
        """The events of some examples."""
        keep = np.isin(self.example, chosen)
        columns = {name: column[keep] for name, column in self.columns.items()}
        return Events(self.raw[keep], self.holds[keep], self.example[keep], columns)


@dataclass(frozen=True, slots=True)
class Scored:
    """L2 loss of forecasts, and its parts over ten buckets: loss = uncertainty − sharpness + calibration."""

    loss: float
    calibration: float
    sharpness: float
    bins: Bins


def scored(pred: Floats, holds: Bools) -> Scored:
    """Measure forecasts as the paper does."""
    parts = brier_decomposition(pred, holds, n_buckets=BUCKETS)
    return Scored(parts.loss, parts.calibration, parts.sharpness, equal_width_bins(pred, holds, n_bins=BUCKETS))


def forecast(fit: Events, test: Events, names: Sequence[str], *, method: str, size: int | None = None) -> Floats:
    """Recalibrated probabilities of the test events; without a size, cross-validation chooses it."""
    candidates = CANDIDATES if size is None else (size,)
    model = EventForecaster("tree" if method == "tree" else "knn", candidates=candidates)
    return model.fit(fit.features(names), fit.holds, groups=fit.example).predict(test.features(names))


def loss_gain(before: Floats, after: Floats, events: Events, *, n_samples: int = 2000, seed: int = 0) -> Estimate:
    """How much smaller the L2 loss got, with a bootstrap interval over examples; positive is better."""
    squared = (before - events.holds) ** 2 - (after - events.holds) ** 2
    _, owner = np.unique(events.example, return_inverse=True)
    total, count = np.bincount(owner, squared), np.bincount(owner)
    drawn = np.random.default_rng(seed).multinomial(len(count), np.full(len(count), 1 / len(count)), n_samples)
    lo, hi = np.quantile((drawn @ total) / (drawn @ count), (0.025, 0.975))
    return Estimate(float(squared.mean()), float(lo), float(hi))


def by_features(fit: Events, test: Events, groups: Mapping[str, Sequence[str]]) -> dict[str, Scored]:
    """Figure 3: one forecaster per group of features.

    One continuous feature goes to k-NN, several to a tree: the paper found k-NN better with continuous features and
    trees with categorical ones.
    """
    found = {"model's own": scored(test.raw, test.holds)}
    for label, names in groups.items():
        method = "knn" if len(names) == 1 and fit.columns[names[0]].ndim == 1 else "tree"
        found[label] = scored(forecast(fit, test, names, method=method), test.holds)
    return found


def by_size(
    fit: Events, test: Events, names: Sequence[str], sizes: Sequence[int], *, repeats: int, seed: int
) -> dict[tuple[str, int], tuple[float, float]]:
    """Figure 4: mean calibration error and sharpness by method and number of calibration examples."""
    rng, found = np.random.default_rng(seed), {}
    examples = np.unique(fit.example)
    for size in (size for size in sizes if size <= len(examples)):
        draws = [fit.of_examples(rng.choice(examples, size, replace=False)) for _ in range(repeats)]
        for method in ("knn", "tree"):
            results = [scored(forecast(draw, test, names, method=method), test.holds) for draw in draws]
            found[method, size] = (
                float(np.mean([result.calibration for result in results])),
                float(np.mean([result.sharpness for result in results])),
            )
    return found
