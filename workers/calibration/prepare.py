"""One annotated document as the model sees it, in one of three modes.

Covers: mentions, antecedents, gold entities and event evidence of a document, on a worker.
Not here: figures (`measure`), which model scores which document (`folds`).

| mode | trees | mentions |
|---|---|---|
| gold_mentions | the annotators' | those in gold entities, so that every one has a partner somewhere |
| gold_trees | the annotators' | the model's own |
| raw_text | the parser's, from the text alone, speakers unknown | the model's own: what `credence propagate` sees |
"""

from dataclasses import dataclass, field, replace

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref import AntecedentModel, Clusters, Mentions, detect_mentions, gold_entities
from calib_core.coref.features.columns import SENTENCE, TYPE
from calib_core.coref.features.properties import mention_arrays
from calib_core.coref.mentions.projection import gold_mentions, projected_entities
from calib_core.coref.model.held_out import HeldOut
from calib_core.document import Document
from calib_core.events import Evidence, Query, bundled_queries, mention_evidence
from calib_core.events.generic import GenericEvidence, generic_evidence
from workers.calibration.inputs import genre_of
from workers.parser import process_parser
from workers.parsing.choice import ParserConfig
from workers.reparse import reparse

GOLD_MENTIONS, GOLD_TREES, RAW_TEXT = MODES = ("gold_mentions", "gold_trees", "raw_text")


@dataclass(frozen=True, slots=True)
class EventTruth:
    """Evidence of mentions, with the gold entity of each: enough to say which events the annotators would see."""

    evidence: GenericEvidence
    entities: Ints


@dataclass(frozen=True, slots=True)
class Prepared:
    """One document in one mode.

    Attributes
    ----------
    held_out : HeldOut
        Antecedents, mention types, and gold entities by exact span.
    sentences : shape (n_mentions,)
    mentions : Mentions
    clusters : Clusters
        The annotators' entities, on the tokens of this mode.
    events : EventTruth
        Generic events on the trees of this mode; gold entities by span or head.
    on_gold_trees : EventTruth or None
        The same on the annotators' trees, where the mode's are the parser's.
    queries : dict
        Evidence for each bundled query.
    """

    doc_id: str
    mode: str
    genre: str
    held_out: HeldOut
    sentences: Ints
    mentions: Mentions
    clusters: Clusters
    events: EventTruth
    on_gold_trees: EventTruth | None = None
    queries: dict[str, Evidence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PrepareTask:
    """A document, a mode, and the number of the model that has not seen it."""

    document: Document
    mode: str
    model: int


def prepare(task: PrepareTask, shared: tuple[list[AntecedentModel], ParserConfig]) -> Prepared:
    """Score one document; runs on a worker."""
    models, parser = shared
    document = task.document
    if task.mode == RAW_TEXT:
        document = reparse(spaced(document), process_parser(parser))
    mentions = gold_mentions(document) if task.mode == GOLD_MENTIONS else detect_mentions(document)
    arrays = mention_arrays(document, mentions)
    return Prepared(
        doc_id=document.doc_id,
        mode=task.mode,
        genre=genre_of(document.doc_id),
        held_out=HeldOut(
            models[task.model].score(arrays), arrays.props[:, TYPE].copy(), gold_entities(document, mentions)
        ),
        sentences=arrays.props[:, SENTENCE].copy(),
        mentions=mentions,
        clusters=document.clusters or (),
        events=_event_truth(document, mentions),
        on_gold_trees=_truth_on_gold_trees(task),
        queries=_query_evidence(document, mentions),
    )


def has_tree(document: Document) -> bool:
    """Whether the annotators gave a tree."""
    return any(relation != "_" for relation in document.deprels)


def spaced(document: Document) -> Document:
    """A document whose words have places in a text; where the corpus has none, they stand one blank apart."""
    if not len(document) or document.ends.min() >= 0:
        return document
    lengths = np.array([len(word) for word in document.words], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    return replace(document, starts=ends - lengths, ends=ends)


def _event_truth(document: Document, mentions: Mentions) -> EventTruth:
    return EventTruth(generic_evidence(document, mentions), projected_entities(document, mentions))


def _truth_on_gold_trees(task: PrepareTask) -> EventTruth | None:
    if task.mode != RAW_TEXT or not has_tree(task.document):
        return None
    return _event_truth(task.document, _union(detect_mentions(task.document), gold_mentions(task.document)))


def _union(first: Mentions, second: Mentions) -> Mentions:
    """All spans of both, once each, in document order."""
    heads = dict(zip(second.spans(), second.heads.tolist(), strict=True))
    heads.update(zip(first.spans(), first.heads.tolist(), strict=True))
    spans = sorted(heads, key=lambda span: (span[0], -span[1]))
    starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    return Mentions(starts, ends, np.array([heads[span] for span in spans], dtype=np.int64))


def _query_evidence(document: Document, mentions: Mentions) -> dict[str, Evidence]:
    return {
        name: mention_evidence(
            document, mentions.heads, mentions.starts, mentions.ends, Query.from_yaml(name), year=None
        )
        for name in bundled_queries()
    }
