"""Verbs of several words: "open fire", "take into custody", "shoot dead".

Covers: whether a token is the verb of a phrase, with the phrase's other words on it.
Not here: the phrases (`language`), their arguments, which are the verb's (`arguments`).
"""

from collections.abc import Iterable

from calib_core.events.language import Phrase
from calib_core.events.tree import Tree


def phrase_at(tree: Tree, token: int, phrases: Iterable[Phrase]) -> Phrase | None:
    """The first phrase whose verb is this token, or None.

    The other words may hang on the verb or on a word that does ("into" on "custody"), and the noun that a participle
    modifies is one of them ("shells lobbed at the crowd").
    """
    word = tree.word(token)
    for phrase in phrases:
        if word in phrase.forms and _holds(tree, token, phrase):
            return phrase
    return None


def _holds(tree: Tree, token: int, phrase: Phrase) -> bool:
    """Whether every further word of the phrase is there."""
    near = words_near(tree, token)
    return all(spellings & near for spellings in phrase.words)


def words_near(tree: Tree, token: int) -> set[str]:
    """Words that hang on a verb, those that hang on them, and what the verb modifies."""
    near = list(tree.children[token])
    near += [grandchild for child in near for grandchild in tree.children[child]]
    if tree.relation(token) in ("acl", "acl:relcl") and tree.head(token) >= 0:
        near += [tree.head(token), *tree.related(tree.head(token), "compound")]
    return {tree.word(child) for child in near}


def nouns_of_phrase(tree: Tree, token: int, phrase: Phrase) -> set[int]:
    """The children of the verb that belong to the phrase: "fire" is what was opened, not what was fired at."""
    words = frozenset().union(*phrase.words)
    return {child for child in tree.children[token] if tree.word(child) in words}
