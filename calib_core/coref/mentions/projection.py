"""Gold entities on mentions that the model found by itself.

Covers: gold mentions as mentions with heads; the gold entity of any mention, by its span and else by its head.
Not here: exact spans alone, which pairs are judged by (`model.training.gold_entities`).

Whether an event happened does not hang on where a mention ends: "the army" and "the army of the north" say the same of
the same entity. So a gold mention that was not found exactly lends its entity to a found mention with the same head
word: of several, to the one whose length differs least, the earlier on a tie. A mention that no gold mention stands for
is an entity of its own.
"""

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.mentions.detection import Mentions
from calib_core.document import Document, Span


def span_head(document: Document, span: Span) -> int:
    """The first token of a span that depends on one outside of it."""
    start, end = span
    above = document.heads[start:end]
    return start + int(np.argmax((above < start) | (above >= end)))


def gold_mentions(document: Document) -> Mentions:
    """The mentions of the gold clusters, each span once, in the order of `detect_mentions`."""
    spans = sorted({span for cluster in document.clusters or () for span in cluster}, key=lambda s: (s[0], -s[1]))
    return Mentions(
        starts=np.array([start for start, _ in spans], dtype=np.int64),
        ends=np.array([end for _, end in spans], dtype=np.int64),
        heads=np.array([span_head(document, span) for span in spans], dtype=np.int64),
    )


def projected_entities(document: Document, mentions: Mentions) -> Ints:
    """A label from 0 for the entity of each mention: gold entities first, then one for each mention outside of them."""
    if document.clusters is None:
        raise ValueError(f"document {document.doc_id!r} has no gold clusters")
    position = {span: number for number, span in enumerate(mentions.spans())}
    labels = np.full(len(mentions), -1, dtype=np.int64)
    gold = [(span, number) for number, cluster in enumerate(document.clusters) for span in cluster]
    for span, entity in gold:
        if span in position:
            labels[position[span]] = entity
    for span, entity in gold:
        if span not in position:
            mention = _by_head(document, mentions, labels, span)
            if mention >= 0:
                labels[mention] = entity
    alone = np.flatnonzero(labels < 0)
    labels[alone] = len(document.clusters) + np.arange(len(alone))
    return labels


def _by_head(document: Document, mentions: Mentions, labels: Ints, span: Span) -> int:
    """The mention without an entity that has the head of a gold span and is closest to its length; -1 for none."""
    same = np.flatnonzero((mentions.heads == span_head(document, span)) & (labels < 0))
    if not len(same):
        return -1
    lengths = (mentions.ends - mentions.starts)[same]
    return int(same[np.argmin(np.abs(lengths - (span[1] - span[0])))])
