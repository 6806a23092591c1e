"""What joins the mentions of one document beyond coreference: who did it to whom, and whose is what.

Covers: the actor and the target's code of every mention, events as links, possessors.
Not here: countries and agents (`evidence`), the sampled answer (`linked_kernel`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.events.agents import UNNAMED, Event
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


def follows_possessors(query: Query) -> bool:
    """Whether a mention may have the country of its possessor."""
    return "possessor" in query.language.through


@dataclass(frozen=True, slots=True)
class Told:
    """An event with what its tree says of agent and targets.

    Attributes
    ----------
    event : Event
    agent : int
        The first token of the agent's name, or `UNNAMED`.
    targets : tuple of int
        The first tokens of the targets' names.
    country, actor, target : int
        What the agent's own token names.
    implied : tuple of str
        Codes of the agent that the verb or noun implies where the text names none.
    """

    event: Event
    agent: int
    targets: tuple[int, ...]
    country: int
    actor: int
    target: int
    implied: tuple[str, ...]


def document_links(
    query: Query, told: Sequence[Told], entries: Mapping[int, Sequence[int]], owned: Sequence[tuple[int, int]], *,
    countries: Sequence[int], actor: Ints, target: Ints,
) -> Links:  # fmt: skip
    """Links of one document.

    Parameters
    ----------
    query, told
        As for the evidence.
    entries : mapping
        For each token at the top of a name, the entries of the evidence that it heads.
    owned : sequence of (possessed, possessor)
        From `possessors`.
    countries : sequence of int
        Of the entries that are no mentions.
    actor, target : shape (n_entries,)
        As in `Links`.
    """
    targets = query.language.targets
    codes = () if targets is None else query.target_codes
    asked_for = frozenset() if targets is None else targets.countries
    pairs = {(mine, owner) for a, b in owned for mine in entries.get(a, ()) for owner in entries.get(b, ())}
    return Links(
        actor=actor,
        target=target,
        events=_event_links(query, told, entries, len(actor) - len(countries), countries),
        possessors=_pairs(sorted(pairs), 2),
        actor_codes=query.actor_codes,
        target_codes=codes,
        reported_targets=np.array([not asked_for or code in asked_for for code in codes], dtype=np.bool_),
        dyadic=targets is not None,
    )


def _event_links(
    query: Query, told: Sequence[Told], entries: Mapping[int, Sequence[int]], n_mentions: int, countries: Sequence[int]
) -> Ints:
    """One link for each event, agent entry and target mention; without a target mention, one with `NO_TARGET`."""
    found = set()
    for one in told:
        agents = entries.get(one.agent, ())
        if one.agent == UNNAMED:
            codes = {*one.implied, NOBODY}
            agents = [entry for entry in agents if query.codes[countries[entry - n_mentions]] in codes]
        targets = [entry for top in one.targets for entry in entries.get(top, ())]
        found |= {(one.event.verb, agent, target) for agent in agents for target in targets or [NO_TARGET]}
    return _pairs(sorted(found), 3)


def possessors(tree: Tree) -> tuple[tuple[int, int], ...]:
    """First tokens of the names of what is possessed and of its possessor."""
    pairs = [
        (tree.top(tree.head(child), "flat"), tree.top(child, "flat"))
        for child in tree.standing_as("nmod:poss")
        if tree.head(child) >= 0
    ]
    return tuple((possessed, possessor) for possessed, possessor in pairs if tree.word(possessed) not in OTHERS)


def _pairs(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
