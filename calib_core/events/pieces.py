"""Cut words into pieces that tokenisers agree on, and say which tokens stand free in the text.

A piece is an unbroken run of letters and digits. "U.S.", "U. S." and "U.S" all have the pieces U, S; "Guinea-Bissau"
has the same pieces whether it is one token or three. Lexicon forms, tokens and raw text are compared piece by piece,
which is what makes the gate lossless for any tokenisation. Accents may be written as one character or two (NFC, NFD).

Covers: pieces of a string, tokens glued to a neighbour, folding of case.
Not here: which pieces mean a country (`lexicon`), which tokens they cover (`affiliation`).
"""

import re
from unicodedata import category, normalize

import numpy as np

from calib_core.arrays import Bools
from calib_core.document import Document

_RUN = re.compile(r"[^\W_]+")


def pieces(text: str) -> tuple[str, ...]:
    """Runs of letters and digits, in order, with their case.

    >>> pieces("Guinea-Bissau's U.S.")
    ('Guinea', 'Bissau', 's', 'U', 'S')
    """
    return tuple(_RUN.findall(composed(text)))


def composed(text: str) -> str:
    """With accents as part of their letters (NFC), as all words are compared."""
    return text if text.isascii() else normalize("NFC", text)


def separated(text: str) -> tuple[list[tuple[str, str]], str]:
    """Pieces, each with what stands before it, and what stands after the last.

    >>> separated("anti-Iraq,")
    ([('', 'anti'), ('-', 'Iraq')], ',')
    """
    found, end = [], 0
    text = composed(text)
    for run in _RUN.finditer(text):
        found.append((text[end : run.start()], run.group()))
        end = run.end()
    return found, text[end:]


def fold(text: str) -> str:
    """Without case, accents composed. Goes by letters, so a folded text contains its folded tokens that stand free."""
    return composed(text).casefold()


def folded_pieces(text: str) -> tuple[str, ...]:
    """Pieces without case. Cut first, then folded: "İ" folds to a letter and a dot, at which it must not be cut."""
    return tuple(map(fold, pieces(text)))


def free_standing(document: Document) -> Bools:
    """Which tokens have no letter or digit right beside them in the text, shape (n_tokens,).

    A tokeniser may cut inside a word ("can|not") or between a letter and its accent; such parts are not words to look
    up. Where the document has no character offsets, every token counts as free.
    """
    free = np.ones(len(document), dtype=np.bool_)
    touching = (document.ends[:-1] == document.starts[1:]) & (document.starts[1:] >= 0)
    for left in np.flatnonzero(touching):
        before, after = document.words[left][-1:], document.words[left + 1][:1]
        if (before.isalnum() and after.isalnum()) or (after and category(after).startswith("M")):
            free[left] = free[left + 1] = False
    return free
