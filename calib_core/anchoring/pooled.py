"""Counts of small cells by partial pooling: a model of the labels, for cells that hold few of them.

logit P(event) = logit f̄ + effect of score bin and stratum + effect of country + effect of quarter, for each row. A cell
without labels leans on its country, its quarter and its scores. Unlike the difference estimator, this rests on the
assumption that these effects add up; and like it, it counts a finite archive: what was read is known.

Covers: the penalised fit, the spread of effects weighed over a grid, joint draws of all cells.
Not here: intervals guaranteed by the design (`interval`).
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.sparse import csr_array
from scipy.special import expit, logit, softmax

from calib_core.anchoring.cold import ColdStratum
from calib_core.anchoring.difference import SCORE_EDGES, Sampled
from calib_core.arrays import Floats, Ints
from calib_core.calibration.inputs import check_at_least, check_tags

POOL_SPREAD = 2.0  # standard deviation of the effect of a score bin: labels overrule the model with ease
SPREADS = (0.1, 0.3, 0.6, 1.0)  # of the effects of countries, and of quarters: each pair is tried
COLD_PRIOR = (0.1, 1.0)  # beta prior of an event in a cold document; its mean must not outweigh what the labels say
_LEAST = 0.01  # mean scores are moved this far from 0 and 1 before their logit is taken
_STEPS, _LARGEST_STEP, _CLOSE = 100, 2.0, 1e-10
APPLY = 3
"""Effects that bear on a pool: of its score bin and stratum, its country, its quarter."""


@dataclass(frozen=True, slots=True)
class Pools:
    """Rows that the model cannot tell apart, counted: arrays of shape (n_pools,), and `effects`."""

    cell: Ints
    """Country · n_quarters + quarter."""
    effects: csr_array
    """0 or 1, shape (n_pools, n_effects): which effects apply, `APPLY` of them to each pool."""
    offset: Floats
    unread: Ints
    unsure: Ints
    """Rows that were drawn and remain unsure or skipped."""
    read: Ints
    """Rows with a sure label."""
    found: Ints
    """Events among those."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Normal approximation of the effects for one pair of spreads."""

    mode: Floats
    factor: Floats
    """Lower Cholesky factor of the curvature."""
    evidence: float
    """Log marginal likelihood of the labels (Laplace)."""


def pooled_draws(
    sampled: Sampled,
    country: Ints,
    quarter: Ints,
    cold: ColdStratum,
    *,
    shape: tuple[int, int] | None = None,
    n_draws: int = 1000,
    seed: int = 0,
) -> Ints:
    """Joint draws of the number of events in each cell, shape (n_draws, n_countries, n_quarters).

    Sum over axes for countries, quarters and the total.

    Parameters
    ----------
    country, quarter : shape (n_rows,)
        Of each row of `sampled`, from 0 up. The columns of `sampled.members` are not read.
    cold : ColdStratum
        Its groups are the cells, country by country.
    shape : (n_countries, n_quarters)
        By default just enough for the rows.

    Notes
    -----
    A draw is the events read, plus a binomial of the unread and unsure rows of each pool. Events hidden in the cold
    stratum are drawn in total, then spread over cells as the other events are: a prior for every cell would add up.
    """
    check_at_least("n_draws", n_draws, 1)
    shape = shape or (int(country.max()) + 1, int(quarter.max()) + 1)
    if len(cold.low) != shape[0] * shape[1]:
        raise ValueError(f"cold must have a group per cell, {shape[0] * shape[1]}; got {len(cold.low)}")
    rng, pools = np.random.default_rng(seed), pool_rows(sampled, country, quarter, shape)
    chances = _chances(pools, shape, n_draws, rng)
    events = pools.found + rng.binomial(pools.unread + pools.unsure, chances)
    n_pools, n_cells = len(pools.cell), shape[0] * shape[1]
    to_cell = csr_array((np.ones(n_pools), (pools.cell, np.arange(n_pools))), shape=(n_cells, n_pools))
    expected: Floats = (to_cell @ (chances * (pools.unread + pools.unsure + pools.read)).T).T
    found: Ints = (to_cell @ events.T).T.round().astype(np.int64)
    counts = found + cold.low + hidden_draws(cold, expected, rng)
    return counts.reshape(n_draws, *shape)


def pool_rows(sampled: Sampled, country: Ints, quarter: Ints, shape: tuple[int, int] | None = None) -> Pools:
    """Count the rows of each score bin, stratum, country and quarter that occur together."""
    n_countries, n_quarters = shape or (int(country.max()) + 1, int(quarter.max()) + 1)
    check_tags(country, n_countries, "country")
    check_tags(quarter, n_quarters, "quarter")
    bins = sampled.stratum[sampled.document] * (len(SCORE_EDGES) + 1)
    bins = np.unique(bins + np.searchsorted(SCORE_EDGES, sampled.score, "right"), return_inverse=True)[1]
    mean = np.bincount(bins, sampled.score) / np.bincount(bins)
    keys, pool = np.unique(np.column_stack([bins, country, quarter]), axis=0, return_inverse=True)
    seen, doubt = sampled.row_labelled, sampled.row_labelled & (sampled.low < sampled.high)
    sure = seen & ~doubt

    def count(mask: np.ndarray) -> Ints:
        return np.bincount(pool.ravel(), mask, minlength=len(keys)).astype(np.int64)

    columns = keys + np.array([0, len(mean), len(mean) + n_countries])
    entries = (np.ones(columns.size), columns.ravel(), np.arange(0, columns.size + 1, APPLY))
    return Pools(
        cell=keys[:, 1] * n_quarters + keys[:, 2],
        effects=csr_array(entries, shape=(len(keys), len(mean) + n_countries + n_quarters)),
        offset=logit(np.clip(mean, _LEAST, 1.0 - _LEAST))[keys[:, 0]],
        unread=count(~seen),
        unsure=count(doubt),
        read=count(sure),
        found=count(sure & (sampled.low > 0.5)),
    )


def fit_effects(pools: Pools, spread: Floats, start: Floats | None = None) -> Fit:
    """Mode and curvature of the effects, whose prior standard deviations are `spread`, by Newton's method.

    The curvature is summed over the pairs of effects that meet in a pool: each pool has few.
    """
    used, size = pools.read > 0, len(spread)
    n, y, offset = pools.read[used], pools.found[used], pools.offset[used]
    columns = pools.effects[np.flatnonzero(used)].indices.reshape(-1, APPLY)
    pairs = (columns[:, :, None] * size + columns[:, None, :]).ravel()
    mode, prior = np.zeros(size) if start is None else start, 1.0 / spread**2
    for _ in range(_STEPS):
        p = expit(offset + mode[columns].sum(axis=1))
        curvature = np.bincount(pairs, np.repeat(n * p * (1.0 - p), APPLY**2), size * size).reshape(size, size)
        factor = np.linalg.cholesky(curvature + np.diag(prior))
        slope = np.bincount(columns.ravel(), np.repeat(y - n * p, APPLY), size) - prior * mode
        step = cho_solve((factor, True), slope)
        mode = mode + step * min(1.0, _LARGEST_STEP / max(float(np.abs(step).max()), _CLOSE))
        if np.abs(step).max() < _CLOSE:
            break
    z = offset + mode[columns].sum(axis=1)
    likelihood = float(y @ z - n @ np.logaddexp(0.0, z) - prior @ mode**2 / 2.0)
    return Fit(mode, factor, likelihood - float(np.log(spread).sum() + np.log(np.diag(factor)).sum()))


def _chances(pools: Pools, shape: tuple[int, int], n_draws: int, rng: np.random.Generator) -> Floats:
    """Draws of each pool's probability, shape (n_draws, n_pools), over all pairs of spreads by their evidence."""
    n_bins = pools.effects.shape[1] - sum(shape)
    fits: list[Fit] = []
    for by_country, by_quarter in product(SPREADS, SPREADS):
        spread = np.repeat([POOL_SPREAD, by_country, by_quarter], [n_bins, *shape])
        fits.append(fit_effects(pools, spread, fits[-1].mode if fits else None))
    share = softmax([fit.evidence for fit in fits])
    parts = []
    for fit, n in zip(fits, rng.multinomial(n_draws, share), strict=True):
        noise = rng.standard_normal((len(fit.mode), n))
        effects = fit.mode[:, None] + solve_triangular(fit.factor.T, noise, lower=False)
        parts.append(expit(pools.offset[:, None] + pools.effects @ effects).T)
    return rng.permutation(np.vstack(parts))


def hidden_draws(cold: ColdStratum, expected: Floats, rng: np.random.Generator) -> Ints:
    """Draws of the events in unread cold documents, spread over cells as `expected` is: shape (n_draws, n_cells)."""
    found = min(int(cold.low.sum()), cold.labelled)
    rate = rng.beta(found + COLD_PRIOR[0], cold.labelled - found + COLD_PRIOR[1], size=len(expected))
    total = rng.binomial(cold.size - cold.labelled, rate)
    counts = np.zeros(expected.shape, dtype=np.int64)
    for number in np.flatnonzero(total).tolist():  # mostly none is hidden
        edges = np.cumsum(expected[number])
        cells = np.searchsorted(edges, rng.random(total[number]) * edges[-1], "right")
        counts[number] = np.bincount(np.minimum(cells, len(edges) - 1), minlength=len(edges))
    return counts
