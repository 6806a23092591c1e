"""The event question where answers join two entities: agent and target, possessor and possessed.

The draws, and the pass from the last mention to the first, are those of `kernel`. Here a mention that says something
also remembers the antecedent it drew, so that the entity at either end of an event can be looked up once the pass is
over: an entity is known by the mention that started it.

An entity says three things: its country and its actor as an agent, and its code as a target, each as in `kernel` (a
number and its complement, so that two differ in some bit). One more bit marks mentions needed for who they are.
A mention that names no country of its own takes that of its possessor's entity, if that has exactly one, and so on for
`STEPS` steps: "the army's gunners" are Iraq's if "its army" is, and "it" is Iraq.

Covers: numba kernels over ragged arrays of many documents, for queries with targets, possessors or actors.
Not here: queries without them (`kernel`), the arrays (`linked_batching`), a readable form of the same rules (`linked`).
"""

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Floats, Ints
from calib_core.coref.posterior.decoding import decode_summed
from calib_core.events.kernel import MAX_COUNT, Counts, Keys, draw_antecedents
from calib_core.kernels import kernel

Words = NDArray[np.uint64]
Draws = NDArray[np.int32]

STEPS = 2
"""How many possessors are followed: "its army's gunners" takes two."""

ANY, NO_CODE = -1, -2
"""Targets of a row: any target or none, and none that has a code."""

_HALF = np.uint64(15)
_LOW = np.uint64(0x7FFF)
_PART = np.uint64(0x3FFFFFFF)
_ACTOR = np.uint64(30)
_NEEDED = np.uint64(1 << 60)
_NOTHING = np.uint64(0)
_ONE = np.uint64(1)


@kernel
def said(number: int) -> np.uint64:
    """One part of what a mention says: a code's position, -1 for none, -2 for several."""
    if number >= 0:
        code = np.uint64(number + 1)
        return np.uint64(code | ((~code & _LOW) << _HALF))
    return _PART if number < -1 else _NOTHING


@kernel
def pack(country: Ints, actor: Ints, target: Ints, needed: NDArray[np.bool_], own: Words, aims: Words) -> None:
    """Fill `own` (country, actor and whether the mention is needed) and `aims` (target) of every mention."""
    for j in range(len(country)):
        own[j] = said(country[j]) | (said(actor[j]) << _ACTOR) | (_NEEDED if needed[j] else _NOTHING)
        aims[j] = said(target[j])


@kernel
def _code(state: np.uint64, shift: np.uint64) -> int:
    """The one code that a state holds in a part; -1 if it holds none, or several."""
    part = (state >> shift) & _PART
    if part == _NOTHING or part & (part >> _HALF):
        return -1
    return int(part & _LOW) - 1


@kernel
def _only(state: np.uint64, shift: np.uint64) -> np.uint64:
    """The part of a state, in place, if it holds one code; else nothing."""
    return np.uint64(((state >> shift) & _PART) << shift) if _code(state, shift) >= 0 else _NOTHING


@kernel
def _lacks(own: np.uint64, shift: np.uint64) -> bool:
    """Whether a mention itself says nothing in a part."""
    return (own >> shift) & _PART == _NOTHING


@kernel
def _inherit(
    roots: Ints, own: Words, aims: Words, states: Words, targets: Words, s: int, possessors: Ints,
    gained: Words, gained_aims: Words, fresh: Words, fresh_aims: Words,
) -> None:  # fmt: skip
    """Give each entity what its possessed mentions take from their possessors' entities; roots index all arrays."""
    for _ in range(STEPS):
        for k in range(len(possessors)):
            fresh[roots[possessors[k, 0]]] = _NOTHING
            fresh_aims[roots[possessors[k, 0]]] = _NOTHING
        for k in range(len(possessors)):
            m, p = possessors[k, 0], possessors[k, 1]
            state = states[roots[p], s] | gained[roots[p]]
            if _lacks(own[m], _NOTHING):
                fresh[roots[m]] |= _only(state, _NOTHING)
            if _lacks(own[m], _ACTOR):
                fresh[roots[m]] |= _only(state, _ACTOR)
            if _lacks(aims[m], _NOTHING):
                fresh_aims[roots[m]] |= _only(targets[roots[p], s] | gained_aims[roots[p]], _NOTHING)
        for k in range(len(possessors)):
            root = roots[possessors[k, 0]]
            gained[root], gained_aims[root] = fresh[root], fresh_aims[root]


@kernel
def _answer(
    roots: Ints, own: Words, aims: Words, states: Words, targets: Words, s: int, links: Ints, possessors: Ints,
    scratch: Words, found: Ints, rows: Ints, counts: Counts, base: int, sample: int,
) -> None:  # fmt: skip
    """Answer every row for one clustering; `scratch` is zero on entry and on return."""
    gained, gained_aims = scratch[0], scratch[1]
    if len(possessors):
        _inherit(roots, own, aims, states, targets, s, possessors, gained, gained_aims, scratch[2], scratch[3])
    if _look_up(roots, states, targets, s, links, gained, gained_aims, found):
        for row in range(len(rows)):
            counts[base + row, sample] = _count(found, len(links), rows[row, 0], rows[row, 1], rows[row, 2])
    for k in range(len(possessors)):
        for part in range(4):
            scratch[part, roots[possessors[k, 0]]] = _NOTHING


@kernel
def _look_up(
    roots: Ints, states: Words, targets: Words, s: int, links: Ints, gained: Words, gained_aims: Words, found: Ints
) -> bool:
    """Of each link its agent's entity, country, actor, target and whether any target has a code; is any agent coded."""
    some = False
    for e in range(len(links)):
        agent, target = roots[links[e, 1]], links[e, 2]
        state = states[agent, s] | gained[agent]
        found[e, 0], found[e, 1], found[e, 2] = agent, _code(state, _NOTHING), _code(state, _ACTOR)
        found[e, 3] = -1 if target < 0 else _code(targets[roots[target], s] | gained_aims[roots[target]], _NOTHING)
        found[e, 4] = found[e, 3] >= 0
        some = some or found[e, 1] >= 0 or found[e, 2] >= 0
        first = e  # one event and agent with several targets: "no code" holds if none of them has one
        while first > 0 and links[first - 1, 0] == links[e, 0] and links[first - 1, 1] == links[e, 1]:
            first -= 1
            found[e, 4] |= found[first, 4]
        for k in range(first, e):
            found[k, 4] = found[e, 4]
    return some


@kernel
def _count(found: Ints, n: int, country: int, actor: int, target: int) -> int:
    """Number of entities that are an agent as a row asks, each once; stops at `MAX_COUNT`."""
    counted = 0
    for e in range(n):
        if _fits(found, e, country, actor, target):
            again = False
            for k in range(e):
                again = again or (found[k, 0] == found[e, 0] and _fits(found, k, country, actor, target))
            counted += not again
    return min(counted, MAX_COUNT)


@kernel
def _fits(found: Ints, e: int, country: int, actor: int, target: int) -> bool:
    """Whether a link that was looked up is one of the row's."""
    if (country >= 0 and country != found[e, 1]) or (actor >= 0 and actor != found[e, 2]):
        return False
    return target == ANY or (found[e, 4] == 0 if target == NO_CODE else target == found[e, 3])


@kernel
def _root(j: int, drawn: Draws, s: int) -> int:
    """The mention that started the entity of mention j."""
    while drawn[j, s] >= 0:
        j = drawn[j, s]
    return j


@kernel
def _find_roots(roots: Ints, drawn: Draws, s: int, links: Ints, possessors: Ints) -> None:
    """Roots of every mention at an end of something."""
    for e in range(len(links)):
        roots[links[e, 1]] = _root(links[e, 1], drawn, s)
        if links[e, 2] >= 0:
            roots[links[e, 2]] = _root(links[e, 2], drawn, s)
    for k in range(len(possessors)):
        for end in range(2):
            roots[possessors[k, end]] = _root(possessors[k, end], drawn, s)


@kernel
def sample_linked(
    mentions: Ints, starts: Ints, readings: Ints, which: Ints, own: Words, aims: Words, link_offsets: Ints, links: Ints,
    possessor_offsets: Ints, possessors: Ints, offsets: Ints, candidates: Ints, cumulative: Floats, keys: Keys,
    row_offsets: Ints, rows: Ints, counts: Counts,
) -> None:  # fmt: skip
    """Answer for every document of a batch; documents without rows are not looked at.

    Parameters
    ----------
    mentions : shape (n_documents + 1,)
        Document d owns mentions `mentions[d]:mentions[d + 1]`.
    starts : shape (n_documents + 1,)
        Where the evidence of document d begins in `own` and `aims`: one block of its mentions for each reading.
    readings : shape (n_documents + 1,)
        Document d owns readings `readings[d]:readings[d + 1]`, which `link_offsets` and `possessor_offsets` count.
    which : shape (n_documents, n_samples)
        The reading, from 0, of each sample.
    own, aims
        From `pack`.
    link_offsets, links : shapes (n_readings + 1,), (n_links, 3)
        Event, agent and target (-1 for none) of each reading's events; mentions count from the document's first, links
        of one event and agent stand together.
    possessor_offsets, possessors : shapes (n_readings + 1,), (n_possessors, 2)
        Possessed and possessor.
    offsets, candidates, cumulative, keys
        As in `kernel.sample_batch`.
    row_offsets, rows : shapes (n_documents + 1,), (n_rows, 3)
        Country, actor and target that each row asks for; -1 for any.
    counts : shape (n_rows, n_samples)
        Zero on entry; the number of fulfilling entities on return.
    """
    n_samples, longest, most = counts.shape[1], _largest_block(mentions), _largest_block(link_offsets)
    states, targets = np.zeros((longest + 1, n_samples), np.uint64), np.zeros((longest + 1, n_samples), np.uint64)
    drawn, roots = np.empty((longest + 1, n_samples), np.int32), np.empty(longest + 1, np.int64)
    scratch, found = np.zeros((4, longest + 1), np.uint64), np.empty((most, 5), np.int64)
    for d in range(len(keys)):
        first, n, base = mentions[d], mentions[d + 1] - mentions[d], row_offsets[d]
        if base == row_offsets[d + 1]:
            continue
        _begin(n, own[starts[d] :], which[d], states)
        _begin(n, aims[starts[d] :], which[d], targets)
        _merge(n, offsets[first : first + n + 1], candidates, cumulative, keys[d], states, targets, drawn)
        for s in range(n_samples):
            r, at = readings[d] + which[d, s], starts[d] + which[d, s] * n
            mine = links[link_offsets[r] : link_offsets[r + 1]]
            owned = possessors[possessor_offsets[r] : possessor_offsets[r + 1]]
            _find_roots(roots, drawn, s, mine, owned)
            _answer(
                roots, own[at : at + n], aims[at : at + n], states, targets, s, mine, owned, scratch, found,
                rows[base : row_offsets[d + 1]], counts, base, s,
            )  # fmt: skip


@kernel
def _largest_block(offsets: Ints) -> int:
    """The largest difference between neighbours."""
    largest_so_far = 0
    for k in range(len(offsets) - 1):
        largest_so_far = max(largest_so_far, offsets[k + 1] - offsets[k])
    return largest_so_far


@kernel
def _begin(n: int, own: Words, which: Ints, states: Words) -> None:
    """What every mention says by itself, in each sample by its reading."""
    for j in range(n):
        for s in range(len(which)):
            states[j, s] = own[which[s] * n + j]


@kernel
def _merge(
    n: int, offsets: Ints, candidates: Ints, cumulative: Floats, key: np.uint64, states: Words, targets: Words,
    drawn: Draws,
) -> None:  # fmt: skip
    """From the last mention to the first: draw an antecedent where anything was said, remember it, and hand on."""
    needed, antecedents = np.empty(states.shape[1], np.int64), np.empty(states.shape[1], np.int64)
    for j in range(n - 1, -1, -1):
        n_needed = 0
        for s in range(states.shape[1]):
            needed[n_needed] = s
            n_needed += (states[j, s] | targets[j, s]) != 0
        samples = needed[:n_needed]
        draw_antecedents(j, key, offsets[j], offsets[j + 1], candidates, cumulative, samples, antecedents)
        for i in range(n_needed):
            s, antecedent = samples[i], antecedents[i]
            drawn[j, s] = antecedent
            states[antecedent, s] |= states[j, s]  # NEW writes to the last row, which nobody reads
            targets[antecedent, s] |= targets[j, s]


@kernel
def best_linked(
    mentions: Ints, starts: Ints, readings: Ints, own: Words, aims: Words, link_offsets: Ints, links: Ints,
    possessor_offsets: Ints, possessors: Ints, offsets: Ints, candidates: Ints, odds: Floats,
    new_factor: float, row_offsets: Ints, rows: Ints, counts: Counts,
) -> None:  # fmt: skip
    """As `sample_linked` for the 1-best clustering (see `kernel.best_batch`), with each document's first reading."""
    for d in range(len(mentions) - 1):
        first, n, base = mentions[d], mentions[d + 1] - mentions[d], row_offsets[d]
        if base == row_offsets[d + 1]:
            continue
        entities = decode_summed(offsets[first : first + n + 1], candidates, odds, new_factor)
        r, at = readings[d], starts[d]
        given_linked(
            entities, own[at : at + n], aims[at : at + n], links[link_offsets[r] : link_offsets[r + 1]],
            possessors[possessor_offsets[r] : possessor_offsets[r + 1]], rows[base : row_offsets[d + 1]], counts,
            base, 0,
        )  # fmt: skip


@kernel
def given_linked(
    entities: Ints, own: Words, aims: Words, links: Ints, possessors: Ints, rows: Ints, counts: Counts, base: int,
    sample: int,
) -> None:  # fmt: skip
    """As `sample_linked` for one document and one given clustering: labels of entities count from 0."""
    n = entities.max() + 1 if len(entities) else 1
    states, targets = np.zeros((n, 1), np.uint64), np.zeros((n, 1), np.uint64)
    for j in range(len(entities)):
        states[entities[j], 0] |= own[j]
        targets[entities[j], 0] |= aims[j]
    scratch, found = np.zeros((4, n), np.uint64), np.empty((max(1, len(links)), 5), np.int64)
    _answer(entities, own, aims, states, targets, 0, links, possessors, scratch, found, rows, counts, base, sample)
