"""Links of many documents in flat arrays, and the rows that such a batch can have: what the linked kernel reads.

Covers: joining the links of documents and of their readings, listing rows.
Not here: mentions and antecedents (`batching`), the loops (`linked_kernel`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Ints
from calib_core.events.dyads import ANY_TARGET
from calib_core.events.evidence import Evidence
from calib_core.events.linked_kernel import ANY, NO_CODE, pack
from calib_core.events.links import Links
from calib_core.events.query import NOBODY


@dataclass(frozen=True, slots=True)
class LinkArrays:
    """What documents say beside country and agent, one after another, reading by reading.

    Attributes
    ----------
    own, aims : shape (n_entries,)
        From `linked_kernel.pack`.
    readings : shape (n_documents + 1,)
        Document d owns readings `readings[d]:readings[d + 1]`.
    link_offsets, links, possessor_offsets, possessors
        As `linked_kernel.sample_linked` reads them.
    row_offsets, rows : shapes (n_documents + 1,), (n_rows, 3)
        The rows that each document can have: country, actor, target.
    codes, actor_codes, target_codes : tuple of str
    dyadic : bool
    """

    own: NDArray[np.uint64]
    aims: NDArray[np.uint64]
    readings: Ints
    link_offsets: Ints
    links: Ints
    possessor_offsets: Ints
    possessors: Ints
    row_offsets: Ints
    rows: Ints
    codes: tuple[str, ...]
    actor_codes: tuple[str, ...]
    target_codes: tuple[str, ...]
    dyadic: bool

    @classmethod
    def of(cls, documents: Sequence[tuple[Evidence, ...]]) -> "LinkArrays":
        """Join the readings of documents of one query."""
        readings = [reading for alternatives in documents for reading in alternatives]
        linked = [links_of(reading) for reading in readings]
        own, aims = packed(readings)
        rows = [possible_rows(alternatives) for alternatives in documents]
        return cls(
            own=own,
            aims=aims,
            readings=_offsets([len(alternatives) for alternatives in documents]),
            link_offsets=_offsets([len(links.events) for links in linked]),
            links=np.concatenate([np.zeros((0, 3), np.int64), *(links.events for links in linked)]),
            possessor_offsets=_offsets([len(links.possessors) for links in linked]),
            possessors=np.concatenate([np.zeros((0, 2), np.int64), *(links.possessors for links in linked)]),
            row_offsets=_offsets([len(possible) for possible in rows]),
            rows=np.concatenate([np.zeros((0, 3), np.int64), *rows]),
            codes=readings[0].codes,
            actor_codes=linked[0].actor_codes,
            target_codes=linked[0].target_codes,
            dyadic=linked[0].dyadic,
        )

    def agent_label(self, row: int) -> str:
        """The code that a row has in the column `country`: a country, an actor, or both ("IND.POLICE")."""
        country, actor, _ = self.rows[row]
        parts = [self.codes[country]] if country >= 0 else []
        return ".".join([*parts, self.actor_codes[actor]] if actor >= 0 else parts)

    def target_label(self, row: int) -> str:
        """The code that a row has in the column `target`."""
        target = self.rows[row, 2]
        return {ANY: ANY_TARGET, NO_CODE: NOBODY}.get(int(target)) or self.target_codes[target]


def links_of(evidence: Evidence) -> Links:
    """The links of evidence that must have them."""
    if evidence.links is None:
        raise ValueError("evidence of one batch must come from one query; some has links and some has none")
    return evidence.links


def packed(readings: Sequence[Evidence]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Own words and aims of the readings' entries, one after another."""
    country = np.concatenate([reading.country for reading in readings])
    actor = np.concatenate([links_of(reading).actor for reading in readings])
    target = np.concatenate([links_of(reading).target for reading in readings])
    own, aims = np.zeros(len(country), np.uint64), np.zeros(len(country), np.uint64)
    pack(country, actor, target, np.concatenate([_needed(reading) for reading in readings]), own, aims)
    return own, aims


def possible_rows(readings: Sequence[Evidence]) -> Ints:
    """Rows that a document can have, ascending: what some reading names, if some reading has an agent."""
    if not any(reading.agent.any() for reading in readings):
        return np.zeros((0, 3), dtype=np.int64)
    linked = [links_of(reading) for reading in readings]
    countries = [c for c in _codes([reading.country for reading in readings]) if readings[0].reported[c]]
    actors = _codes([links.actor for links in linked])
    targets: list[int] = [ANY]
    if linked[0].dyadic:
        named = _codes([links.target for links in linked])
        targets = [NO_CODE, ANY, *(t for t in named if linked[0].reported_targets[t])]
    agents = [pair for pair in product([ANY, *countries], [ANY, *actors]) if pair != (ANY, ANY)]
    return np.array([(*agent, target) for agent in agents for target in targets], dtype=np.int64).reshape(-1, 3)


def _codes(arrays: Sequence[Ints]) -> list[int]:
    """Codes that occur, ascending."""
    return sorted({int(code) for array in arrays for code in array[array >= 0]})


def _needed(reading: Evidence) -> Bools:
    """Which entries must be followed to their entity: agents, targets, possessors and what they possess."""
    links = links_of(reading)
    needed = reading.agent.copy()
    needed[links.events[:, 2][links.events[:, 2] >= 0]] = True
    needed[links.possessors.ravel()] = True
    return needed


def _offsets(sizes: Sequence[int]) -> Ints:
    return np.cumsum([0, *sizes], dtype=np.int64)
