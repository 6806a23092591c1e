"""What joins the mentions of one document beyond coreference: who did it to whom, and whose is what.

Covers: the actor and the target's code of every mention, events as links, possessors.
Not here: countries and agents (`evidence`), the sampled answer (`linked_kernel`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.events.affiliation import mention_country
from calib_core.events.agents import UNNAMED, Event
from calib_core.events.naming import NONE, TokenNames
from calib_core.events.plurals import plural
from calib_core.events.query import NOBODY, Query
from calib_core.events.tree import Tree

NO_TARGET = -1

_OTHERS = """
neighbour neighbor enemy rival foe adversary opponent attacker victim target critic war dispute conflict border captor
"""
OTHERS = frozenset(_OTHERS.split()) | frozenset(map(plural, _OTHERS.split()))
"""What somebody has without its acting for him: "its neighbour", "their enemies"."""


@dataclass(frozen=True, slots=True)
class Links:
    """Beside the evidence of a document's mentions and words.

    Attributes
    ----------
    actor, target : shape (n_entries,)
        Position in `actor_codes` and in `target_codes`, -1 for none, -2 for several.
    events : shape (n_links, 3)
        Number of the event, agent and target, as entries of the evidence; `NO_TARGET` for an event without one.
        Sorted, so that links of one event and agent stand together.
    possessors : shape (n_possessors, 2)
        Possessed and possessor.
    actor_codes, target_codes : tuple of str
    reported_targets : shape (n_target_codes,)
        Which targets the query asks for.
    dyadic : bool
        Whether the query has targets at all.
    """

    actor: Ints
    target: Ints
    events: Ints
    possessors: Ints
    actor_codes: tuple[str, ...]
    target_codes: tuple[str, ...]
    reported_targets: Bools
    dyadic: bool

    def __post_init__(self) -> None:
        """Refuse ends that are no entries: the kernel is compiled without bounds checks."""
        n = len(self.actor)
        agents, targets = self.events[:, 1], self.events[:, 2]
        for name, ends, least in (("agents", agents, 0), ("targets", targets, -1), ("possessors", self.possessors, 0)):
            if ends.size and not least <= ends.min() <= ends.max() < n:
                raise ValueError(f"{name} must be entries in [{least}, {n}); got {ends.min()} to {ends.max()}")


def needs_links(query: Query) -> bool:
    """Whether the answer joins entities: for targets, possessors or two lexicons."""
    language = query.language
    return language.targets is not None or language.actors is not None or bool(language.through)


def document_links(
    tree: Tree, query: Query, told: Sequence[Event], names: TokenNames, spans: Sequence[tuple[int, int, int]],
    entries: dict[int, list[int]], words: Sequence[int], word_countries: Sequence[int],
) -> Links:  # fmt: skip
    """Links of one document.

    Parameters
    ----------
    tree, query, told, names
        As for the evidence.
    spans : sequence of (head, start, end)
        Of the mentions.
    entries : dict
        For each token at the top of a name, the entries of the evidence that it heads.
    words : sequence of int
        Tokens of the entries that are no mentions.
    word_countries : sequence of int
        Their countries.
    """
    targets = query.language.targets
    modifiers = frozenset() if targets is None else targets.modifiers
    codes = () if targets is None else query.target_codes
    asked_for = frozenset() if targets is None else targets.countries
    word_actors = [NONE if token == UNNAMED else int(names.actor[token]) for token in words]
    actor = [mention_country(tree, *span, names.actor, query.modifiers) for span in spans]
    target = [mention_country(tree, *span, names.target, modifiers) if targets else NONE for span in spans]
    return Links(
        actor=np.array(actor + word_actors, dtype=np.int64),
        target=np.array(target + [NONE] * len(words), dtype=np.int64),
        events=_event_links(tree, query, told, entries, len(spans), word_countries),
        possessors=_possessors(tree, entries) if "possessor" in query.language.through else _pairs([], 2),
        actor_codes=query.actor_codes,
        target_codes=codes,
        reported_targets=np.array([not asked_for or code in asked_for for code in codes], dtype=np.bool_),
        dyadic=targets is not None,
    )


def _event_links(
    tree: Tree, query: Query, told: Sequence[Event], entries: dict[int, list[int]], n_mentions: int,
    word_countries: Sequence[int],
) -> Ints:  # fmt: skip
    """One link for each event, agent entry and target mention; without a target mention, one with `NO_TARGET`."""
    found = []
    for event in told:
        if event.agent == UNNAMED:
            codes = {*query.implied_by(tree.word(event.verb)), NOBODY}
            unnamed = entries.get(UNNAMED, [])
            agents = [entry for entry in unnamed if query.codes[word_countries[entry - n_mentions]] in codes]
        else:
            agents = entries.get(tree.top(event.agent, "flat"), [])
        tops = dict.fromkeys(tree.top(target, "flat") for target in event.targets)
        targets = [entry for top in tops for entry in entries.get(top, []) if entry < n_mentions]
        found += [(event.verb, agent, target) for agent in agents for target in targets or [NO_TARGET]]
    return _pairs(sorted(set(found)), 3)


def _possessors(tree: Tree, entries: dict[int, list[int]]) -> Ints:
    """Mentions whose head has a possessor that is a mention."""
    found = [
        (possessed, possessor)
        for top, owned in entries.items()
        if top != UNNAMED and tree.word(top) not in OTHERS
        for part in tree.subtree_by(top, "flat")
        for child in tree.related(part, "nmod:poss")
        for possessor in entries.get(tree.top(child, "flat"), [])
        for possessed in owned
    ]
    return _pairs(sorted(set(found)), 2)


def _pairs(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
