"""Independent samples of whole clusterings from the antecedent distributions.

Covers: the sampler of Nguyen & O'Connor (2015, section 5.2), with counter-based random numbers.
Not here: exact probabilities of pairs (`marginals`), what is asked of each sample (`calib_core.events`).

The contract with any other kernel that walks the same samples: the draw of sample s and mention j is
`uniform(key, s * 2**32 + j)`; it takes the first entry, in stored order, whose cumulative probability exceeds it
(`cumulative_probabilities`, whose last entry, NEW, is exactly 1).
"""

import numba as nb
import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Floats, Ints
from calib_core.coref.model.antecedents import Antecedents
from calib_core.kernels import kernel, kernel_with
from calib_core.randomness import uniform

Entities = NDArray[np.int32]

_STRIDE = np.uint64(2**32)


@kernel_with(fastmath={"nnan", "nsz"})  # lets the maximum be vectorised; logits are never NaN
def _below_top(offsets: Ints, logits: Floats) -> Floats:
    """Each logit less the largest of its mention."""
    shifted = np.empty(len(logits))
    for j in range(len(offsets) - 1):
        top = -np.inf
        for k in range(offsets[j], offsets[j + 1]):
            top = max(top, logits[k])
        for k in range(offsets[j], offsets[j + 1]):
            shifted[k] = logits[k] - top
    return shifted


@kernel
def _cumulate(offsets: Ints, odds: Floats) -> None:
    """Replace the odds of each mention by their running sums, divided by the last."""
    for j in range(len(offsets) - 1):
        total = 0.0
        for k in range(offsets[j], offsets[j + 1]):
            total += odds[k]
            odds[k] = total
        scale = 1.0 / total
        for k in range(offsets[j], offsets[j + 1]):
            odds[k] *= scale
        odds[offsets[j + 1] - 1] = 1.0  # despite rounding, no draw passes the last entry


def cumulative_probabilities(antecedents: Antecedents) -> Floats:
    """Cumulative P(antecedent) within each mention's entries, shape (n_entries,): what the draws are compared with."""
    return cumulated(antecedents.offsets, antecedent_odds(antecedents))


def cumulated(offsets: Ints, odds: Floats) -> Floats:
    """Cumulative probabilities from odds, in their place."""
    _cumulate(offsets, odds)
    return odds


def antecedent_odds(antecedents: Antecedents) -> Floats:
    """P(antecedent) of every entry over that of its mention's most probable entry, shape (n_entries,)."""
    odds = _below_top(antecedents.offsets, antecedents.logits)
    np.exp(odds, out=odds)  # numpy's exponential is vectorised, numba's is not
    return odds


def sample_clusterings(antecedents: Antecedents, n_samples: int, *, key: int, first_sample: int = 0) -> Entities:
    """Draw clusterings of one document.

    Parameters
    ----------
    antecedents : Antecedents
    n_samples : int
    key : int
        64-bit key of the document's stream (`calib_core.randomness.document_key`).
    first_sample : int
        Number of the first sample, so that samples 0 to 99 can be drawn in any batches with one result.

    Returns
    -------
    shape (n_samples, n_mentions)
        Entity of each mention in each sample: the number of the mention that started it, so two mentions corefer
        exactly if their numbers are equal.
    """
    if n_samples < 0 or first_sample < 0 or first_sample + n_samples >= 2**32:
        raise ValueError(f"samples {first_sample} to {first_sample + n_samples} are not within 0 and 2**32")
    entities = np.empty((n_samples, len(antecedents)), dtype=np.int32)
    _sample(
        antecedents.offsets, antecedents.candidates, cumulative_probabilities(antecedents),
        np.uint64(key), np.uint64(first_sample), entities,
    )  # fmt: skip
    return entities


def sample_antecedents(antecedents: Antecedents, n_samples: int, *, key: int) -> Entities:
    """The draws themselves: antecedent of each mention in each sample, `NEW` (-1) if it starts an entity.

    Shape (n_samples, n_mentions). Following them gives exactly `sample_clusterings`; they also say along which links.
    """
    if not 0 <= n_samples < 2**32:
        raise ValueError(f"n_samples must lie in [0, 2**32); got {n_samples}")
    drawn = np.empty((n_samples, len(antecedents)), dtype=np.int32)
    cumulative = cumulative_probabilities(antecedents)
    _draw(antecedents.offsets, antecedents.candidates, cumulative, np.uint64(key), drawn)
    return drawn


@kernel
def _draw(offsets: Ints, candidates: Ints, cumulative: Floats, key: np.uint64, drawn: Entities) -> None:
    """Bisection: for single documents, not for speed."""
    for s in range(drawn.shape[0]):
        for j in range(drawn.shape[1]):
            u = uniform(key, np.uint64(s) * _STRIDE + np.uint64(j))
            start = offsets[j]
            drawn[s, j] = candidates[start + np.searchsorted(cumulative[start : offsets[j + 1]], u, side="right")]


@kernel
def _sample(
    offsets: Ints, candidates: Ints, cumulative: Floats, key: np.uint64, first: np.uint64, entities: Entities
) -> None:
    """Mention by mention, so that its cumulative probabilities stay in the cache for all samples."""
    n_samples, n = entities.shape
    rows = np.empty((n, n_samples), dtype=np.int32)
    guide = np.empty(64, dtype=np.int64)
    draws = np.empty(n_samples)
    for j in range(n):
        start, end = offsets[j], offsets[j + 1]
        if end - start == 1:
            rows[j, :] = j
            continue
        _fill_guide(cumulative, start, end, guide)
        for s in range(n_samples):
            draws[s] = uniform(key, (first + np.uint64(s)) * _STRIDE + np.uint64(j))
        for s in range(n_samples):
            u = draws[s]
            k = guide[int(u * 64.0)]
            k += cumulative[k] <= u  # two steps without a branch, which would be mispredicted half of the time
            k += cumulative[k] <= u
            while cumulative[k] <= u:
                k += 1
            rows[j, s] = j if candidates[k] < 0 else rows[candidates[k], s]
    for s in range(n_samples):
        for j in range(n):
            entities[s, j] = rows[j, s]


@nb.njit()
def _fill_guide(cumulative: Floats, start: int, end: int, guide: Ints) -> None:
    """For each 64th of [0, 1), the first entry that a draw from it can take: a search then starts next to its end."""
    k = start
    for part in range(64):
        while k < end - 1 and cumulative[k] <= part / 64.0:
            k += 1
        guide[part] = k
