"""A parser of a hundred words, for tests of everything around a parser: it knows the sentences that tests write.

Deterministic, without torch, and loaded in no time. Its trees are right for "Iraqi troops attacked a post on Monday"
and "Diplomats feared that he would attack the city", and are trees for anything else.
"""

import re

import numpy as np

from calib_core.document import Document

VERBS = frozenset(["attacked", "attack", "met", "feared", "said", "protested", "had", "rose", "were", "been", "was"])
CLOSED = {
    "DET": frozenset(["the", "a", "an", "this"]),
    "ADP": frozenset(["of", "on", "for", "in", "at", "by"]),
    "PRON": frozenset(["he", "it", "they"]),
    "AUX": frozenset(["would"]),
    "SCONJ": frozenset(["that"]),
    "ADV": frozenset(["again"]),
    "ADJ": frozenset(["iraqi", "iranian", "syrian", "israeli", "turkish", "american", "empty", "cold", "short"]),
    "VERB": VERBS,
}
NOMINAL = ("NOUN", "PROPN", "PRON")
TOKEN = re.compile(r"\w+|[^\w\s]")


def toy_parse(doc_id: str, text: str) -> Document:
    """Tokens, tags and a tree per sentence."""
    spans = [match.span() for match in TOKEN.finditer(text)]
    words = tuple(text[start:end] for start, end in spans)
    sentences = np.cumsum([0] + [word == "." for word in words[:-1]])[: len(words)]
    upos = [_tag(word, first) for word, first in zip(words, [True, *(word == "." for word in words)], strict=False)]
    heads, deprels = [-1] * len(words), ["root"] * len(words)
    for sentence in np.unique(sentences):
        _attach(np.flatnonzero(sentences == sentence).tolist(), words, upos, heads, deprels)
    blank = ("_",) * len(words)
    return Document(
        doc_id=doc_id, words=words, lemmas=blank, upos=tuple(upos), xpos=blank, feats=blank,
        heads=np.array(heads, dtype=np.int64), deprels=tuple(deprels), sentences=sentences.astype(np.int64),
        starts=np.array([start for start, _ in spans], dtype=np.int64),
        ends=np.array([end for _, end in spans], dtype=np.int64), speakers=("",) * len(words),
    )  # fmt: skip


def _tag(word: str, first: bool) -> str:
    for tag, listed in CLOSED.items():
        if word.lower() in listed:
            return tag
    if not word[0].isalnum():
        return "PUNCT"
    if word.isdecimal():
        return "NUM"
    return "PROPN" if word[0].isupper() and not first else "NOUN"


def _attach(tokens: list[int], words: tuple[str, ...], upos: list[str], heads: list[int], deprels: list[str]) -> None:
    """Noun phrases first, then what they are to the nearest verb."""
    verbs = [t for t in tokens if upos[t] == "VERB"]
    root = verbs[0] if verbs else tokens[0]
    nominals = [t for t in tokens if upos[t] in NOMINAL and not (t + 1 in tokens and upos[t + 1] in NOMINAL[:2])]
    for t in tokens:
        if t == root:
            continue
        later = [n for n in nominals if n >= t]
        verb = next((v for v in verbs if v >= t), verbs[-1] if verbs else root)
        if t in nominals:
            heads[t], deprels[t] = _role(t, tokens, words, upos, nominals, verbs, root)
        elif upos[t] in ("DET", "ADJ", "NUM", "ADP", "NOUN", "PROPN") and later:
            heads[t] = later[0]
            deprels[t] = {"DET": "det", "ADJ": "amod", "NUM": "nummod", "ADP": "case"}.get(upos[t], "compound")
        elif upos[t] == "VERB":
            heads[t], deprels[t] = root, "ccomp"
        else:
            heads[t] = verb if verb != t else root
            deprels[t] = {"AUX": "aux", "SCONJ": "mark", "PUNCT": "punct"}.get(upos[t], "dep")


def _role(
    t: int, tokens: list[int], words: tuple[str, ...], upos: list[str], nominals: list[int], verbs: list[int], root: int
) -> tuple[int, str]:
    """Governor and relation of a noun phrase's head."""
    start = t
    while (
        start - 1 in tokens and upos[start - 1] in ("DET", "ADJ", "NUM", "NOUN", "PROPN") and start - 1 not in nominals
    ):
        start -= 1
    preposition = words[start - 1].lower() if start - 1 in tokens and upos[start - 1] == "ADP" else ""
    earlier = [n for n in nominals if n < t]
    if preposition == "of" and earlier:
        return earlier[-1], "nmod"
    before, after = [v for v in verbs if v < t], [v for v in verbs if v > t]
    if preposition:
        return (before[-1] if before else root), "obl"
    if after and (not before or "SCONJ" in upos[before[-1] : t]):  # a conjunction opens a clause with a subject
        return after[0], "nsubj"
    return (before[-1] if before else root), "obj" if before else "dep"
