"""Events that both sides do to each other: "Indian troops clashed with Chinese ones", "fighting between A and B".

Covers: the two sides of a verb or noun that a query calls mutual.
Not here: which words are (`language`), the agents that the other rules find (`arguments`, `nouns`).
"""

from collections.abc import Sequence

from calib_core.events.naming import NONE, TokenNames
from calib_core.events.tree import Tree

_FACING = frozenset({"with", "against", "between", "among"})

Facing = list[tuple[int, tuple[int, ...]]]
"""Each side with those that it faces."""


def facing_sides(tree: Tree, token: int, agents: Sequence[int], names: TokenNames) -> Facing:
    """Sides of a mutual verb or noun, given the agents that grammar names.

    Agents face whoever stands after "with", "against" or "between". Where only one of the two is there, its own
    conjuncts face each other.
    """
    first = [side for agent in agents for side in _split(tree, agent, names)]
    marked = [child for child in tree.related(token, "obl", "nmod") if tree.marks(child) & _FACING]
    if tree.relation(token) == "nsubj":  # "fighting broke out between"
        marked += [child for child in tree.related(tree.head(token), "obl") if "between" in tree.marks(child)]
    parts = [part for child in marked for part in tree.subtree_by(child, "conj")]
    second = [side for part in parts for side in _split(tree, part, names)]
    if first and second:
        return [(side, tuple(sorted(second))) for side in first] + [(side, tuple(sorted(first))) for side in second]
    sides = first or second
    return [(side, tuple(sorted(set(sides) - {side}))) for side in sides]


def _split(tree: Tree, token: int, names: TokenNames) -> list[int]:
    """The token, or its adjectives if they name different countries: "Indian and Pakistani troops" are two sides."""
    modifiers = [part for child in tree.related(token, "amod", "compound") for part in tree.subtree_by(child, "conj")]
    coded = [part for part in modifiers if names.country[part] != NONE]
    return coded if len({int(names.country[part]) for part in coded}) > 1 else [token]
