"""The one in-memory document: tokens, their tree, and gold clusters where a corpus gives them.

Covers: the type that corpus readers and the parser yield, and that mention detection and the event predicate read.
Not here: reading files (`calib_core.coref.corpora.readers`), finding mentions (`calib_core.coref.mentions.detection`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Ints

Span = tuple[int, int]
"""Token positions `start, end` in the document, the end excluded."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document of n tokens; every array and tuple of token properties has length n.

    Attributes
    ----------
    doc_id : str
        Unique in its archive or corpus.
    words, lemmas, upos, xpos, feats, deprels : tuple of str
        As in CoNLL-U; "_" where unknown. `words` are surface forms exactly as in the text.
    heads : shape (n,)
        Position *in the document* of each token's head; -1 for the root of a sentence.
    sentences : shape (n,)
        Number of the sentence that each token is in, from 0, never decreasing.
    starts, ends : shape (n,)
        Character offsets into the text, the end excluded; -1 where the corpus has no text.
    speakers : tuple of str
        Who says each token; "" where unknown.
    clusters : tuple of tuples of spans, or None
        Gold entities, each a tuple of its mentions; None where the document is not annotated.
    """

    doc_id: str
    words: tuple[str, ...]
    lemmas: tuple[str, ...]
    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    feats: tuple[str, ...]
    heads: Ints
    deprels: tuple[str, ...]
    sentences: Ints
    starts: Ints
    ends: Ints
    speakers: tuple[str, ...]
    clusters: tuple[tuple[Span, ...], ...] | None = None

    def __post_init__(self) -> None:
        """Refuse properties of different lengths and heads that point nowhere."""
        n = len(self.words)
        for name in ("lemmas", "upos", "xpos", "feats", "heads", "deprels", "sentences", "starts", "ends", "speakers"):
            if len(getattr(self, name)) != n:
                raise ValueError(
                    f"document {self.doc_id!r}: {name} has {len(getattr(self, name))} entries for {n} tokens"
                )
        if n and (self.heads.min() < -1 or self.heads.max() >= n):
            wrong = int(np.argmax((self.heads < -1) | (self.heads >= n)))
            raise ValueError(f"document {self.doc_id!r}: token {wrong} has head {self.heads[wrong]}, outside [-1, {n})")

    def __len__(self) -> int:
        """Number of tokens."""
        return len(self.words)
