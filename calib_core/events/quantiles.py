"""Quantiles of a posterior count, and how far they would move with other random numbers.

A quantile is a whole number: the smallest k with F(k) ≥ level. Other random numbers give another F, so
P(quantile ≤ k) = P(F(k) ≥ level), and that for every k is the distribution of the quantile itself, rounding included.

Covers: the exact quantiles of documents, the samples' quantiles of entities, the standard errors of both.
Not here: errors of means and standard deviations (`posterior`).
"""

import numpy as np
from scipy.special import bdtrc, ndtr, ndtri

from calib_core.arrays import Floats, Ints
from calib_core.events.poisson import PoissonBinomial, poisson_binomial
from calib_core.events.tallying import Tally
from calib_core.kernels import kernel

LEVELS = (0.025, 0.5, 0.975)
_EDGE = 1e-14  # probabilities are this far from 0 and 1, so that normal scores are finite


def exact_quantiles(tally: Tally) -> tuple[Ints, Floats]:
    """Poisson-binomial quantiles of each row and their standard errors, both of shape (n_rows, 3).

    Notes
    -----
    A document's probability p is a share of S samples, with variance p(1 − p) / S, and moves F(k) by −pmf₋(k), the
    probability of k without that document. So F(k) has the variance Σ pmf₋(k)² p(1 − p) / S by the delta method. Its
    normal score is taken as normal, since a shift of the count shifts that evenly, and F itself less in the tails.
    """
    quantiles = np.zeros((len(tally.cells), len(LEVELS)), dtype=np.int64)
    errors = np.zeros(quantiles.shape)
    p = np.arange(tally.n_samples + 1) / tally.n_samples
    for row, shares in enumerate(tally.shares):
        counts = poisson_binomial(np.repeat(p[1:], shares[1:]))
        quantiles[row] = counts.quantile(np.array(LEVELS))
        errors[row] = _exact_errors(counts, p, shares / tally.n_samples)
    return quantiles, errors


def sample_quantiles(tally: Tally) -> tuple[Ints, Floats]:
    """Quantiles of the samples and their standard errors: the smallest count that this share of them does not exceed.

    Notes
    -----
    The quantile is at most k when enough of S new samples are, which is binomial with the share of these samples.
    """
    quantiles = np.quantile(tally.samples, LEVELS, axis=1, method="inverted_cdf").T.astype(np.int64)
    enough = np.ceil(np.array(LEVELS) * tally.n_samples - 1e-9)
    errors = np.zeros(quantiles.shape)
    for row, samples in enumerate(tally.samples):
        values, numbers = np.unique(samples, return_counts=True)
        share = np.cumsum(numbers) / tally.n_samples
        for column, n in enumerate(enough):
            errors[row, column] = _spread(bdtrc(n - 1, tally.n_samples, share), values)
    return quantiles, errors


def _exact_errors(counts: PoissonBinomial, p: Floats, weight: Floats) -> Floats:
    """Standard error of each quantile of one row; `weight` is the number of documents with each p, over S."""
    uncertain = np.flatnonzero((weight > 0) & (p > 0) & (p < 1))
    if not len(uncertain):
        return np.zeros(len(LEVELS))
    cdf = np.clip(counts.cdf, _EDGE, 1 - _EDGE)
    spread = np.sqrt(_cdf_variance(counts.pmf, p[uncertain], weight[uncertain]))
    score, values = ndtri(cdf), np.arange(len(cdf))
    with np.errstate(divide="ignore", over="ignore"):
        steepness = np.exp(-(score**2) / 2) / np.sqrt(2 * np.pi) / spread  # infinite where F cannot move
    return np.array([_spread(ndtr((score - ndtri(level)) * steepness), values) for level in LEVELS])


def _spread(at_most: Floats, values: Ints) -> float:
    """Standard deviation of a whole number, from its probabilities of being at most each value."""
    reached = np.maximum.accumulate(at_most)
    reached[-1] = 1.0
    mass = np.diff(reached, prepend=0.0)
    mean = float(mass @ values)
    return float(np.sqrt(mass @ (values - mean) ** 2))


@kernel
def _cdf_variance(pmf: Floats, p: Floats, weight: Floats) -> Floats:
    """Variance of every F(k): takes one document at a time out of the pmf, from the end that amplifies no error."""
    n = len(pmf) - 1
    variance = np.zeros(n + 1)
    for d in range(len(p)):
        one, without = p[d], 0.0
        spread = weight[d] * one * (1.0 - one)
        if one <= 0.5:
            for k in range(n):
                without = max((pmf[k] - without * one) / (1.0 - one), 0.0)
                variance[k] += spread * without * without
        else:
            for k in range(n, 0, -1):
                without = max((pmf[k] - without * (1.0 - one)) / one, 0.0)
                variance[k - 1] += spread * without * without
    return variance
