"""Which country a mention is described as.

The paper (section 6.1): the head word is in w(c), or it has an `nmod` or `amod` modifier in w(c). Beyond it:

- w(c) holds names of several words (`naming`).
- The modifiers of all parts of a name belong to its head ("President Saddam Hussein *of Iraq*"), and so do those of a
  title before it ("*Iraqi* President Saddam Hussein") and of the noun that a word of number counts ("hundreds of
  *Iraqi* troops").
- With `appos` among the query's modifiers, an apposition describes what it stands beside, and the reverse ("Tariq Aziz,
  *Iraq's* foreign minister"): grammar says that the two are one, and corpora annotate them as one mention. What has a
  country of its own keeps it ("Kuwait, a neighbour of Iraq").
- Conjuncts of a modifier modify too ("*Iranian and Iraqi* forces" has two countries), and a mention that spans a
  coordination ("Iran and Iraq") is described as every conjunct is.

Covers: codes of mentions.
Not here: codes of tokens (`naming`), the rule that an entity must have a single country (`kernel`).
"""

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.events.naming import NONE
from calib_core.events.tree import Tree
from calib_core.events.watched_tree import SentenceTrees

_TITLE_NOUNS = """
president premier minister chancellor king queen prince princess emperor sultan emir sheik sheikh shah ayatollah pope
general gen. gen colonel col. col major maj. captain capt. lieutenant lt. admiral adm. marshal commander leader dictator
ambassador envoy secretary senator spokesman spokeswoman representative chairman
"""
_TITLES = frozenset(_TITLE_NOUNS.split())

_COUNTING_NOUNS = """
hundreds thousands millions dozens scores tens dozen group groups band bands number majority handful members some one
many most several few all both none each any half part units columns waves
"""
_PARTITIVES = frozenset(_COUNTING_NOUNS.split())

SEVERAL = -2
"""Country of a mention that is described as more than one."""


def mention_country(tree: Tree, head: int, start: int, end: int, countries: Ints, modifiers: frozenset[str]) -> int:
    """Country of one mention: a position in `query.codes`, `NONE` or `SEVERAL`.

    Parameters
    ----------
    tree : Tree
    head, start, end : int
        Head token and span of the mention, the end excluded.
    countries : shape (n_tokens,)
        From `token_names`.
    modifiers : frozenset of str
        Of the query.
    """
    found: set[int] = set()
    for conjunct in tree.subtree_by(head, "conj"):
        if conjunct == head or start <= conjunct < end:
            found |= _described_as(tree, conjunct, countries, modifiers)
    if not found:
        return NONE
    return found.pop() if len(found) == 1 else SEVERAL


def may_be_described(trees: SentenceTrees, named: Bools, modifiers: frozenset[str]) -> tuple[Bools, Bools]:
    """Which words of a sentence a name may describe, tree by tree, and by which arcs; both are rather too many.

    Parameters
    ----------
    trees : SentenceTrees
    named : shape (n,)
        Words that some lexicon knows.
    modifiers : frozenset of str
        Of the query, for agents and targets together.

    Returns
    -------
    reached, bearing : shape (n_trees, n)
        Words, and arcs.
    """
    words = [trees.best.words[token] for token in trees.tokens]
    titles = np.array([word in _TITLES for word in words])
    partitive = np.array([_is_partitive(trees.best, token) for token in trees.tokens])
    joined, flat, beside = trees.broadly("conj"), trees.broadly("flat"), trees.broadly("appos")
    naming = np.broadcast_to(named, trees.heads.shape).copy()
    _spread(naming, trees.heads, joined)
    found = naming.copy()
    of_name = trees.broadly(*{name.split(":")[0] for name in modifiers} - {"appos"})
    _spread(found, trees.heads, of_name & naming, once=True)
    below = np.append(False, partitive)[trees.heads]
    up = joined | flat | beside | (trees.broadly("nmod", "compound") & (titles | below | trees.exactly("nmod:desc")))
    while True:
        before = np.count_nonzero(found)
        _spread(found, trees.heads, up, once=True)
        found |= (flat | beside) & np.take_along_axis(_after_root(found), trees.heads, axis=1)
        if np.count_nonzero(found) == before:
            break
    governed = np.take_along_axis(_after_root(found), trees.heads, axis=1)
    return found, (found & up) | (naming & of_name) | (governed & trees.exactly("case", "mark"))


def _spread(marked: Bools, heads: Ints, along: Bools, *, once: bool = False) -> None:
    """Mark the governors of marked words, along some arcs, in place; once, or until nothing is new."""
    while True:
        row, column = np.nonzero(marked & along)
        governor = heads[row, column]
        inside = governor > 0
        new = ~marked[row[inside], governor[inside] - 1]
        if once or not new.any():
            marked[row[inside], governor[inside] - 1] = True
            return
        marked[row[inside], governor[inside] - 1] = True


def _after_root(marked: Bools) -> Bools:
    """With a column in front for the root, which is never marked."""
    return np.concatenate([np.zeros((len(marked), 1), np.bool_), marked], axis=1)


def _described_as(tree: Tree, head: int, countries: Ints, modifiers: frozenset[str]) -> set[int]:
    """Countries that the head says itself or, where it says none, that its appositions say."""
    own = _named(tree, head, countries, modifiers)
    if own or "appos" not in modifiers:
        return own
    nouns = tree.subtree_by(tree.top(head, "appos"), "appos")
    return {country for noun in nouns for country in _named(tree, noun, countries, modifiers)}


def _named(tree: Tree, head: int, countries: Ints, modifiers: frozenset[str]) -> set[int]:
    """Countries of the head word and of the modifiers of every part of its name."""
    tokens = {head}
    for part in _parts(tree, head, modifiers):
        for modifier in _modifiers(tree, part, modifiers):
            tokens.update(tree.subtree_by(modifier, "conj"))
    return {int(countries[token]) for token in tokens} - {NONE}


def _modifiers(tree: Tree, part: int, modifiers: frozenset[str]) -> list[int]:
    """What describes one part of a name; `nmod:of` and `nmod:from` stand for the `nmod` with that preposition."""
    found = tree.related(part, *modifiers - {"appos"})
    wanted = {name for name in ("of", "from") if f"nmod:{name}" in modifiers}
    if wanted and "nmod" not in modifiers:
        found += [child for child in tree.related(part, "nmod") if tree.marks(child) & wanted]
    return found


def _parts(tree: Tree, head: int, modifiers: frozenset[str]) -> list[int]:
    """The tokens whose modifiers are the head's: parts of its name, titles before it, what it is a number of."""
    name = list(tree.subtree_by(tree.top(head, "flat"), "flat"))
    titles = [child for part in name for child in tree.related(part, "nmod:desc", "compound") if _is_title(tree, child)]
    if not modifiers & {"nmod", "nmod:of"} or not _is_partitive(tree, head):
        return name + titles
    return name + titles + [child for child in tree.related(head, "nmod") if "of" in tree.marks(child)]


def _is_title(tree: Tree, token: int) -> bool:
    """Whether the token is a title before a proper name."""
    governor = tree.head(token)
    if governor <= token or tree.document.upos[governor] not in ("PROPN", "_"):
        return False
    return tree.relation(token) == "nmod:desc" or tree.word(token) in _TITLES


def _is_partitive(tree: Tree, token: int) -> bool:
    """Whether the token only says how many there are of what follows."""
    return tree.document.upos[token] == "NUM" or tree.word(token) in _PARTITIVES
