"""Anchor a model's counts to a labelled probability sample: the difference estimator of survey sampling.

T = Σ f + Σ_sample (y − f) / π for every group, where f is the model's probability and y the label. Whatever f is, T
is right on average over the draw; a good f makes it narrow. The archive is all there is, so that variances are those
of a finite population, and vanish when everything was labelled.

Covers: estimates, their variance as drawn and pooled, the covariance between groups.
Not here: intervals (`interval`), the cold stratum (`cold`), making f good (`recalibrated`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from calib_core.arrays import Bools, Floats, Ints

SCORE_EDGES = (1e-9, 0.02, 0.1, 0.3, 0.7, 0.9)
BORROWED = 2.0  # labels that each score bin borrows from its stratum
LARGEST_VARIANCE = 0.25  # of anything that is 0 or 1


@dataclass(frozen=True, slots=True)
class Sampled:
    """Documents of the gate and warm strata, and their rows: pairs of document and country that could be events.

    A label may name a country that the model did not think of: that pair is a row too, with a score of 0. List such
    pairs for all documents where this is cheap; else only for labelled ones, and the pooled variance cannot see them.
    """

    stratum: Ints
    """Shape (n_docs,)."""
    pi: Floats
    """Inclusion probability, shape (n_docs,); above 0."""
    labelled: Bools
    """Drawn, whatever the coder then said; shape (n_docs,)."""
    document: Ints
    """Document of each row, shape (n_rows,)."""
    score: Floats
    """f, shape (n_rows,)."""
    low: Floats
    """Label of each row, unsure or skipped ones taken as 0; read where the document is labelled."""
    high: Floats
    """The same, unsure or skipped ones taken as 1."""
    members: Any
    """Sparse 0/1 matrix of shape (n_rows, n_groups): which rows a group counts."""

    def __post_init__(self) -> None:
        if not ((self.pi > 0.0) & (self.pi <= 1.0)).all():
            raise ValueError(f"pi must be in (0, 1]; got {self.pi[~((self.pi > 0.0) & (self.pi <= 1.0))][0]}")
        if self.members.shape[0] != len(self.score):
            raise ValueError(f"members must have a row per score; got {self.members.shape[0]} and {len(self.score)}")
        seen = self.row_labelled
        if not (self.low[seen] <= self.high[seen]).all():
            raise ValueError("low must be at most high in every labelled row, and both must be numbers")

    @property
    def row_labelled(self) -> Bools:
        """Whether each row's document is labelled."""
        return self.labelled[self.document]

    @property
    def row_pi(self) -> Floats:
        """Inclusion probability of each row's document."""
        return self.pi[self.document]


def residuals(sampled: Sampled, label: Floats) -> Floats:
    """Label minus score of each row, 0 where the document is not labelled."""
    return np.where(sampled.row_labelled, np.nan_to_num(label) - sampled.score, 0.0)


def group_totals(sampled: Sampled, label: Floats) -> Floats:
    """T of each group, shape (n_groups,)."""
    return sampled.members.T @ (sampled.score + residuals(sampled, label) / sampled.row_pi)


def drawn_covariance(sampled: Sampled, label: Floats) -> Floats:
    """Unbiased covariance of the groups' totals, Σ_sample (1 − π) / π² r rᵀ, shape (n_groups, n_groups).

    The rows of a document share its draw, so that r is the document's sum of residuals in each group.
    """
    weighted = _weighted_residuals(sampled, label)
    return (weighted.T @ weighted).toarray()


def drawn_variance(sampled: Sampled, label: Floats) -> Floats:
    """Diagonal of `drawn_covariance`, for any number of groups."""
    return np.asarray(_weighted_residuals(sampled, label).power(2).sum(axis=0)).ravel()


def row_variances(sampled: Sampled, label: Floats) -> Floats:
    """Mean squared residual of each row's score bin and stratum, shape (n_rows,).

    Each bin borrows `BORROWED` labels from its stratum, and each stratum one with the largest variance that a yes or
    no can have. So a bin where no error was sampled still has a variance, which shrinks as labels become more.
    """
    squared, weight = residuals(sampled, label) ** 2, sampled.row_labelled / sampled.row_pi
    stratum = sampled.stratum[sampled.document]
    pool = stratum * (len(SCORE_EDGES) + 1) + np.searchsorted(SCORE_EDGES, sampled.score, "right")
    start = np.full(len(squared), LARGEST_VARIANCE)
    whole = _shrunken_means(squared, weight, stratum, start, 1.0)
    return _shrunken_means(squared, weight, pool, whole, BORROWED)


def _shrunken_means(value: Floats, weight: Floats, pool: Ints, start: Floats, borrowed: float) -> Floats:
    """Weighted mean of the labelled rows of each row's pool, after `borrowed` more labels of value `start`."""
    weights, n_labels = np.bincount(pool, weight), np.bincount(pool, weight > 0.0)
    mean = np.bincount(pool, weight * value) / np.maximum(weights, 1e-300)
    return (n_labels[pool] * mean[pool] + borrowed * start) / (n_labels[pool] + borrowed)


def pooled_variance(sampled: Sampled, label: Floats) -> Floats:
    """Σ_all (1 − π) / π v over the rows of each group, v from `row_variances`: shape (n_groups,)."""
    return sampled.members.power(2).T @ _row_terms(sampled, label)


def pooled_covariance(sampled: Sampled, label: Floats) -> Floats:
    """As `pooled_variance`, between all groups: they share the variance of the rows that they share."""
    scaled = csr_array(sampled.members.multiply(np.sqrt(_row_terms(sampled, label))[:, None]))
    return (scaled.T @ scaled).toarray()


def variance(sampled: Sampled, label: Floats) -> Floats:
    """The larger of the two variances of each group: small groups need the pool, and large ones may outgrow it."""
    return np.maximum(drawn_variance(sampled, label), pooled_variance(sampled, label))


def covariance(sampled: Sampled, label: Floats) -> Floats:
    """Covariance of the groups' totals whose diagonal is `variance`, shape (n_groups, n_groups).

    The correlations are those of the pool, so that no combination of groups has a negative variance.
    """
    pooled = pooled_covariance(sampled, label)
    own, wide = np.diag(pooled), variance(sampled, label)
    stretch = np.sqrt(np.divide(wide, own, out=np.ones_like(own), where=own > 0.0))
    return pooled * np.outer(stretch, stretch)


def effective_errors(sampled: Sampled, label: Floats) -> float:
    """How many equal errors would make the sample's variance as shaky as it is: (Σ a)² / Σ a², a = (1 − π) / π² r²."""
    r = np.bincount(sampled.document, residuals(sampled, label) ** 2, minlength=len(sampled.pi))
    a = (1.0 - sampled.pi) / sampled.pi**2 * r
    return float(a.sum() ** 2 / (a**2).sum()) if a.any() else 0.0


def _row_terms(sampled: Sampled, label: Floats) -> Floats:
    return (1.0 - sampled.row_pi) / sampled.row_pi * row_variances(sampled, label)


def _weighted_residuals(sampled: Sampled, label: Floats) -> Any:
    """√(1 − π) / π times each document's residual in each group, sparse of shape (n_docs, n_groups)."""
    scaled = residuals(sampled, label) * np.sqrt(1.0 - sampled.row_pi) / sampled.row_pi
    rows = np.arange(len(scaled))
    by_document = csr_array((scaled, (sampled.document, rows)), shape=(len(sampled.pi), len(rows)))
    return csr_array(by_document @ sampled.members)
