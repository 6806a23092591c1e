"""Words that do not tell the event although their form does: "struck a deal", "heart attack", "workers strike".

Covers: the test that a query's `unless` asks for.
Not here: the words (a query's own).
"""

from calib_core.events.language import Unless
from calib_core.events.phrases import nouns_of_phrase, phrase_at
from calib_core.events.query import Query
from calib_core.events.tree import Tree

_OBJECTS = ("obj", "nsubj:pass")
_MODIFIERS = ("amod", "compound", "nmod:poss", "nmod", "advmod", "compound:prt")
_TARGETS = frozenset({"on", "against", "at", "upon"})


def is_another_sense(tree: Tree, token: int, query: Query) -> bool:
    """Whether a word beside the verb or noun shows that another sense is meant."""
    unless = query.language.unless
    if unless == Unless():
        return False
    phrase = phrase_at(tree, token, query.language.phrases)
    own = set() if phrase is None else nouns_of_phrase(tree, token, phrase)
    objects = [child for child in _objects(tree, token) if child not in own]  # fire is fought, but also opened
    return (
        _any(tree, objects, unless.objects)
        or _any(tree, tree.related(token, *_MODIFIERS), unless.modifiers)
        or _any(tree, tree.related(token, "nsubj"), unless.subjects)
    )


def _objects(tree: Tree, token: int) -> list[int]:
    """What it is done to: objects, and what follows "on" or "against"."""
    found = tree.related(token, *_OBJECTS)
    found += [child for child in tree.related(token, "obl", "nmod") if tree.marks(child) & _TARGETS]
    if tree.relation(token) == "acl" and tree.is_passive(token):
        found.append(tree.head(token))
    return found


def _any(tree: Tree, tokens: list[int], words: frozenset[str]) -> bool:
    return bool(words) and any(tree.word(part) in words for token in tokens for part in tree.subtree_by(token, "conj"))
