"""Sample the event question over annotated documents.

Covers: from annotations to rows of the event samples, document by document where one of them fails.
Not here: which documents, and where the rows go (`stages`).
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import EventSamples, Evidence, Query, batch_bits, mention_evidence
from calib_core.randomness import document_key
from workers.annotations import Annotation
from workers.propagation.quarantine import Fault

AT_ONCE = 32
"""Documents sampled in one call: enough to keep the kernel busy, few enough to bound memory."""

Prepared = tuple[Annotation, Evidence, Antecedents]


def sample_events(
    annotations: Iterable[Annotation],
    query: Query,
    *,
    n_samples: int,
    seed: int,
    recalibration: Recalibration | None,
) -> tuple[list[dict[str, Any]], list[Fault]]:
    """Rows of the event samples, in order of documents and countries, and the documents that failed.

    Safe to repeat: draws depend on seed, doc_id and sample, never on the worker, the batch or the chunk.
    """
    rows: list[dict[str, Any]] = []
    faults: list[Fault] = []
    waiting: list[Prepared] = []

    def flush() -> None:
        rows.extend(_sampled(waiting, query, n_samples, seed, faults))
        waiting.clear()

    for annotation in annotations:
        try:
            waiting.append(_prepared(annotation, query, recalibration))
        except Exception as error:  # one document must not cost the others
            faults.append(Fault.of(annotation.doc_id, "sample", error))
        if len(waiting) >= AT_ONCE:
            flush()
    flush()
    return rows, faults


def _prepared(annotation: Annotation, query: Query, recalibration: Recalibration | None) -> Prepared:
    mentions, antecedents = annotation.mentions, annotation.antecedents
    evidence = mention_evidence(
        annotation.document, mentions.heads, mentions.starts, mentions.ends, query, year=annotation.published.year
    )
    if recalibration is not None:
        antecedents = recalibration.apply(antecedents, annotation.kinds)
    return annotation, evidence, antecedents


def _sampled(
    prepared: Sequence[Prepared], query: Query, n_samples: int, seed: int, faults: list[Fault]
) -> list[dict[str, Any]]:
    """Sample together; if that fails, one by one, so that only what is at fault is lost."""
    if not prepared:
        return []
    keys = [document_key(seed, annotation.doc_id) for annotation, _, _ in prepared]
    try:
        samples = batch_bits(
            [said for _, said, _ in prepared], [found for _, _, found in prepared], n_samples, keys=keys
        )
    except Exception as error:
        if len(prepared) == 1:
            faults.append(Fault.of(prepared[0][0].doc_id, "sample", error))
            return []
        return [row for one in prepared for row in _sampled([one], query, n_samples, seed, faults)]
    return _rows(samples.positive(), [annotation for annotation, _, _ in prepared], query)


def _rows(samples: EventSamples, annotations: Sequence[Annotation], query: Query) -> list[dict[str, Any]]:
    """One row per document and country with a positive probability, or with the event in the 1-best clustering."""
    bits, p = samples.bits, samples.p.tolist()
    rows = []
    for number, country in enumerate(samples.country):
        annotation = annotations[samples.document[number]]
        day, entities = annotation.published, None
        if query.unit == "entities":
            entities = np.append(samples.entities[number], samples.best[number]).astype("<u2").tobytes()
        rows.append({
            "query": query.name, "doc_id": annotation.doc_id, "published": day,
            "quarter": f"{day.year:04d}Q{(day.month + 2) // 3}", "country": country, "p": p[number],
            "map": bool(samples.best[number]), "bits": bits[number].tobytes(), "entities": entities,
        })  # fmt: skip
    return rows
