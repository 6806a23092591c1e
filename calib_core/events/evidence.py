"""Everything the event question needs to know of a document's mentions, as two arrays.

Covers: country and agent flag of every mention.
Not here: which mentions are one entity; that is sampled (`kernel`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.document import Document
from calib_core.events.affiliation import SEVERAL, mention_country
from calib_core.events.agents import FLAGS, Event, events
from calib_core.events.naming import NONE, token_countries
from calib_core.events.query import Query
from calib_core.events.tree import Tree


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the mentions of one document say about a query; arrays have shape (n_mentions,).

    Attributes
    ----------
    country : Ints
        Position in `codes`, -1 for none, -2 for several.
    agent : Bools
        Whether the mention is the agent of some event that the query does not exclude.
    flags : Ints
        What holds of all those events together: `agents.NEGATED`, `MODAL`, `EMBEDDED`; 0 if one is simply asserted.
    codes : tuple of str
        The query's codes.
    reported : shape (n_codes,)
        Which of them the query asks for.
    """

    country: Ints
    agent: Bools
    flags: Ints
    codes: tuple[str, ...]
    reported: Bools

    def __len__(self) -> int:
        """Number of mentions."""
        return len(self.country)


def mention_evidence(
    document: Document, heads: Ints, starts: Ints, ends: Ints, query: Query, *, year: int | None
) -> Evidence:
    """Read off countries and agents.

    Parameters
    ----------
    document : Document
    heads, starts, ends : shape (n_mentions,)
        Head token and span of each mention, the end excluded.
    query : Query
    year : int or None
        Year of publication: a word's country may depend on it.
    """
    _check_mentions(document, heads, starts, ends)
    tree = Tree.of(document)
    flags = _agent_flags(tree, query)
    countries = token_countries(tree, query, year)
    tops = [tree.top(int(head), "flat") for head in heads]
    return Evidence(
        country=np.array(
            [
                mention_country(tree, int(head), int(start), int(end), countries, query)
                for head, start, end in zip(heads, starts, ends, strict=True)
            ],
            dtype=np.int64,
        ),
        agent=np.array([top in flags for top in tops], dtype=np.bool_),
        flags=np.array([flags.get(top, 0) for top in tops], dtype=np.int64),
        codes=query.codes,
        reported=np.array([not query.countries or code in query.countries for code in query.codes], dtype=np.bool_),
    )


def fulfilling_entities(evidence: Evidence, entities: Ints) -> list[tuple[str, list[int]]]:
    """Country and mentions of each entity that fulfils the query in one clustering: the paper's f, spelled out.

    Parameters
    ----------
    evidence : Evidence
    entities : shape (n_mentions,)
        A label for the entity of each mention.

    Notes
    -----
    The kernel gives the same answer without building clusters; this one is for explaining a document and for tests.
    """
    found = []
    for label in dict.fromkeys(entities.tolist()):
        mentions = np.flatnonzero(entities == label)
        countries = set(evidence.country[mentions].tolist()) - {NONE}
        if len(countries) == 1 and SEVERAL not in countries and evidence.agent[mentions].any():
            found.append((evidence.codes[countries.pop()], mentions.tolist()))
    return found


def agent_events(document: Document, heads: Ints, query: Query) -> dict[int, list[Event]]:
    """Of each mention that is an agent, the events that make it one; for explaining, the answer needs only the flag."""
    tree = Tree.of(document)
    excluded = sum(FLAGS[name] for name in query.exclude)
    by_name: dict[int, list[Event]] = {}
    for event in events(tree, query):
        if not event.flags & excluded:
            by_name.setdefault(tree.top(event.agent, "flat"), []).append(event)
    tops = [tree.top(int(head), "flat") for head in heads]
    return {mention: by_name[top] for mention, top in enumerate(tops) if top in by_name}


def _agent_flags(tree: Tree, query: Query) -> dict[int, int]:
    """For each agent (the first token of its name) the flags that all its events share."""
    excluded = sum(FLAGS[name] for name in query.exclude)
    shared: dict[int, int] = {}
    for event in events(tree, query):
        if not event.flags & excluded:
            agent = tree.top(event.agent, "flat")
            shared[agent] = shared.get(agent, event.flags) & event.flags
    return shared


def _check_mentions(document: Document, heads: Ints, starts: Ints, ends: Ints) -> None:
    """Refuse arrays of different lengths and heads outside their spans or the document."""
    if not len(heads) == len(starts) == len(ends):
        raise ValueError(
            f"document {document.doc_id!r}: {len(heads)} heads, {len(starts)} starts and {len(ends)} ends of mentions"
        )
    right = (starts >= 0) & (starts <= heads) & (heads < ends) & (ends <= len(document))
    if not right.all():
        wrong = int(np.argmin(right))
        raise ValueError(
            f"document {document.doc_id!r}: mention {wrong} has head {heads[wrong]} and span "
            f"[{starts[wrong]}, {ends[wrong]}), which must hold the head and lie in [0, {len(document)})"
        )
