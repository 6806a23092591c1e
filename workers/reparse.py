"""Annotated documents as in use: the parser's words and trees instead of the annotators'.

Covers: rebuilding the text of a corpus document, parsing it, and carrying the gold clusters over.
Not here: reading corpora (`calib_core.coref.corpora.readers`), measuring (`calib_core.coref.metrics.evaluation`).
"""

from dataclasses import replace

import numpy as np

from calib_core.document import Document, Span
from workers.parser import Parser


def reparse(document: Document, parser: Parser) -> Document:
    """Parse the raw text of an annotated document; clusters are found again by character offsets.

    A gold mention whose ends fall inside words of the parser takes the whole words. Speakers are dropped, because raw
    text has none.
    """
    if len(document) and document.ends.min() < 0:
        raise ValueError(f"document {document.doc_id!r} has no character offsets, so its text cannot be rebuilt")
    parsed = parser.parse(document.doc_id, raw_text(document))
    if document.clusters is None:
        return parsed
    clusters = (tuple(_carried(document, parsed, span) for span in cluster) for cluster in document.clusters)
    # two mentions may have become one
    return replace(parsed, clusters=tuple(tuple(dict.fromkeys(cluster)) for cluster in clusters))


def raw_text(document: Document) -> str:
    """The text of a document from its words and their offsets; gaps are blanks."""
    text = [" "] * int(max(document.ends, default=0))
    for word, start, end in zip(document.words, document.starts.tolist(), document.ends.tolist(), strict=True):
        text[start:end] = word[: end - start].ljust(end - start)
    return "".join(text)


def spaced(document: Document) -> Document:
    """A document whose words have places in a text; if the corpus gives none, they are one blank apart."""
    if not len(document) or document.ends.min() >= 0:
        return document
    lengths = np.array([len(word) for word in document.words], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    return replace(document, starts=ends - lengths, ends=ends)


def words_between(parsed: Document, first: int, last: int) -> Span:
    """The words of a parse that characters `first` to `last`, the end excluded, fall into; at least one."""
    start = int(np.searchsorted(parsed.ends, first, "right"))
    return start, max(start + 1, int(np.searchsorted(parsed.starts, last, "left")))


def _carried(document: Document, parsed: Document, span: Span) -> Span:
    """The words of the parse that the mention's characters fall into."""
    return words_between(parsed, int(document.starts[span[0]]), int(document.ends[span[1] - 1]))
