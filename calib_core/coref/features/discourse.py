"""What the rest of the document says about a token or mention: who speaks, what is quoted, what is said to be what.

Covers: quotation marks, turns, names of speakers, prepositions, appositions, titles and predicate nouns.
Not here: how the answers are laid out for the kernels (`properties`).
"""

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.features.columns import checksum
from calib_core.coref.mentions import lexicon as lx
from calib_core.document import Document


def quoted_tokens(words: tuple[str, ...]) -> list[int]:
    """Whether each token stands between quotation marks, by counting them; 0 or 1."""
    inside, states = 0, []
    for word in words:
        inside = 1 if word in ("“", "``") else 0 if word in ("”", "''") else inside ^ (word == '"')
        states.append(inside)
    return states


def turns(speakers: list[int]) -> Ints:
    """Speaker of each token, of the turn before and of the turn after; shape (n_tokens, 3), 0 for none."""
    rows = np.zeros((len(speakers), 3), dtype=np.int64)
    rows[:, 0] = speakers
    for column, order in ((1, range(1, len(speakers))), (2, range(len(speakers) - 2, -1, -1))):
        step = -1 if column == 1 else 1
        for token in order:
            beside = token + step
            same = speakers[beside] == speakers[token]
            rows[token, column] = rows[beside, column] if same else speakers[beside]
    return rows


def speaker_bits(lowered: list[str], start: int, head: int, kind: int, names: list[str]) -> int:
    """Bit s is set if a name or title in the mention is part of the name of speaker s (the first 62 speakers)."""
    if kind != lx.PROPER:
        return 0
    words = [word for word in lowered[start : head + 2] if len(word) > 2 and word not in lx.STOP_WORDS]
    return sum(1 << s for s, name in enumerate(names[:62]) if any(word in name.lower() for word in words))


def appositions(document: Document) -> dict[int, int]:
    """What each head is said to be: checksum of the lemma of its apposition, title or predicate noun."""
    said: dict[int, int] = {}
    for token, relation in enumerate(document.deprels):
        head = int(document.heads[token])
        if relation in ("appos", "nmod:desc"):
            said.setdefault(head, checksum(document.lemmas[token].lower()))
        elif relation.startswith("nsubj") and head >= 0 and document.upos[head] in ("NOUN", "PROPN"):
            said.setdefault(token, checksum(document.lemmas[head].lower()))
    return said


def prepositions(document: Document) -> dict[int, int]:
    """Checksum of the preposition that leads each head: people are seldom "in" or "near" what they do."""
    return {
        int(document.heads[token]): checksum(document.words[token].lower())
        for token, relation in enumerate(document.deprels)
        if relation == "case" and document.upos[token] == "ADP" and token < document.heads[token]
    }
