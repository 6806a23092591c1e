"""What kind of thing a mention names: its type, gender, number and animacy.

Covers: rules over words, tags and the word lists of `lexicon`.
Not here: how the answers are laid out for the kernels (`features.properties`).
"""

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.mentions import lexicon as lx
from calib_core.coref.mentions.detection import Mentions
from calib_core.document import Document


def mention_kinds(document: Document, mentions: Mentions) -> Ints:
    """`mention_type` of each mention, shape (n_mentions,)."""
    lowered = [word.lower() for word in document.words]
    spans = zip(mentions.starts.tolist(), mentions.ends.tolist(), mentions.heads.tolist(), strict=True)
    return np.array([mention_type(document, lowered, *span) for span in spans], dtype=np.int64)


def mention_type(document: Document, lowered: list[str], start: int, end: int, head: int) -> int:
    """One of the types that stand first in `lexicon`."""
    word, part = lowered[head], document.upos[head]
    if part in ("PRON", "DET") or (part == "ADP" and word in lx.PRONOUNS):
        if " ".join(lowered[start:end]) in lx.RECIPROCALS:
            return lx.REFLEXIVE_OTHER
        return lx.PRONOUNS.get(word, lx.INDEFINITE_PRONOUN)
    if any(document.deprels[t] == "conj" and document.heads[t] == head for t in range(head + 1, end)):
        return lx.COORDINATED
    if part == "PROPN":
        return lx.PROPER
    if part == "NUM":
        return lx.QUANTITY
    return _nominal_type(document, lowered, start, head)


def _nominal_type(document: Document, lowered: list[str], start: int, head: int) -> int:
    """The type of a common noun's mention, by its first word."""
    first = lowered[start]
    if first in lx.DETERMINERS:
        return lx.DETERMINERS[first]
    if first in lx.QUANTIFIERS or document.upos[start] == "NUM":
        return lx.QUANTIFIED
    if any(document.deprels[t] == "nmod:poss" and document.heads[t] == head for t in range(start, head)):
        return lx.POSSESSED
    return lx.BARE


def gender(lowered: list[str], start: int, head: int, kind: int, named: bool) -> int:
    """Gender by pronoun, title, noun or first name; 0 where the words do not tell."""
    if kind in lx.GENDER_OF_TYPE:
        return lx.GENDER_OF_TYPE[kind]
    window = lowered[start : head + 1] if named else lowered[head : head + 1]
    if any(word in lx.MASCULINE_NOUNS for word in window) or (named and lowered[head] in lx.MASCULINE_NAMES):
        return lx.MASCULINE
    if any(word in lx.FEMININE_NOUNS for word in window) or (named and lowered[head] in lx.FEMININE_NAMES):
        return lx.FEMININE
    return lx.UNKNOWN


def number(document: Document, head: int, kind: int) -> int:
    """0 unknown, 1 singular, 2 plural; a coordination is plural."""
    if kind in lx.PLURAL_TYPES:
        return 2
    if kind in lx.SINGULAR_TYPES:
        return 1
    if kind == lx.COORDINATED:
        return 2
    feats = document.feats[head]
    return 1 if "Number=Sing" in feats else 2 if "Number=Plur" in feats or "Number=Ptan" in feats else 0


def animacy(document: Document, lowered: list[str], start: int, head: int, kind: int, sex: int) -> int:
    """0 unknown, 1 animate, 2 inanimate, 3 a group of people."""
    lemma = document.lemmas[head].lower()
    if kind in lx.ANIMATE_TYPES or sex in (lx.MASCULINE, lx.FEMININE):
        return 1
    if kind in (lx.IT, lx.THIS, lx.THAT) or lowered[head] in lx.CALENDAR:
        return 2
    if lemma in lx.PERSON_NOUNS or any(word in lx.PERSON_NOUNS for word in lowered[start:head]):
        return 1
    if lemma in lx.GROUP_NOUNS:
        return 3
    if kind < lx.FIRST_PRONOUN and kind != lx.PROPER:
        return 1 if lemma.endswith(lx.PERSON_SUFFIXES) else 2
    return 0
