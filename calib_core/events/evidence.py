"""Everything the event question needs to know of a document's mentions, as two arrays.

Covers: country and agent flag of every mention.
Not here: which mentions are one entity; that is sampled (`kernel`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.coref.mentions.detection import Mentions
from calib_core.document import Document
from calib_core.events.affiliation import SEVERAL, mention_country
from calib_core.events.agents import FLAGS, UNNAMED, Event, events
from calib_core.events.links import Links, document_links, needs_links
from calib_core.events.naming import NONE, TokenNames, token_names
from calib_core.events.query import NOBODY, Query
from calib_core.events.tree import Tree


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the mentions of one document say about a query; arrays have shape (n_mentions + n_words,).

    The last `n_words` entries are no mentions. They stand for agents that no mention can be: a word that names a
    country inside the noun of an event ("the *Iraqi* attack"), an agent that a verb implies, and nobody, for events
    whose agent the text does not name. They corefer with nothing.

    Attributes
    ----------
    country : Ints
        Position in `codes`, -1 for none, -2 for several.
    agent : Bools
        Whether the mention is the agent of some event that the query does not exclude.
    flags : Ints
        What holds of all those events together: `agents.NEGATED`, `MODAL`, `EMBEDDED`, `IMPLIED`; 0 if one is simply
        asserted.
    codes : tuple of str
        The query's codes.
    reported : shape (n_codes,)
        Which of them the query asks for.
    word_tokens : tuple of int
        Tokens of the entries that are no mentions; `UNNAMED` for agents that the text does not name.
    links : Links or None
        For queries whose answer joins entities: with targets, possessors or two lexicons.
    """

    country: Ints
    agent: Bools
    flags: Ints
    codes: tuple[str, ...]
    reported: Bools
    word_tokens: tuple[int, ...] = ()
    links: Links | None = None

    @property
    def n_words(self) -> int:
        """Number of entries that are no mentions."""
        return len(self.word_tokens)

    def __len__(self) -> int:
        """Number of mentions and of words that stand for themselves."""
        return len(self.country)


def mention_evidence(document: Document, mentions: Mentions, query: Query, *, year: int | None) -> Evidence:
    """Read off countries and agents.

    Parameters
    ----------
    document : Document
    mentions : Mentions
        Of the document.
    query : Query
    year : int or None
        Year of publication: a word's country may depend on it.
    """
    _check_mentions(document, mentions)
    tree = Tree.of(document)
    names = token_names(tree, query, year)
    told = _asserted(tree, query, names)
    heads = mentions.heads.tolist()
    tops = [tree.top(head, "flat") for head in heads]
    flags = _shared_flags(tree, told)
    words = _words(tree, query, told, names, set(tops))
    spans = list(zip(heads, mentions.starts.tolist(), mentions.ends.tolist(), strict=True))
    countries = [mention_country(tree, *span, names.country, query.modifiers) for span in spans]
    links = None
    if needs_links(query):
        tokens, word_countries = [word.token for word in words], [word.country for word in words]
        entries = _entries(tree, tops, tokens)
        links = document_links(tree, query, told, names, spans, entries, tokens, word_countries)
    return Evidence(
        country=np.array(countries + [word.country for word in words], dtype=np.int64),
        agent=np.array([top in flags for top in tops] + [True] * len(words), dtype=np.bool_),
        flags=np.array([flags.get(top, 0) for top in tops] + [word.flags for word in words], dtype=np.int64),
        codes=query.codes,
        reported=np.array([_is_reported(query, code) for code in query.codes], dtype=np.bool_),
        word_tokens=tuple(word.token for word in words),
        links=links,
    )


def _entries(tree: Tree, tops: Sequence[int], words: Sequence[int]) -> dict[int, list[int]]:
    """Entries of the evidence by the token at the top of their name, `UNNAMED` included."""
    found: dict[int, list[int]] = {}
    for entry, token in enumerate([*tops, *words]):
        found.setdefault(token if token == UNNAMED or entry < len(tops) else tree.top(token, "flat"), []).append(entry)
    return found


def _is_reported(query: Query, code: str) -> bool:
    return not query.countries or code in query.countries or code == NOBODY


@dataclass(frozen=True, slots=True)
class _Word:
    """An agent that no mention can be: its token (`UNNAMED` for none), its country and its flags."""

    token: int
    country: int
    flags: int


def _words(tree: Tree, query: Query, told: list[Event], names: TokenNames, tops: set[int]) -> list[_Word]:
    """Agents that are words inside a noun's phrase, then those that are implied or missing; each once."""
    position = {code: index for index, code in enumerate(query.codes)}
    found: dict[tuple[int, int], _Word] = {}
    for event in told:
        if event.agent != UNNAMED:
            top = tree.top(event.agent, "flat")
            country = int(names.country[event.agent])
            keys = [(event.agent, country)] if top not in tops and names.coded[event.agent] else []
        else:
            codes = query.implied_by(tree.word(event.verb)) or []
            codes += [NOBODY] if query.language.unattributed else []
            keys = [(UNNAMED, position[code]) for code in codes]
        for key in keys:
            shared = found[key].flags if key in found else event.flags
            found[key] = _Word(*key, shared & event.flags)
    return list(found.values())


def fulfilling_entities(evidence: Evidence, entities: Ints) -> list[tuple[str, list[int]]]:
    """Country and mentions of each entity that fulfils the query in one clustering: the paper's f, spelled out.

    Parameters
    ----------
    evidence : Evidence
    entities : shape (n_mentions,)
        A label for the entity of each mention, the words that stand for themselves left out.

    Notes
    -----
    The kernel gives the same answer without building clusters; this one is for explaining a document and for tests.
    """
    found = []
    entities = with_words(entities, evidence.n_words)
    for label in dict.fromkeys(entities.tolist()):
        mentions = np.flatnonzero(entities == label)
        countries = set(evidence.country[mentions].tolist()) - {NONE}
        if len(countries) == 1 and SEVERAL not in countries and evidence.agent[mentions].any():
            found.append((evidence.codes[countries.pop()], mentions.tolist()))
    return found


def with_words(entities: Ints, n_words: int) -> Ints:
    """Labels of mentions' entities, with entities of their own for the words that stand for themselves."""
    first = int(entities.max(initial=-1)) + 1
    return np.append(entities, np.arange(first, first + n_words))


def agent_events(document: Document, mentions: Mentions, query: Query) -> dict[int, list[Event]]:
    """Of each mention that is an agent, the events that make it one; for explaining, the answer needs only the flag."""
    tree = Tree.of(document)
    by_name: dict[int, list[Event]] = {}
    for event in _asserted(tree, query, None):
        if event.agent != UNNAMED:
            by_name.setdefault(tree.top(event.agent, "flat"), []).append(event)
    tops = [tree.top(head, "flat") for head in mentions.heads.tolist()]
    return {mention: by_name[top] for mention, top in enumerate(tops) if top in by_name}


def _asserted(tree: Tree, query: Query, names: TokenNames | None) -> list[Event]:
    """Events that the query does not exclude."""
    excluded = sum(FLAGS[name] for name in query.exclude)
    return [event for event in events(tree, query, names) if not event.flags & excluded]


def _shared_flags(tree: Tree, told: list[Event]) -> dict[int, int]:
    """For each agent (the first token of its name) the flags that all its events share."""
    shared: dict[int, int] = {}
    for event in told:
        if event.agent != UNNAMED:
            agent = tree.top(event.agent, "flat")
            shared[agent] = shared.get(agent, event.flags) & event.flags
    return shared


def _check_mentions(document: Document, mentions: Mentions) -> None:
    """Refuse arrays of different lengths and heads outside their spans or the document."""
    heads, starts, ends = mentions.heads, mentions.starts, mentions.ends
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
