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
from reproductions.resampling import Drawn

OWN = "model's own"
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
    """L2 loss of forecasts, and its parts over ten buckets: uncertainty − sharpness + calibration + within."""

    loss: float
    uncertainty: float
    calibration: float
    sharpness: float
    within: float
    """What the buckets hide: the loss changes by this much if each forecast is replaced by its bucket's mean."""
    bins: Bins


def scored(pred: Floats, holds: Bools) -> Scored:
    """Measure forecasts as the paper does."""
    parts = brier_decomposition(pred, holds, n_buckets=BUCKETS)
    bins = equal_width_bins(pred, holds, n_bins=BUCKETS)
    return Scored(parts.loss, parts.uncertainty, parts.calibration, parts.sharpness, parts.within_bin, bins)


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


@dataclass(frozen=True, slots=True)
class Parts:
    """L2 loss of forecasts with its calibration error and sharpness, under draws of examples."""

    loss: Drawn
    calibration: Drawn
    sharpness: Drawn


def drawn_parts(pred: Floats, events: Events, times: Floats) -> Parts:
    """The loss and its parts over ten buckets under each draw; `times` is from `draw_times`.

    Drawing examples adds to the calibration error what their noise adds to each bucket, so twice that noise is taken
    from each draw and once from the figure, as in `squared_error`; likewise for sharpness.
    """
    _, owner = np.unique(events.example, return_inverse=True)
    n_examples, bucket = int(owner.max()) + 1, np.minimum((pred * BUCKETS).astype(np.int64), BUCKETS - 1)
    cell, columns = owner * BUCKETS + bucket, (np.ones(len(pred)), pred, events.holds.astype(np.float64))
    size, said, held = (
        times @ np.bincount(cell, values, n_examples * BUCKETS).reshape(n_examples, BUCKETS) for values in columns
    )
    bins = [np.bincount(bucket, values, BUCKETS)[None, :].astype(np.float64) for values in columns]
    weight, total = bins[0][0] / len(pred), size.sum(axis=1, keepdims=True)
    loss = np.bincount(owner, (pred - events.holds) ** 2, n_examples)
    drawn, plain = _bucket_parts(size, said, held), _bucket_parts(*bins)
    calibration, sharpness = (
        _debiased(one[0], many, weight, size / total) for one, many in zip(plain, drawn, strict=True)
    )
    return Parts(
        Drawn(float(np.mean((pred - events.holds) ** 2)), (times @ loss) / total[:, 0]), calibration, sharpness
    )


def _bucket_parts(size: Floats, said: Floats, held: Floats) -> tuple[Floats, Floats]:
    """Forecast minus frequency, and frequency minus base rate, of each bucket; 0 for an empty one."""
    filled = np.maximum(size, 1.0)
    rate = held.sum(axis=1, keepdims=True) / size.sum(axis=1, keepdims=True)
    return (said - held) / filled, np.where(size > 0, held / filled - rate, 0.0)


def _debiased(plain: Floats, drawn: Floats, weight: Floats, drawn_weight: Floats) -> Drawn:
    """Mean square over buckets without its noise."""
    noise = float(weight @ ((drawn - plain) ** 2).mean(axis=0))
    return Drawn(float(weight @ plain**2) - noise, (drawn_weight * drawn**2).sum(axis=1) - 2 * noise)


def by_features(fit: Events, test: Events, groups: Mapping[str, Sequence[str]]) -> dict[str, Floats]:
    """Figure 3: the forecasts of one forecaster per group of features, after what the model itself says.

    One continuous feature goes to k-NN, several to a tree: the paper found k-NN better with continuous features and
    trees with categorical ones.
    """
    found = {OWN: test.raw}
    for label, names in groups.items():
        method = "knn" if len(names) == 1 and fit.columns[names[0]].ndim == 1 else "tree"
        found[label] = forecast(fit, test, names, method=method)
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
