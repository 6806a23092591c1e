"""Who does it: tokens that stand in a query's roles to its verbs, with what the text says about the event's truth.

A verb is a token whose form is the query's and whose tag is VERB: "this was an attack" has a subject, but no verb of
ours. A query may have phrases, nouns and causes besides (`phrases`, `nouns`, `causes`); each event says how it was
found. Negated, possible and embedded events count, as in the paper, and are flagged.

Covers: the events of one document, each with agent, targets and flags.
Not here: the arguments of a verb (`arguments`), which mention or country the agent is (`affiliation`, `evidence`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from calib_core.events.arguments import actors_of
from calib_core.events.causes import caused_agents
from calib_core.events.flags import (
    EMBEDDED,
    FLAGS,
    IMPLIED,
    MODAL,
    NEGATED,
    UNREAL,
    event_flags,
    noun_flags,
    verb_flags,
)
from calib_core.events.mutual import facing_sides
from calib_core.events.naming import TokenNames, token_names
from calib_core.events.nouns import noun_agents, noun_tokens
from calib_core.events.phrases import nouns_of_phrase, phrase_at
from calib_core.events.query import Query
from calib_core.events.senses import is_another_sense
from calib_core.events.targets import noun_targets, verb_targets
from calib_core.events.tree import Tree

__all__ = ["EMBEDDED", "FLAGS", "IMPLIED", "MODAL", "NEGATED", "UNNAMED", "UNREAL", "Event", "events"]

UNNAMED = -1
"""Agent of an event whose agent the text does not name."""


@dataclass(frozen=True, slots=True)
class Event:
    """A verb or noun that tells an event, with one agent: positions in the document.

    Attributes
    ----------
    verb : int
        The verb, or the noun.
    agent : int
        `UNNAMED` if the text names none.
    flags : int
        The sum of `NEGATED` ("did not attack"), `MODAL` ("might attack") and `EMBEDDED` ("vowed to attack", "if Iraq
        attacks").
    targets : tuple of int
        Whom it was done to; empty where the query asks for no targets.
    way : str
        How it is told: "verb", "noun", "light" (a noun with a light verb) or "cause" ("killed in police firing").
    """

    verb: int
    agent: int
    flags: int
    targets: tuple[int, ...] = ()
    way: str = "verb"


def events(tree: Tree, query: Query, names: TokenNames | None = None) -> list[Event]:
    """Every event of the query in a document, in order of verb and agent.

    `names` is what its tokens name, for nouns whose agent is an adjective; by default it is read without a year.
    """
    found: dict[tuple[int, int], Event] = {}
    if not (query.language.nouns or query.language.causes or query.language.mutual):
        names = None
    elif names is None:
        names = token_names(tree, query, None)
    for event in _all(tree, query, names):
        found.setdefault((event.verb, event.agent), event)
    return [found[key] for key in sorted(found)]


def _all(tree: Tree, query: Query, names: TokenNames | None) -> Iterator[Event]:
    """Events by verbs, then by nouns."""
    for verb in _verbs(tree, query, query.forms):
        yield from _facing(tree, query, names, verb, list(_verb_events(tree, verb, query, names)))
    if names is None:
        return
    for verb in _verbs(tree, query, query.language.effects):
        yield from _effect_events(tree, verb, query, names)
    for token, noun in noun_tokens(tree, query.language.nouns):
        if not is_another_sense(tree, token, query):
            agents, way = noun_agents(tree, token, noun, query, names)
            targets = noun_targets(tree, token, noun, query)
            flags = noun_flags(tree, token)
            told = [Event(token, agent, flags, targets, way) for agent in agents]
            yield from _facing(tree, query, names, token, told)
            named = bool(tree.related(token, "nmod:poss")) or any(
                "of" in tree.marks(c) for c in tree.related(token, "nmod")
            )
            if not agents and (way == "light" or (named and query.implied_by(tree.word(token)))):
                yield Event(token, UNNAMED, flags | IMPLIED, targets, way)


def _facing(tree: Tree, query: Query, names: TokenNames | None, token: int, told: list[Event]) -> Iterator[Event]:
    """The events of a verb or noun; where both sides do it, those of the other side too, each with the other as target.

    What has an object besides is done to that: "fought the army with American help".
    """
    phrase = phrase_at(tree, token, query.language.phrases)
    own = set() if phrase is None else nouns_of_phrase(tree, token, phrase)
    has_object = bool(set(tree.related(token, "obj")) - own)
    if names is None or tree.word(token) not in query.language.mutual or has_object:
        yield from told
        return
    agents = [event.agent for event in told if event.agent != UNNAMED]
    sides = facing_sides(tree, token, agents, names)
    if not sides:
        yield from told
    flags = told[0].flags if told else noun_flags(tree, token)
    for side, others in sides:
        yield Event(token, side, flags, others, told[0].way if told else "noun")


def _verb_events(tree: Tree, verb: int, query: Query, names: TokenNames | None) -> Iterator[Event]:
    """Events of one verb: with its own agents, else with those of its cause, else with none."""
    if is_another_sense(tree, verb, query):
        return
    agents = actors_of(tree, verb, query)
    targets = verb_targets(tree, verb, query)
    flags_of = verb_flags if query.is_beyond else event_flags
    for agent in agents:
        yield Event(verb, agent, flags_of(tree, verb, agent), targets)
    if names is not None and tree.is_passive(verb) and not agents:
        yield from _effect_events(tree, verb, query, names)
    elif query.reports_unnamed and not agents and tree.is_passive(verb):
        yield Event(verb, UNNAMED, verb_flags(tree, verb, verb) | IMPLIED, targets)


def _effect_events(tree: Tree, verb: int, query: Query, names: TokenNames) -> Iterator[Event]:
    """Events of a verb through its cause; a passive verb of the query without one has no agent in the text."""
    agents = caused_agents(tree, verb, query, names)
    targets, flags = verb_targets(tree, verb, query, effect=True), verb_flags(tree, verb, verb)
    for agent in agents:
        yield Event(verb, agent, flags, targets, "cause")
    if not agents and query.reports_unnamed and tree.word(verb) not in query.language.effects:
        yield Event(verb, UNNAMED, flags | IMPLIED, targets)


def _verbs(tree: Tree, query: Query, forms: Iterable[str]) -> Iterator[int]:
    """Tokens that are one of these verbs, or a phrase where they are the query's own."""
    document = tree.document
    phrases = query.language.phrases if forms is query.forms else ()
    candidates = [token for token in tree.tokens if tree.word(token) in forms or phrase_at(tree, token, phrases)]
    for token in candidates:
        verbal = document.upos[token] == "VERB" or (document.upos[token] == "_" and not tree.has(token, "cop"))
        if tree.free[token] and verbal:
            yield token
