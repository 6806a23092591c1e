"""How often do the intervals of posterior counts hold the truth?

Covers: the paper's normal interval and the exact one for whole-number counts, what a right model would cover, and
coverage that is free of the counts' coarseness.
Not here: where counts and truths come from.

A count is a whole number, so an interval of at least 95 % holds more than 95 %: the count 0 or 1 of a rare event is
covered nearly always, however wrong the model. Two figures beside the plain coverage allow a fair judgement. *Expected*
is what the interval would cover if the stated distribution were the true one: compare it with what it did cover.
*Randomised* counts a truth k as covered by the share of [F(k − 1), F(k)] that lies in the central stretch of the
nominal size; for a right model that is the nominal size, whatever the counts (Czado, Gneiting & Held 2009).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from calib_core.arrays import Floats, Ints

NOMINAL = (0.5, 0.8, 0.9, 0.95)
"""The coverages that intervals promise, in the tables."""

INTERVALS = ("normal", "exact", "randomised")


@dataclass(frozen=True, slots=True)
class Coverage:
    """One kind of interval at one nominal size, over all counts.

    Attributes
    ----------
    covered, lo, hi : float
        Share of counts that were covered, with a 95 % interval over groups of documents.
    expected : float
        Share that a right model would cover.
    n : int
        Counts.
    """

    interval: str
    nominal: float
    covered: float
    lo: float
    hi: float
    expected: float
    n: int


def covered_by(pmf: Floats, truth: int, nominal: float) -> dict[str, tuple[float, float]]:
    """Covered (0 to 1) and expected, by kind of interval, of one count.

    Parameters
    ----------
    pmf : shape (n + 1,)
        Stated probabilities of 0, 1, ..., n.
    truth : int
    nominal : float
        Size that the interval promises, in (0, 1).
    """
    if not 0 < nominal < 1:
        raise ValueError(f"nominal must lie between 0 and 1; got {nominal}")
    if truth < 0:
        raise ValueError(f"truth must be at least 0; got {truth}")
    values, cdf = np.arange(len(pmf)), np.minimum(np.cumsum(pmf) / pmf.sum(), 1.0)
    tail = (1 - nominal) / 2
    low, high = np.searchsorted(cdf * (1 + 1e-12), [tail, 1 - tail])
    mean = float(pmf @ values) / float(pmf.sum())
    half = float(ndtri(1 - tail)) * np.sqrt(max(0.0, float(pmf @ (values - mean) ** 2) / float(pmf.sum())))
    exact, normal = (values >= low) & (values <= high), np.abs(values - mean) <= half + 1e-9
    inside = truth < len(pmf)
    return {
        "normal": (float(inside and normal[truth]), float(pmf @ normal)),
        "exact": (float(inside and exact[truth]), float(pmf @ exact)),
        "randomised": (_randomised(cdf, truth, tail) if inside else 0.0, nominal),
    }


def _randomised(cdf: Floats, truth: int, tail: float) -> float:
    """Share of [F(k − 1), F(k)] inside [tail, 1 − tail]; where F does not move, whether that point is."""
    below, upto = (float(cdf[truth - 1]) if truth else 0.0), float(cdf[truth])
    if upto - below < 1e-12:
        return float(tail <= upto <= 1 - tail)
    return max(0.0, min(upto, 1 - tail) - max(below, tail)) / (upto - below)


def coverage(pmfs: Sequence[Floats], truths: Sequence[int], groups: Ints, *, repeats: int = 1) -> list[Coverage]:
    """Coverage of many counts, at every nominal size.

    Parameters
    ----------
    pmfs : sequence of arrays
        The stated distribution of each count.
    truths : sequence of int
    groups : shape (n,)
        The group of documents that each count is over: counts of one group err together.
    repeats : int
        How often each document was used, where the same documents were grouped several times over: the interval stays
        as wide as one such grouping makes it.
    """
    if not len(pmfs) == len(truths) == len(groups):
        raise ValueError(f"{len(pmfs)} distributions, {len(truths)} truths and {len(groups)} groups differ")
    found = []
    for nominal in NOMINAL if len(pmfs) else ():
        each = [covered_by(pmf, int(truth), nominal) for pmf, truth in zip(pmfs, truths, strict=True)]
        for interval in INTERVALS:
            covered, expected = np.array([one[interval] for one in each]).T
            mean, half = float(covered.mean()), np.sqrt(repeats) * _half_width(covered, groups)
            found.append(
                Coverage(
                    interval, nominal, mean, max(0.0, mean - half), min(1.0, mean + half),
                    float(expected.mean()), len(each),
                )
            )  # fmt: skip
    return found


def _half_width(covered: Floats, groups: Ints) -> float:
    """1.96 standard errors of the mean, when the counts of a group err together."""
    _, group = np.unique(groups, return_inverse=True)
    n_groups = int(group.max()) + 1
    if n_groups < 2:
        return 1.0
    residual = np.bincount(group, covered - covered.mean(), n_groups)
    return float(1.96 * np.sqrt((residual**2).sum() * n_groups / (n_groups - 1)) / len(covered))


def sample_pmf(samples: Ints) -> Floats:
    """Shares of 0, 1, ... among sampled counts, shape (largest + 1,)."""
    return np.asarray(np.bincount(samples) / max(1, len(samples)), dtype=np.float64)
