"""The exact distribution of a count of independent documents, each with its own probability.

Covers: probability mass, moments, quantiles, intervals.
Not here: where the probabilities come from (`sampling`), counts per quarter and country (`posterior`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel

_TINY = 1e-290  # below it, tails are dropped: they are beyond any question, and would slow the arithmetic down


@dataclass(frozen=True, slots=True)
class PoissonBinomial:
    """Distribution of the number of successes among n trials.

    Attributes
    ----------
    pmf : shape (n + 1,)
        Probability of 0, 1, ..., n successes.
    mean, sd : float
        Exact moments.
    """

    pmf: Floats
    mean: float
    sd: float

    @property
    def cdf(self) -> Floats:
        """Probability of at most 0, 1, ..., n successes; the last is 1."""
        reached = np.cumsum(self.pmf)
        return np.asarray(np.minimum(reached / reached[-1], 1.0), dtype=np.float64)

    def quantile(self, level: float | Floats) -> Ints:
        """Smallest k with P(count ≤ k) ≥ level, for levels in (0, 1); the shape is that of `level`."""
        levels = np.asarray(level, dtype=np.float64)
        if not ((levels > 0) & (levels < 1)).all():
            raise ValueError(f"level must lie between 0 and 1; got {level}")
        # Sums of probabilities are a rounding error off, and equal levels must not miss by one.
        return np.minimum(np.searchsorted(self.cdf * (1 + 1e-12), levels), len(self.pmf) - 1).astype(np.int64)


def poisson_binomial(p: Floats) -> PoissonBinomial:
    """Distribution of Σ_d a_d for independent a_d ~ Bernoulli(p_d): the paper's equation 5, exactly.

    Parameters
    ----------
    p : shape (n,)
        Probabilities, in any order.

    Notes
    -----
    Adds one document at a time, pmf'(k) = pmf(k)(1 − p) + pmf(k − 1)p. Nothing is subtracted, so every probability
    above 1e-290 is right to about n rounding errors, relative to itself, which a Fourier transform does not give in the
    tails. Only the stretch that is not yet negligible is carried along, which makes it about n√n steps: 100,000
    documents take less than a second.

    Examples
    --------
    >>> poisson_binomial(np.array([0.5, 0.5])).pmf
    array([0.25, 0.5 , 0.25])
    """
    p = np.asarray(p, dtype=np.float64)
    if p.ndim != 1:
        raise ValueError(f"p must have one dimension; got shape {p.shape}")
    wrong = ~((p >= 0) & (p <= 1))
    if wrong.any():
        raise ValueError(f"p must lie in [0, 1]; entry {int(np.argmax(wrong))} is {p[np.argmax(wrong)]}")
    return PoissonBinomial(_pmf(p), float(p.sum()), float(np.sqrt((p * (1 - p)).sum())))


@kernel
def _pmf(p: Floats) -> Floats:
    """Recursion over documents; [low, high] is the stretch carried along."""
    pmf = np.zeros(len(p) + 1)
    pmf[0] = 1.0
    low = high = 0
    for one in p:
        high += 1
        for k in range(high, low, -1):
            pmf[k] = pmf[k] * (1.0 - one) + pmf[k - 1] * one
        pmf[low] *= 1.0 - one
        while low < high and pmf[low] < _TINY:
            pmf[low] = 0.0
            low += 1
        while high > low and pmf[high] < _TINY:
            pmf[high] = 0.0
            high -= 1
    return pmf
