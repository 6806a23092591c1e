"""One annotated document as the model sees it, in one of three modes.

Covers: mentions, antecedents, gold entities and event evidence of a document, on a worker.
Not here: figures (`measure`), which model scores which document (`folds`).

| mode | trees | mentions |
|---|---|---|
| gold_mentions | the annotators' | those in gold entities, so each has a partner somewhere |
| gold_trees | the annotators' | the model's own |
| raw_text | the parser's, from the text alone, speakers unknown | the model's own: what `credence propagate` sees |
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref import Clusters, CoreferenceModel, LinkedMentions, Mentions, gold_entities
from calib_core.coref.mentions.projection import gold_mentions, projected_entities
from calib_core.coref.model.held_out import HeldOut
from calib_core.document import Document
from calib_core.events import QueriedDocument, Query, bundled_queries, query_document
from calib_core.events.generic import GenericEvidence, generic_evidence
from workers.calibration.inputs import genre_of
from workers.parser import process_parser
from workers.parsing.choice import ParserConfig
from workers.reparse import reparse, spaced

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
        The same on the annotators' trees, if the mode's are the parser's.
    queries : dict
        The document asked each bundled query, before any recalibration.
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
    queries: dict[str, QueriedDocument] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PrepareTask:
    """A document, a mode, and the number of the model that has not seen it."""

    document: Document
    mode: str
    model: int


def prepare(task: PrepareTask, shared: tuple[Sequence[CoreferenceModel], ParserConfig]) -> Prepared:
    """Score one document; runs on a worker."""
    models, parser = shared
    document, model = task.document, models[task.model]
    if task.mode == RAW_TEXT:
        document = reparse(spaced(document), process_parser(parser))
    linked = model.link(document, mentions=gold_mentions(document) if task.mode == GOLD_MENTIONS else None)
    mentions = linked.mentions
    return Prepared(
        doc_id=document.doc_id,
        mode=task.mode,
        genre=genre_of(document.doc_id),
        held_out=HeldOut(linked.antecedents, linked.kinds, gold_entities(document, mentions)),
        sentences=document.sentences[mentions.heads].astype(np.int64),
        mentions=mentions,
        clusters=document.clusters or (),
        events=_event_truth(document, mentions),
        on_gold_trees=_truth_on_gold_trees(task, model),
        queries=_asked(document, linked),
    )


def has_tree(document: Document) -> bool:
    """Whether the annotators gave a tree."""
    return any(relation != "_" for relation in document.deprels)


def _event_truth(document: Document, mentions: Mentions) -> EventTruth:
    return EventTruth(generic_evidence(document, mentions), projected_entities(document, mentions))


def _truth_on_gold_trees(task: PrepareTask, model: CoreferenceModel) -> EventTruth | None:
    if task.mode != RAW_TEXT or not has_tree(task.document):
        return None
    return _event_truth(task.document, _union(model.mentions(task.document), gold_mentions(task.document)))


def _union(first: Mentions, second: Mentions) -> Mentions:
    """All spans of both, once each, in document order."""
    heads = dict(zip(second.spans(), second.heads.tolist(), strict=True))
    heads.update(zip(first.spans(), first.heads.tolist(), strict=True))
    spans = sorted(heads, key=lambda span: (span[0], -span[1]))
    starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    return Mentions(starts, ends, np.array([heads[span] for span in spans], dtype=np.int64))


def _asked(document: Document, linked: LinkedMentions) -> dict[str, QueriedDocument]:
    return {name: query_document(document, linked, Query.from_yaml(name), year=None) for name in bundled_queries()}
