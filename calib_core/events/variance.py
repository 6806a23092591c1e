"""How much of an answer's variance comes from coreference, and how much from syntax.

Covers: the law of total variance for a document's answer, estimated from its samples.
Not here: drawing the samples (`sampling`), sums over documents (which are independent, so variances add).

Sample s is X(C_s, T_s), a function of an independent clustering and an independent set of trees. Its variance is

    Var X = Var E[X | C] + Var E[X | T] + the rest,

where the first part is what clusterings do on their own, averaged over trees, the second what trees do on their own,
and the rest is what takes both: a wrong tree that matters only in some clusterings. Each part is a covariance of two
answers that share one of the two (Sobol 1993): with Y_s = X(C_s, T_{s+1}), the samples give Cov(X_s, Y_s), which share
the clustering, and Cov(X_{s+1}, Y_s), which share the trees. So one more answer per sample is enough.
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats
from calib_core.events.sampling import EntityCounts, EventSamples


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """One entry per row of the event samples; estimates, so that a small one may be below 0.

    Attributes
    ----------
    total : shape (n_rows,)
        Variance of the row's answer.
    coreference, syntax : shape (n_rows,)
        What clusterings and trees contribute on their own.
    """

    total: Floats
    coreference: Floats
    syntax: Floats


def variance_parts(samples: EventSamples, *, unit: str) -> VarianceParts:
    """Split the variance of each row, without bias.

    Parameters
    ----------
    samples : EventSamples
    unit : str
        "documents": of whether the document counts; "entities": of how many of its entities do.

    Notes
    -----
    Neighbouring pairs share a draw too, which lowers each covariance of n samples by the other part over n - 1. Solving
    both equations together undoes it; with two samples that cannot be done.
    """
    answers = _numbers(samples.entities, unit)
    n, total = answers.shape[1], answers.var(axis=1, ddof=1)
    if samples.crossed is None:
        return VarianceParts(total, total, np.zeros(len(total)))
    crossed, several = _numbers(samples.crossed.entities, unit), samples.crossed.several
    clustering = _covariance(answers, crossed)
    trees = _covariance(np.roll(answers, -1, axis=1), crossed)
    if n > 2:
        scale = (n - 1) / ((n - 1) ** 2 - 1)
        clustering, trees = scale * ((n - 1) * clustering + trees), scale * ((n - 1) * trees + clustering)
    return VarianceParts(total, np.where(several, clustering, total), np.where(several, trees, 0.0))


def _numbers(entities: EntityCounts, unit: str) -> Floats:
    return np.asarray(entities > 0 if unit == "documents" else entities, dtype=np.float64)


def _covariance(first: Floats, second: Floats) -> Floats:
    """Of each row, shape (n_rows,)."""
    centred = first - first.mean(axis=1, keepdims=True)
    return np.asarray((centred * (second - second.mean(axis=1, keepdims=True))).sum(axis=1) / (first.shape[1] - 1))
