"""Sample the event question over annotated documents.

Covers: from annotations to rows of the event samples; document by document if one of them fails.
Not here: what a row holds (`workers.event_samples`), which documents, and where the rows go (`stages`).
"""

from collections.abc import Iterable, Sequence

from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import QueriedDocument, Query, batch_bits
from calib_core.randomness import document_key
from workers.annotation_table import Annotation
from workers.event_samples import EventRow, event_rows
from workers.propagation.asking import ask
from workers.propagation.quarantine import FailedDocument

AT_ONCE = 32
"""Documents sampled in one call: enough to keep the kernel busy, few enough to bound memory."""

Asked = tuple[Annotation, QueriedDocument]


def sample_events(
    annotations: Iterable[Annotation],
    query: Query,
    *,
    n_samples: int,
    seed: int,
    recalibration: Recalibration | None,
    syntax: str = "best",
) -> tuple[list[EventRow], list[FailedDocument]]:
    """Rows of the event samples, in order of documents and countries, and the documents that failed.

    Safe to repeat: draws depend on seed, doc_id and sample, never on the worker, the batch or the chunk.
    """
    rows: list[EventRow] = []
    faults: list[FailedDocument] = []
    waiting: list[Asked] = []

    def flush() -> None:
        rows.extend(_sampled(waiting, query, n_samples, seed, faults))
        waiting.clear()

    for annotation in annotations:
        try:
            asked = ask(annotation, query, recalibration, syntax=syntax, n_samples=n_samples, seed=seed)
            waiting.append((annotation, asked))
        except Exception as error:  # one document must not cost the others
            faults.append(FailedDocument.of(annotation.doc_id, "sample", error))
        if len(waiting) >= AT_ONCE:
            flush()
    flush()
    return rows, faults


def _sampled(
    documents: Sequence[Asked], query: Query, n_samples: int, seed: int, faults: list[FailedDocument]
) -> list[EventRow]:
    """Sample together; if that fails, one by one, so that only the faulty ones are lost."""
    if not documents:
        return []
    keys = [document_key(seed, annotation.doc_id) for annotation, _ in documents]
    evidence = [asked.evidence for _, asked in documents]
    try:
        samples = batch_bits(evidence, [asked.antecedents for _, asked in documents], n_samples, keys=keys)
    except Exception as error:
        if len(documents) == 1:
            faults.append(FailedDocument.of(documents[0][0].doc_id, "sample", error))
            return []
        return [row for one in documents for row in _sampled([one], query, n_samples, seed, faults)]
    return event_rows(samples, [(annotation.doc_id, annotation.published) for annotation, _ in documents], query)
