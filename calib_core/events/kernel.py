"""The event question on sampled clusterings, without ever building a cluster.

The draws are those of `calib_core.coref.sample_clusterings`: sample s lets mention j take the first entry, in stored
order, whose cumulative probability exceeds uniform(key, s * 2**32 + j). Mentions attach to earlier ones only, so one
pass from the last mention to the first suffices: each mention holds what the mentions attached to it have said so far
(country, agent or not), hands it to the antecedent it draws, or, drawing NEW, closes an entity. A mention that holds
nothing has nothing to hand on, so it need not draw: random numbers go by counter, so skipping one changes no other.

Covers: numba kernels over ragged arrays of many documents.
Not here: preparing the arrays and labelling the answer (`sampling`).
"""

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.posterior.decoding import decode_summed
from calib_core.kernels import kernel
from calib_core.randomness import uniform

States = NDArray[np.uint32]
Counts = NDArray[np.uint16]
Keys = NDArray[np.uint64]

# What part of an entity says is one number, so that parts are merged by `or`: 15 bits of the country's number (from 1),
# 15 bits of its complement, one bit for an agent. Two countries differ in some bit, which is then set in both halves.
_HALF = 15
_LOW = np.uint32(0x7FFF)
_NAMED = np.uint32(0x3FFFFFFF)
_AGENT = np.uint32(0x40000000)
MAX_CODES = 0x7FFE
MAX_COUNT = 0xFFFF
"""Entities of one document and country that are told apart in a sample: further ones do not raise the count."""

_STRIDE = np.uint64(2**32)
_GUIDE = 64
_WORTH_A_GUIDE = 24  # draws of one mention


@kernel
def _own_state(country: int, agent: bool) -> np.uint32:
    """What a mention says by itself; 0 says nothing, and a mention of several countries sets every bit."""
    said = np.uint32(0)
    if country >= 0:
        number = np.uint32(country + 1)
        said = np.uint32(number | ((~number & _LOW) << _HALF))
    elif country < -1:
        said = _NAMED
    return np.uint32(said | (_AGENT if agent else np.uint32(0)))


@kernel
def _close(state: np.uint32, rows: Ints, counts: Counts, base: int, sample: int) -> None:
    """Count an entity that is complete, if it has an agent and one country that is asked for; stops at `MAX_COUNT`."""
    named = state & _NAMED
    if state < _AGENT or named == 0 or named & (named >> _HALF):
        return
    for row in range(len(rows)):
        if rows[row] == np.int64(named & _LOW) - 1 and counts[base + row, sample] < MAX_COUNT:
            counts[base + row, sample] += 1


@kernel
def _fill_guide(cumulative: Floats, start: int, end: int, guide: Ints) -> None:
    """For each 64th of [0, 1), the first entry that a draw from it can take."""
    part = 0
    for k in range(start, end):
        reached = int(cumulative[k] * _GUIDE)
        while part <= reached and part < _GUIDE:
            guide[part] = k
            part += 1


@kernel
def _guided(cumulative: Floats, guide: Ints, u: float) -> int:
    """The first entry whose cumulative probability exceeds u, from where the guide says."""
    k: int = guide[int(u * _GUIDE)]
    k += cumulative[k] <= u  # a step without a branch, which would be mispredicted half of the time
    while cumulative[k] <= u:
        k += 1
    return k


@kernel
def _halved(cumulative: Floats, start: int, end: int, u: float) -> int:
    """The same by halving, for a mention with few draws."""
    n = end - start
    while n > 1:
        half = n >> 1
        start += half * (cumulative[start + half - 1] <= u)
        n -= half
    return start


@kernel
def draw_antecedents(
    j: int, key: np.uint64, first: int, end: int, candidates: Ints, cumulative: Floats, samples: Ints, drawn: Ints
) -> None:
    """The antecedent of mention j in each of some samples, in the samples' order."""
    guided = len(samples) >= _WORTH_A_GUIDE
    guide = np.empty(_GUIDE if guided else 0, dtype=np.int64)
    if guided:
        _fill_guide(cumulative, first, end, guide)
    for i, s in enumerate(samples):
        u = uniform(key, np.uint64(s) * _STRIDE + np.uint64(j))
        drawn[i] = candidates[_guided(cumulative, guide, u) if guided else _halved(cumulative, first, end, u)]


@kernel
def _hand_on(
    j: int, key: np.uint64, first: int, end: int, candidates: Ints, cumulative: Floats, states: States,
    samples: Ints, closed: Ints, guide: Ints,
) -> int:  # fmt: skip
    """Draw the antecedent of mention j in some samples and merge; lists those that drew NEW and says how many did."""
    guided = len(samples) >= _WORTH_A_GUIDE
    if guided:
        _fill_guide(cumulative, first, end, guide)
    n_closed = 0
    for s in samples:
        u = uniform(key, np.uint64(s) * _STRIDE + np.uint64(j))
        antecedent = candidates[_guided(cumulative, guide, u) if guided else _halved(cumulative, first, end, u)]
        # Without branches again: NEW lists the sample and writes to row -1, the last, which nobody reads.
        closed[n_closed] = s
        n_closed += antecedent < 0
        states[antecedent, s] |= states[j, s]
    return n_closed


@kernel
def _sample_document(
    start: int, n: int, country: Ints, agent: Bools, which: Ints, offsets: Ints, candidates: Ints, cumulative: Floats,
    key: np.uint64, states: States, rows: Ints, counts: Counts, base: int,
) -> None:  # fmt: skip
    """All samples of one document, whose mentions begin at `start`; writes counts[base + row, sample]."""
    n_samples = counts.shape[1]
    needed, closed = np.empty(n_samples, dtype=np.int64), np.empty(n_samples, dtype=np.int64)
    guide = np.empty(_GUIDE, dtype=np.int64)
    for j in range(n):
        states[j, :] = _own_state(country[j], agent[j])
    for s in range(n_samples if len(country) > n else 0):  # several readings
        for j in range(n):
            at = which[s] * n + j
            states[j, s] = _own_state(country[at], agent[at])
    for j in range(n - 1, -1, -1):
        n_needed = 0
        for s in range(n_samples):
            needed[n_needed] = s
            n_needed += states[j, s] != 0
        n_closed = _hand_on(
            j, key, offsets[start + j], offsets[start + j + 1], candidates, cumulative, states,
            needed[:n_needed], closed, guide,
        )  # fmt: skip
        for s in closed[:n_closed]:
            _close(states[j, s], rows, counts, base, s)


@kernel
def sample_batch(
    mentions: Ints, starts: Ints, which: Ints, country: Ints, agent: Bools, offsets: Ints, candidates: Ints,
    cumulative: Floats, keys: Keys, row_offsets: Ints, row_country: Ints, counts: Counts,
) -> None:  # fmt: skip
    """Answer for every document of a batch; documents without rows are not looked at.

    Parameters
    ----------
    mentions : shape (n_documents + 1,)
        Document d owns mentions `mentions[d]:mentions[d + 1]`.
    starts : shape (n_documents + 1,)
        Where the evidence of document d begins: one block of its mentions for each of its readings.
    which : shape (n_documents, n_samples)
        The reading, from 0, of each sample.
    country, agent : shape (starts[-1],)
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
    states = np.zeros((longest + 1, counts.shape[1]), dtype=np.uint32)
    for d in range(len(keys)):
        first, last = mentions[d], mentions[d + 1]
        base, end = row_offsets[d], row_offsets[d + 1]
        at, beyond = starts[d], starts[d + 1]
        if base < end:
            _sample_document(
                first, last - first, country[at:beyond], agent[at:beyond], which[d], offsets, candidates, cumulative,
                keys[d], states, row_country[base:end], counts, base,
            )  # fmt: skip


@kernel
def best_batch(
    mentions: Ints, starts: Ints, country: Ints, agent: Bools, offsets: Ints, candidates: Ints, odds: Floats,
    new_factor: float, row_offsets: Ints, row_country: Ints, counts: Counts,
) -> None:  # fmt: skip
    """As `sample_batch` for the 1-best clustering, which is that of `map_clustering`, with each first reading.

    Parameters
    ----------
    odds : shape (n_entries,)
        From `antecedent_odds`.
    new_factor : float
        What the odds of NEW are multiplied by before it is compared with the best entity.
    """
    for d in range(len(mentions) - 1):
        first, last, base, end = mentions[d], mentions[d + 1], row_offsets[d], row_offsets[d + 1]
        if base == end:
            continue
        entity = decode_summed(offsets[first : last + 1], candidates, odds, new_factor)
        states = np.zeros(last - first, dtype=np.uint32)
        for j in range(last - first):
            states[entity[j]] |= _own_state(country[starts[d] + j], agent[starts[d] + j])
        for state in states:
            _close(state, row_country[base:end], counts, base, 0)


@kernel
def given_clusterings(country: Ints, agent: Bools, entities: Ints, rows: Ints, counts: Counts) -> None:
    """As `sample_batch` for one document whose clusterings are given: entities[sample, mention] counts from 0."""
    for s in range(entities.shape[0]):
        states = np.zeros(entities[s].max() + 1, dtype=np.uint32)
        for j in range(len(country)):
            states[entities[s, j]] |= _own_state(country[j], agent[j])
        for state in states:
            _close(state, rows, counts, 0, s)
