"""Which country a mention is described as.

The paper (section 6.1): the head word is in w(c), or it has an `nmod` or `amod` modifier in w(c). Beyond it: w(c) holds
names of several words (`naming`); the modifiers of all parts of a name belong to its head ("President Saddam Hussein
*of Iraq*"); conjuncts of a modifier modify too ("*Iranian and Iraqi* forces" has two countries); and a mention that
spans a coordination ("Iran and Iraq") is described as every conjunct is.

Covers: codes of mentions.
Not here: codes of tokens (`naming`), the rule that an entity must have a single country (`kernel`).
"""

from calib_core.arrays import Ints
from calib_core.events.naming import NONE
from calib_core.events.query import Query
from calib_core.events.tree import Tree

SEVERAL = -2
"""Country of a mention that is described as more than one."""


def mention_country(tree: Tree, head: int, start: int, end: int, countries: Ints, query: Query) -> int:
    """Country of one mention: a position in `query.codes`, `NONE` or `SEVERAL`.

    Parameters
    ----------
    tree : Tree
    head, start, end : int
        Head token and span of the mention, the end excluded.
    countries : shape (n_tokens,)
        From `token_countries`.
    query : Query
    """
    found: set[int] = set()
    for conjunct in tree.subtree_by(head, "conj"):
        if conjunct == head or start <= conjunct < end:
            found |= _described_as(tree, conjunct, countries, query)
    if not found:
        return NONE
    return found.pop() if len(found) == 1 else SEVERAL


def _described_as(tree: Tree, head: int, countries: Ints, query: Query) -> set[int]:
    """Countries of the head word and of the modifiers of every part of its name."""
    tokens = {head}
    for part in tree.subtree_by(tree.name_top(head), "flat"):
        for modifier in tree.related(part, *query.modifiers):
            tokens.update(tree.subtree_by(modifier, "conj"))
    return {int(countries[token]) for token in tokens} - {NONE}
