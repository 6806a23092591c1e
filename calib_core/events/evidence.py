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
from calib_core.events.links import Links, Told, document_links, follows_possessors, needs_links, possessors
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


@dataclass(frozen=True, slots=True)
class _Word:
    """An agent that no mention can be: its token (`UNNAMED` for none), its name's first, its codes and its flags."""

    token: int
    top: int
    country: int
    actor: int
    target: int
    flags: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What a document's trees say, before it is known which mentions are one entity.

    Attributes
    ----------
    tops : tuple of int
        The first token of each mention's name.
    described : shape (n_mentions, 3)
        From `described`, one row per mention.
    told : tuple of Told
        In order of verb and agent.
    possessors : tuple of (possessed, possessor)
        From `links.possessors`.
    """

    tops: tuple[int, ...]
    described: Ints
    told: tuple[Told, ...]
    possessors: tuple[tuple[int, int], ...]


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
    check_mentions(document, mentions)
    tree = Tree.of(document)
    return tree_evidence(tree, token_names(tree, query, year), mentions, query)


def tree_evidence(tree: Tree, names: TokenNames, mentions: Mentions, query: Query) -> Evidence:
    """As `mention_evidence`, where tree and names are at hand."""
    heads = mentions.heads.tolist()
    spans = zip(heads, mentions.starts.tolist(), mentions.ends.tolist(), strict=True)
    named = tree.document.sentences[names.coded | (names.target != NONE)]  # what describes a mention is in its sentence
    asked = np.isin(tree.document.sentences[mentions.heads], named).tolist()
    rows = [
        described(tree, names, query, span) if ask else (NONE, NONE, NONE)
        for span, ask in zip(spans, asked, strict=True)
    ]
    facts = Facts(
        tops=tuple(tree.top(head, "flat") for head in heads),
        described=np.array(rows, dtype=np.int64).reshape(-1, 3),
        told=told_events(tree, query, names),
        possessors=possessors(tree) if follows_possessors(query) else (),
    )
    return evidence_of(facts, query)


def described(tree: Tree, names: TokenNames, query: Query, span: tuple[int, int, int]) -> tuple[int, int, int]:
    """Country, actor and target's code of a mention (head, start, end): positions in the query's codes."""
    targets = query.language.targets
    return (
        mention_country(tree, *span, names.country, query.modifiers),
        mention_country(tree, *span, names.actor, query.modifiers) if query.language.actors else NONE,
        mention_country(tree, *span, names.target, targets.modifiers) if targets else NONE,
    )


def told_events(tree: Tree, query: Query, names: TokenNames) -> tuple[Told, ...]:
    """The events of a tree's tokens that the query does not exclude, with all that is needed once it is gone."""
    found = []
    for event in _asserted(tree, query, names):
        named = event.agent != UNNAMED
        found.append(
            Told(
                event=event,
                agent=tree.top(event.agent, "flat") if named else UNNAMED,
                targets=tuple(dict.fromkeys(tree.top(target, "flat") for target in event.targets)),
                country=int(names.country[event.agent]) if named else NONE,
                actor=int(names.actor[event.agent]) if named else NONE,
                target=int(names.target[event.agent]) if named else NONE,
                implied=() if named else tuple(query.implied_by(tree.word(event.verb))),
            )
        )
    return tuple(found)


def evidence_of(facts: Facts, query: Query) -> Evidence:
    """Put the facts of a document together."""
    told = _each_once(facts.told)
    flags = _shared_flags(told)
    words = _words(query, told, set(facts.tops))
    country, actor, target = facts.described.T
    links = None
    if needs_links(query):
        entries = _entries(facts.tops, words)
        links = document_links(
            query, told, entries, facts.possessors,
            countries=[word.country for word in words],
            actor=np.append(actor, np.array([word.actor for word in words], dtype=np.int64)),
            target=np.append(target, np.array([word.target for word in words], dtype=np.int64)),
        )  # fmt: skip
    return Evidence(
        country=np.append(country, np.array([word.country for word in words], dtype=np.int64)),
        agent=np.array([top in flags for top in facts.tops] + [True] * len(words), dtype=np.bool_),
        flags=np.array([flags.get(top, 0) for top in facts.tops] + [word.flags for word in words], dtype=np.int64),
        codes=query.codes,
        reported=query.reported,
        word_tokens=tuple(word.token for word in words),
        links=links,
    )


def _entries(tops: Sequence[int], words: Sequence[_Word]) -> dict[int, list[int]]:
    """Entries of the evidence by the token at the top of their name, `UNNAMED` included."""
    found: dict[int, list[int]] = {}
    for entry, token in enumerate([*tops, *(word.top for word in words)]):
        found.setdefault(token, []).append(entry)
    return found


def _words(query: Query, told: Sequence[Told], tops: set[int]) -> list[_Word]:
    """Agents that are words inside a noun's phrase, then those that are implied or missing; each once."""
    position = {code: index for index, code in enumerate(query.codes)} if query.reports_unnamed else {}
    found: dict[tuple[int, int], _Word] = {}
    for one in told:
        if one.agent != UNNAMED:
            coded = one.country != NONE or one.actor != NONE
            keys = [(one.event.agent, one.country)] if coded and one.agent not in tops else []
        else:
            codes = [*one.implied, *([NOBODY] if query.language.unattributed else [])]
            keys = [(UNNAMED, position[code]) for code in codes]
        for token, country in keys:
            shared = found[token, country].flags if (token, country) in found else one.event.flags
            found[token, country] = _Word(token, one.agent, country, one.actor, one.target, shared & one.event.flags)
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


def _each_once(told: Sequence[Told]) -> list[Told]:
    """In "killed in an attack by rebels" attack and killing are one, so the attack has no target of its own."""
    agents = {one.event.agent for one in told if one.event.way == "cause" and one.targets}
    return [one for one in told if one.targets or one.event.way != "noun" or one.event.agent not in agents]


def _shared_flags(told: Sequence[Told]) -> dict[int, int]:
    """For each agent (the first token of its name) the flags that all its events share."""
    shared: dict[int, int] = {}
    for one in told:
        if one.agent != UNNAMED:
            shared[one.agent] = shared.get(one.agent, one.event.flags) & one.event.flags
    return shared


def check_mentions(document: Document, mentions: Mentions) -> None:
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
