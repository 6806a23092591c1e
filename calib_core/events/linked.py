"""The rules of agents, targets and possessors spelled out on whole clusters, slowly.

Covers: which agents and targets an event joins in one given clustering; for examples, for explaining, and for tests
of the kernel, which gives the same answers without building clusters.
Not here: sampling (`linked_kernel`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Ints
from calib_core.events.dyads import ANY_TARGET
from calib_core.events.evidence import Evidence, with_words
from calib_core.events.linked_batching import links_of
from calib_core.events.linked_kernel import STEPS
from calib_core.events.naming import NONE
from calib_core.events.query import NOBODY

Said = Mapping[int, frozenset[int]]
"""Codes of each entity in one part: as an agent's country, as an actor, or as a target."""


@dataclass(frozen=True, slots=True)
class Fulfilled:
    """An entity that is an agent as a row asks: the row's codes, the entity, and the entry that is the agent."""

    country: str
    target: str
    entity: int
    agent: int


def fulfilled(evidence: Evidence, entities: Ints) -> frozenset[Fulfilled]:
    """All rows that hold in one clustering of the mentions, with their agents; without targets each row has `*`."""
    links, label = links_of(evidence), with_words(entities, evidence.n_words).tolist()
    pairs = [tuple(pair) for pair in links.possessors.tolist()]
    country = _said(evidence.country, label, pairs)
    actor = _said(links.actor, label, pairs)
    target = _said(links.target, label, pairs)
    targets: dict[tuple[int, int], set[str]] = {}
    for event, agent, aim in links.events.tolist():
        code = None if aim < 0 else _one(target[label[aim]])
        targets.setdefault((event, agent), set()).update(() if code is None else {links.target_codes[code]})
    found = set()
    for (_, agent), codes in targets.items():
        entity = label[agent]
        for name in _agent_names(evidence, _one(country[entity]), _one(actor[entity])):
            aims = {ANY_TARGET} | ((codes or {NOBODY}) if links.dyadic else set())
            found |= {Fulfilled(name, aim, entity, agent) for aim in aims if _is_reported(evidence, aim)}
    return frozenset(found)


def _agent_names(evidence: Evidence, country: int | None, actor: int | None) -> list[str]:
    """Codes under which an agent counts: its country, its actor, and both together."""
    names = []
    if country is not None and evidence.reported[country]:
        names.append(evidence.codes[country])
    if actor is not None:
        names += [f"{name}.{links_of(evidence).actor_codes[actor]}" for name in names]
        names.append(links_of(evidence).actor_codes[actor])
    return names


def _is_reported(evidence: Evidence, target: str) -> bool:
    links = links_of(evidence)
    return target in (ANY_TARGET, NOBODY) or bool(links.reported_targets[links.target_codes.index(target)])


def _said(own: Ints, label: list[int], possessors: list[tuple[int, ...]]) -> Said:
    """Codes of each entity, those of possessors included where a mention has none of its own."""
    direct: dict[int, set[int]] = {entity: set() for entity in label}
    for entry, entity in enumerate(label):
        direct[entity] |= {int(own[entry])} - {NONE}
    found = {entity: frozenset(codes) for entity, codes in direct.items()}
    for _ in range(STEPS):
        gained: dict[int, set[int]] = {entity: set() for entity in direct}
        for possessed, possessor in possessors:
            code = _one(found[label[possessor]])
            if own[possessed] == NONE and code is not None:
                gained[label[possessed]].add(code)
        found = {entity: frozenset(direct[entity] | gained[entity]) for entity in direct}
    return found


def _one(codes: frozenset[int]) -> int | None:
    """The only code, if there is one and it is not `SEVERAL`."""
    code = next(iter(codes)) if len(codes) == 1 else NONE
    return code if code >= 0 else None


def row_counts(evidence: Evidence, entities: Ints) -> dict[tuple[str, str], int]:
    """Number of entities for every row that holds in one clustering."""
    found: dict[tuple[str, str], set[int]] = {}
    for row in fulfilled(evidence, np.asarray(entities)):
        found.setdefault((row.country, row.target), set()).add(row.entity)
    return {row: len(members) for row, members in found.items()}
