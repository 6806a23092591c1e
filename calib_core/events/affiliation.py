"""Which country a mention is described as.

The paper (section 6.1): the head word is in w(c), or it has an `nmod` or `amod` modifier in w(c). Beyond it: w(c) holds
names of several words, found longest first; the modifiers of all parts of a name belong to its head ("President
Saddam Hussein *of Iraq*"); conjuncts of a modifier modify too ("*Iranian and Iraqi* forces" has two countries); and a
mention that spans a coordination ("Iran and Iraq") is described as every conjunct is.

Covers: codes of tokens, codes of mentions.
Not here: the words themselves (`lexicon`), the rule that an entity must have a single country (`kernel`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Ints
from calib_core.document import Document
from calib_core.events.lexicon import MASK, Entry, Lexicon
from calib_core.events.pieces import fold, free_standing, pieces
from calib_core.events.query import Query
from calib_core.events.tree import Tree

NONE, SEVERAL = -1, -2
"""Country of a mention that is described as none, or as more than one."""

_NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "X", "_"})
_JOINERS = frozenset("-‐‑–.'’")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a token, and whether a form may begin before it or end after it."""

    text: str
    token: int
    opens: bool
    closes: bool


def token_countries(document: Document, query: Query, year: int | None) -> Ints:
    """For each token the position in `query.codes` of the country whose name it is part of, or `NONE`."""
    countries = np.full(len(document), NONE, dtype=np.int64)
    position = {code: index for index, code in enumerate(query.codes)}
    for run in _runs(document):
        start = 0
        while start < len(run):
            length, entry = _longest(run, start, document, query.lexicon, year)
            if entry is not None and entry.code != MASK:
                tokens = [piece.token for piece in run[start : start + length]]
                countries[tokens] = position[query.recode(entry.code)]
            start += length
    return countries


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


def _runs(document: Document) -> list[list[_Piece]]:
    """Pieces of the document, cut where no form may continue: at sentence ends, punctuation and glued tokens."""
    runs: list[list[_Piece]] = [[]]
    free = free_standing(document)
    for token, word in enumerate(document.words):
        parts = pieces(word)
        sentence_starts = token > 0 and document.sentences[token] != document.sentences[token - 1]
        if sentence_starts or not free[token] or (not parts and not set(word) <= _JOINERS):
            runs.append([])
        if free[token]:
            possessive = len(parts) > 1 and fold(parts[-1]) == "s" and word[-2:-1] in ("'", "’")
            last = len(parts) - (2 if possessive else 1)
            runs[-1] += [_Piece(text, token, i == 0, i >= last) for i, text in enumerate(parts)]
    return runs


def _longest(
    run: list[_Piece], start: int, document: Document, lexicon: Lexicon, year: int | None
) -> tuple[int, Entry | None]:
    """Number of pieces and entry of the longest form that begins at `start`; (1, None) where none does.

    A form that means nothing in that year takes its pieces with it, and has no entry.
    """
    if not run[start].opens:
        return 1, None
    for length in range(min(lexicon.longest.get(fold(run[start].text), 0), len(run) - start), 0, -1):
        window = run[start : start + length]
        if not window[-1].closes or not _may_name(window, document):
            continue
        words = [piece.text for piece in window]
        entry = lexicon.find(words, year)
        if entry is not None or lexicon.knows(words):
            return length, entry
    return 1, None


def _may_name(window: list[_Piece], document: Document) -> bool:
    """A single token must be tagged as a noun or adjective, which tells "US" from a shouted "us"."""
    return window[0].token != window[-1].token or document.upos[window[0].token] in _NOMINAL
