"""Calibration of sets of pairs, and of cross-validation that is repeated.

Covers: the figures of one set, and those of several cross-validations together.
Not here: the pairs (`pair_sets`), the claims (`claims`), the page (`experiment`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.calibration import (
    Estimate,
    ReliabilityCurve,
    calibration_error_interval,
    calibration_test,
    cluster_bootstrap,
    reliability_curve,
)
from calib_core.document import Document
from reproductions.coref.pair_sets import PairSet, cross_validated_pairs
from reproductions.findings import Progress
from reproductions.resampling import Drawn, combined, draw_times, mean_of, root_mean, squared_error

N_FOLDS, N_REPEATS = 3, 5
MIDDLE = 0.4
"""From here on a prediction counts as one of the paper's "middle to high-valued" ones."""
HIGH = 0.9


@dataclass(frozen=True, slots=True)
class Measured:
    """Calibration of one set of pairs."""

    name: str
    n: int
    error: Estimate
    """CalibErr with the interval of Algorithm 2, which takes pairs as independent."""
    by_document: Estimate
    """Debiased; the interval draws whole documents."""
    p_value: float
    """Chance that a perfectly calibrated model shows as much, documents being what is independent."""
    likely: Estimate
    """As `error`, among pairs with a probability above 0.01, in bins of 1,000."""
    gap: float
    """Mean prediction minus frequency among pairs predicted above `MIDDLE`; positive is overconfident."""
    largest: float
    """Of the pairs predicted above `HIGH`, the share that the document with most of them holds."""
    mean_pred: float
    rate: float
    """Mean prediction, and share of the pairs that corefer."""
    curve: ReliabilityCurve
    drawn: Drawn
    """CalibErr without noise under draws of documents."""
    over: Drawn
    """`gap` under the same draws."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """Cross-validation, repeated with other folds and other seeds of training."""

    each: tuple[float, ...]
    """CalibErr as printed, of each repetition."""
    error: Drawn
    """CalibErr without noise: root mean square over repetitions, under draws of documents."""
    gap: Drawn
    """Prediction minus frequency above `MIDDLE`, averaged likewise."""


def repeat(
    train: Sequence[Document], progress: Progress, *, seed: int, n_repeats: int = N_REPEATS
) -> tuple[Measured, Repeated]:
    """The first cross-validation in full, and what all of them say together; one at a time in memory."""
    found = []
    for number in range(n_repeats):
        pairs = cross_validated_pairs(train, progress, n_folds=N_FOLDS, seed=seed + number)
        found.append(measured("OntoGUM train, cross-validated, exact", pairs.pred, pairs))
    errors = combined(_root_mean_square, *(one.drawn for one in found))
    gap = combined(_mean, *(one.over for one in found))
    return found[0], Repeated(tuple(one.error.value for one in found), errors, gap)


def _root_mean_square(*parts: Floats) -> Floats:
    return np.asarray(np.sqrt(np.mean(np.square(parts), axis=0)))


def _mean(*parts: Floats) -> Floats:
    return np.asarray(np.mean(parts, axis=0))


def measured(name: str, pred: Floats, pairs: PairSet) -> Measured:
    """Calibration of given predictions of a set of pairs."""
    bin_size = min(5000, max(1, len(pred) // 20))
    likely = pred > 0.01
    above = pred > MIDDLE
    times = draw_times(int(pairs.document.max()) + 1)
    nothing = Drawn(0.0, np.zeros(len(times)))
    return Measured(
        name=name,
        n=len(pred),
        error=calibration_error_interval(pred, pairs.label, bin_size=bin_size),
        by_document=cluster_bootstrap(pred, pairs.label, pairs.document, bin_size=bin_size),
        p_value=calibration_test(pred, pairs.label, groups=pairs.document, bin_size=bin_size).p_value,
        likely=calibration_error_interval(pred[likely], pairs.label[likely], bin_size=min(1000, bin_size)),
        gap=float(pred[above].mean() - pairs.label[above].mean()) if above.any() else 0.0,
        largest=_largest_share(pairs.document[pred > HIGH]),
        mean_pred=float(pred.mean()),
        rate=float(pairs.label.mean()),
        curve=reliability_curve(pred, pairs.label, bin_size=bin_size),
        drawn=root_mean([squared_error(pred, pairs.label, pairs.document, times, bin_size=bin_size)]),
        over=mean_of((pred - pairs.label)[above], pairs.document[above], times) if above.any() else nothing,
    )


def _largest_share(documents: Ints) -> float:
    return float(np.bincount(documents).max() / len(documents)) if len(documents) else 0.0
