"""Cut words into pieces that tokenisers agree on, and say which tokens stand free in the text.

A piece is an unbroken run of letters and digits. "U.S.", "U. S." and "U.S" all have the pieces U, S; "Guinea-Bissau"
has the same pieces whether it is one token or three. Lexicon forms, tokens and raw text are compared piece by piece,
which is what makes the gate lossless for any tokenisation.

Covers: pieces of a string, tokens glued to a neighbour, folding of case.
Not here: which pieces mean a country (`lexicon`), which tokens they cover (`affiliation`).
"""

import re

import numpy as np

from calib_core.arrays import Bools
from calib_core.document import Document

_RUN = re.compile(r"[^\W_]+")


def pieces(text: str) -> tuple[str, ...]:
    """Runs of letters and digits, in order, with their case.

    >>> pieces("Guinea-Bissau's U.S.")
    ('Guinea', 'Bissau', 's', 'U', 'S')
    """
    return tuple(_RUN.findall(text))


def separated(text: str) -> tuple[list[tuple[str, str]], str]:
    """Pieces, each with what stands before it, and what stands after the last.

    >>> separated("anti-Iraq,")
    ([('', 'anti'), ('-', 'Iraq')], ',')
    """
    found, end = [], 0
    for run in _RUN.finditer(text):
        found.append((text[end : run.start()], run.group()))
        end = run.end()
    return found, text[end:]


def fold(text: str) -> str:
    """Without case. Folds character by character, so a folded text contains its folded tokens."""
    return text.casefold()


def free_standing(document: Document) -> Bools:
    """Which tokens have no letter or digit right beside them in the text, shape (n_tokens,).

    A tokeniser may cut inside a word ("can|not"); such parts are not words to look up. Where the document has no
    character offsets, every token counts as free.
    """
    free = np.ones(len(document), dtype=np.bool_)
    touching = (document.ends[:-1] == document.starts[1:]) & (document.starts[1:] >= 0)
    for left in np.flatnonzero(touching):
        if document.words[left][-1:].isalnum() and document.words[left + 1][:1].isalnum():
            free[left] = free[left + 1] = False
    return free
