"""The event question on sampled clusterings, without ever building a cluster.

The draws are those of `calib_core.coref.sample_clusterings`: sample s lets mention j take the first entry, in stored
order, whose cumulative probability exceeds uniform(key, s * 2**32 + j). Mentions attach to earlier ones only, so one
pass from the last mention to the first suffices: each mention holds what the mentions attached to it have said so far
(country, agent or not), hands it to the antecedent it draws, or, drawing NEW, closes an entity. A mention that holds
nothing has nothing to hand on, so it need not draw: random numbers go by counter, so skipping one changes no other.

Covers: numba kernels over ragged arrays of many documents.
Not here: preparing the arrays and labelling the answer (`sampling`).
"""

import numba as nb
import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats, Ints
from calib_core.randomness import uniform

States = NDArray[np.int16]
Counts = NDArray[np.uint16]
Keys = NDArray[np.uint64]

MAX_CODES = 16_000
_SEVERAL = np.int16(16_383)  # a state is twice the country's number (from 1) plus 1 for an agent; this is no country's
_STRIDE = np.uint64(2**32)
_GUIDE = 64


def cumulative_probabilities(offsets: Ints, logits: Floats) -> Floats:
    """Cumulative P(antecedent) within each mention's entries, in exactly the arithmetic of `calib_core.coref`."""
    odds = _below_top(offsets, logits)
    np.exp(odds, out=odds)  # numpy's exponential is vectorised, numba's is not
    _cumulate(offsets, odds)
    return odds


@nb.njit(cache=True)
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


@nb.njit(cache=True)
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
        odds[offsets[j + 1] - 1] = 1.0


@nb.njit(cache=True)
def _own_state(country: int, agent: bool) -> np.int16:
    """What a mention says by itself; 0 says nothing."""
    number = _SEVERAL if country < -1 else np.int16(country + 1)
    return np.int16(2 * number + (1 if agent else 0))


@nb.njit(cache=True)
def _merged(one: np.int16, other: np.int16) -> np.int16:
    """What two parts of an entity say together: several countries once there are two."""
    a, b = one >> 1, other >> 1
    number = a if (b == 0 or a == b) else (b if a == 0 else _SEVERAL)
    return np.int16((number << 1) | ((one | other) & 1))


@nb.njit(cache=True)
def _close(state: np.int16, rows: Ints, counts: Counts, base: int, sample: int) -> None:
    """Count an entity that is complete, if it has an agent and one country that is asked for."""
    number = state >> 1
    if state & 1 and number != 0 and number != _SEVERAL:
        for row in range(len(rows)):
            if rows[row] == number - 1:
                counts[base + row, sample] += 1


@nb.njit(cache=True)
def _fill_guide(cumulative: Floats, start: int, end: int, guide: Ints) -> None:
    """For each 64th of [0, 1), the first entry that a draw from it can take."""
    k = start
    for part in range(_GUIDE):
        while k < end - 1 and cumulative[k] <= part / _GUIDE:
            k += 1
        guide[part] = k


@nb.njit(cache=True)
def _draw(cumulative: Floats, guide: Ints, u: float) -> int:
    """The entry that u takes."""
    k: int = guide[int(u * _GUIDE)]
    k += cumulative[k] <= u  # two steps without a branch, which would be mispredicted half of the time
    k += cumulative[k] <= u
    while cumulative[k] <= u:
        k += 1
    return k


@nb.njit(cache=True)
def _sample_document(
    start: int, country: Ints, agent: Bools, offsets: Ints, candidates: Ints, cumulative: Floats, key: np.uint64,
    states: States, rows: Ints, counts: Counts, base: int,
) -> None:  # fmt: skip
    """All samples of one document, whose mentions begin at `start`; writes counts[base + row, sample]."""
    n, n_samples = len(country), counts.shape[1]
    guide = np.empty(_GUIDE, dtype=np.int64)
    needed = np.empty(n_samples, dtype=np.int64)
    for j in range(n):
        states[j, :] = _own_state(country[j], agent[j])
    for j in range(n - 1, -1, -1):
        n_needed = 0
        for s in range(n_samples):
            needed[n_needed] = s
            n_needed += states[j, s] != 0
        if n_needed:
            _fill_guide(cumulative, offsets[start + j], offsets[start + j + 1], guide)
        for s in needed[:n_needed]:
            k = _draw(cumulative, guide, uniform(key, np.uint64(s) * _STRIDE + np.uint64(j)))
            antecedent = candidates[k]
            if antecedent < 0:
                _close(states[j, s], rows, counts, base, s)
            else:
                states[antecedent, s] = _merged(states[antecedent, s], states[j, s])


@nb.njit(cache=True)
def sample_batch(
    mentions: Ints, country: Ints, agent: Bools, offsets: Ints, candidates: Ints, cumulative: Floats, keys: Keys,
    row_offsets: Ints, row_country: Ints, counts: Counts,
) -> None:  # fmt: skip
    """Answer for every document of a batch; documents without rows are not looked at.

    Parameters
    ----------
    mentions : shape (n_documents + 1,)
        Document d owns mentions `mentions[d]:mentions[d + 1]`.
    country, agent : shape (n_mentions,)
        As in `Evidence`.
    offsets, candidates, cumulative
        Antecedents of all mentions one after another; candidates count from the document's first mention.
    keys : shape (n_documents,)
    row_offsets, row_country
        Document d owns rows `row_offsets[d]:row_offsets[d + 1]`, one per country that it can count for.
    counts : shape (n_rows, n_samples)
        Zero on entry; the number of fulfilling entities on return.
    """
    longest = 0
    for d in range(len(keys)):
        longest = max(longest, mentions[d + 1] - mentions[d])
    states = np.empty((longest, counts.shape[1]), dtype=np.int16)
    for d in range(len(keys)):
        first, last = mentions[d], mentions[d + 1]
        base, end = row_offsets[d], row_offsets[d + 1]
        if base < end:
            _sample_document(
                first, country[first:last], agent[first:last], offsets, candidates, cumulative, keys[d],
                states, row_country[base:end], counts, base,
            )  # fmt: skip


@nb.njit(cache=True)
def best_batch(
    mentions: Ints, country: Ints, agent: Bools, offsets: Ints, candidates: Ints, logits: Floats,
    row_offsets: Ints, row_country: Ints, counts: Counts,
) -> None:  # fmt: skip
    """As `sample_batch` for the one clustering in which each mention takes its most probable antecedent."""
    states = np.empty(len(country), dtype=np.int16)
    for d in range(len(mentions) - 1):
        first, base, end = mentions[d], row_offsets[d], row_offsets[d + 1]
        if base == end:
            continue
        for j in range(first, mentions[d + 1]):
            states[j] = _own_state(country[j], agent[j])
        for j in range(mentions[d + 1] - 1, first - 1, -1):
            antecedent = candidates[offsets[j] + np.argmax(logits[offsets[j] : offsets[j + 1]])]
            if antecedent < 0:
                _close(states[j], row_country[base:end], counts, base, 0)
            else:
                states[first + antecedent] = _merged(states[first + antecedent], states[j])


@nb.njit(cache=True)
def given_clusterings(country: Ints, agent: Bools, entities: Ints, rows: Ints, counts: Counts) -> None:
    """As `sample_batch` for one document whose clusterings are given: entities[sample, mention] is any label."""
    states = np.zeros(0, dtype=np.int16)
    for s in range(entities.shape[0]):
        states = np.zeros(entities[s].max() + 1, dtype=np.int16)
        for j in range(len(country)):
            states[entities[s, j]] = _merged(states[entities[s, j]], _own_state(country[j], agent[j]))
        for state in states:
            _close(state, rows, counts, 0, s)


@nb.njit(cache=True)
def countries_of(mentions: Ints, country: Ints, agent: Bools, reported: Bools, offsets: Ints, out: Ints) -> int:
    """List the reported countries of each document that has an agent, ascending; returns the number of rows.

    `offsets` (n_documents + 1,) and `out` (n_mentions,) are filled.
    """
    n_rows = 0
    for d in range(len(mentions) - 1):
        offsets[d] = n_rows
        first, last = mentions[d], mentions[d + 1]
        if not agent[first:last].any():
            continue
        for code in np.unique(country[first:last]):
            if code >= 0 and reported[code]:
                out[n_rows] = code
                n_rows += 1
    offsets[len(mentions) - 1] = n_rows
    return n_rows


@nb.njit(cache=True)
def first_fault(mentions: Ints, offsets: Ints, candidates: Ints, logits: Floats) -> tuple[int, int, int]:
    """Document, mention and entry of the first antecedent that breaks the contract; (-1, -1, -1) if none does."""
    for d in range(len(mentions) - 1):
        for j in range(mentions[d], mentions[d + 1]):
            mention, last = j - mentions[d], offsets[j + 1] - 1
            if last < offsets[j]:
                return d, mention, -1
            for k in range(offsets[j], last + 1):
                right = candidates[k] == -1 if k == last else -1 <= candidates[k] < mention
                if not right or np.isnan(logits[k]) or logits[k] == np.inf or (k == last and logits[k] == -np.inf):
                    return d, mention, k
    return -1, -1, -1
