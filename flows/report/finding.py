"""Finding one document in a run, or saying in one sentence why there is nothing to explain.

Covers: documents counted, gated out, failed, outside the run's days, added after the run, unknown.
Not here: the explanation (`workers.explanations`).

Ids are looked up in the run's rows first. Only if they are not there is the archive searched, one column at a time:
the run's own chunks, then those that finished ingests have added since.
"""

from difflib import get_close_matches

import pyarrow.compute as pc

from calib_core.events import Gate
from workers.annotation_table import Annotation
from workers.explanations import RunSettings
from workers.ingest import archive_chunks
from workers.runs import Run
from workers.schemas import ARCHIVE

MAX_COMPARED = 200_000
"""Ids that a misspelt one is compared with."""


class UnexplainedError(ValueError):
    """There is nothing to explain about a document; the message says why."""


def find_annotation(run: Run, settings: RunSettings, doc_id: str) -> Annotation:
    """The annotation behind a document's numbers.

    Raises
    ------
    UnexplainedError
        With the reason, in one sentence.
    """
    for chunk, table in run.event_samples(["doc_id"]):
        if pc.any(pc.equal(table["doc_id"], doc_id)).as_py():
            found = run.annotation(chunk, doc_id)
            if found is not None:
                return found
    for name in _archive_chunks(run):
        ids = run.warehouse.read_table(name, ARCHIVE, ["doc_id"])["doc_id"]
        row = pc.index(ids, doc_id).as_py()
        if row >= 0:
            return _annotated_or_reason(run, settings, name, row)
    raise UnexplainedError(_unknown(run, doc_id))


def _annotated_or_reason(run: Run, settings: RunSettings, name: str, row: int) -> Annotation:
    """For a document in the archive that counts for no country: its annotation, or the reason."""
    article = run.warehouse.read_table(name, ARCHIVE).slice(row, 1).to_pylist()[0]
    doc_id, day = article["doc_id"], str(article["published"])
    since, until = run.manifest["since"], run.manifest["until"]
    if (since and day < since) or (until and day > until):
        days = f"{since or 'the first day'} to {until or 'the last day'}"
        raise UnexplainedError(f"{doc_id!r} is of {day}, outside the run's days ({days})")
    if name not in run.manifest["chunks"]:
        raise UnexplainedError(f"{doc_id!r} joined the archive after this run; run `credence propagate` again")
    failed = [fault for fault in run.quarantine().to_pylist() if fault["doc_id"] == doc_id]
    if failed:
        raise UnexplainedError(f"{doc_id!r} failed in the stage {failed[0]['stage']}: {failed[0]['error']}")
    missing = _missing(run, settings, article["title"], article["text"])
    if missing:
        raise UnexplainedError(f"{doc_id!r} cannot count for any country, so it was not parsed: {missing}")
    found = run.annotation(_chunk_id(name), doc_id)
    if found is None:
        raise UnexplainedError(f"the annotation of {doc_id!r} was deleted; run `credence propagate` again")
    return found


def _missing(run: Run, settings: RunSettings, title: str, text: str) -> str | None:
    """Which word the gate missed."""
    titled = bool((run.manifest.get("annotator") or {}).get("titles"))
    lacks = Gate.of(settings.query).missing(f"{title}\n\n{text}" if titled else text)
    if lacks == "verb":
        forms = sorted(settings.query.forms)
        return f"its text has none of the query's verb forms ({', '.join(forms[:8])}{', …' if len(forms) > 8 else ''})"
    return "its text names no country that the query asks for" if lacks else None


def _archive_chunks(run: Run) -> list[str]:
    """The run's chunks, then the archive's others; an unfinished ingest's chunks are neither."""
    names = [*run.manifest["chunks"], *(chunk.path for chunk in archive_chunks(run.warehouse))]
    return list(dict.fromkeys(names))


def _chunk_id(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".parquet")


def _unknown(run: Run, doc_id: str) -> str:
    """Say that the archive has no such id, and which one may be meant."""
    ids: list[str] = []
    for name in _archive_chunks(run):
        if len(ids) < MAX_COMPARED:
            ids.extend(run.warehouse.read_table(name, ARCHIVE, ["doc_id"])["doc_id"].to_pylist())
    near = get_close_matches(doc_id, ids, n=3, cutoff=0.6) or [i for i in ids if doc_id and doc_id in i][:3]
    hint = f"; near ones are {', '.join(near)}" if near else ""
    return f"no document {doc_id!r} in the archive{hint}"
