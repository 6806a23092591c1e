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
    return all(
        any(_is_near(tree, token, place) for spelling in spellings for place in tree.places.get(spelling, ()))
        for spellings in phrase.words
    )


def _is_near(tree: Tree, token: int, place: int) -> bool:
    """Whether a word hangs on a verb, or on a word that does, or belongs to what the verb modifies."""
    if not tree.free[place]:
        return False
    governor = tree.head(place)
    if governor == token or (governor >= 0 and tree.head(governor) == token):
        return True
    if tree.relation(token) not in ("acl", "acl:relcl") or tree.head(token) < 0:
        return False
    modified = tree.head(token)
    return place == modified or (governor == modified and tree.relation(place) == "compound")


def nouns_of_phrase(tree: Tree, token: int, phrase: Phrase) -> set[int]:
    """The children of the verb that belong to the phrase: "fire" is what was opened, not what was fired at."""
    words = frozenset().union(*phrase.words)
    return set(tree.worded(token, words))
