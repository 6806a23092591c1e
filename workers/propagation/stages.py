"""What a worker does with one chunk: gate it, annotate some of its documents, sample it.

Covers: each stage as a function of paths; rows stay on disk, only small reports come back.
Not here: the order of stages (`plan`), carrying them to workers (`tasks`).

Every stage can be repeated at any time: it writes complete files, and the name of a file determines its content.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from calib_core.events import Gate
from workers.annotate import Annotator, loaded_annotator
from workers.annotation_table import annotation_row, annotations_table, failed_row, read_annotations
from workers.event_samples import EventRow
from workers.ingest import Chunk
from workers.propagation.joining import ROWS_AT_ONCE, join_parts
from workers.propagation.outcome import Outcome, Quarter, read_outcomes, write_outcome
from workers.propagation.quarantine import LONGEST, RULES, FailedDocument
from workers.propagation.sample_events import sample_events
from workers.propagation.settings import Settings
from workers.schemas import ANNOTATIONS, ARCHIVE
from workers.storage import StorageError, Warehouse

READ_AT_ONCE = 256
"""Articles in memory while gating."""


@dataclass(frozen=True, slots=True)
class Gated:
    """What the gate found in a chunk.

    Attributes
    ----------
    documents : int
        Documents of the chosen days.
    possible : tuple of (position in the chunk, size of the text)
        Those past the gate.
    missing : tuple of (position in the chunk, size of the text)
        Those past the gate that have no annotation yet.
    """

    documents: int
    possible: tuple[tuple[int, int], ...]
    missing: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Stages:
    """The stages of one run; models are loaded at first use, once per process."""

    warehouse: Warehouse
    settings: Settings
    retry: bool = False
    """Whether documents that failed before are annotated again."""

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the compiled gate."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}

    @cached_property
    def passes(self) -> Gate:
        """The compiled gate."""
        return Gate.of(self.settings.query)

    def gate(self, chunk: Chunk) -> Gated:
        """Find the documents that can count, and which of them still need annotating."""
        write_gate_answers([self], chunk)
        found = self.warehouse.read_json(self.settings.gate_path(chunk))
        known = self._annotated(chunk)
        possible = tuple((place, size) for place, size, _ in found["possible"])
        missing = tuple((place, size) for place, size, doc_id in found["possible"] if doc_id not in known)
        return Gated(found["documents"], possible, missing)

    def is_gated(self, chunk: Chunk) -> bool:
        """Whether the gate's answer is stored."""
        return self.warehouse.exists(self.settings.gate_path(chunk))

    def is_sampled(self, chunk: Chunk) -> bool:
        """Whether the chunk is finished."""
        return self.warehouse.exists(self.settings.samples_path(chunk))

    def articles(self, chunk: Chunk) -> Iterator[tuple[str, date, str]]:
        """Id, day and text to parse of every article."""
        columns = ["doc_id", "published", "title", "text"]
        for batch in self.warehouse.read_batches(chunk.path, ARCHIVE, rows=READ_AT_ONCE, columns=columns):
            for doc_id, published, title, body in zip(
                *(batch.column(name).to_pylist() for name in columns), strict=True
            ):
                yield doc_id, published, self.settings.annotator.parsed_text(title, body)

    def _annotated(self, chunk: Chunk) -> set[str]:
        """Documents of the chunk that are already annotated."""
        files = [*self.warehouse.names(self.settings.parts_folder(chunk), ".parquet")]
        if self.warehouse.exists(self.settings.annotations_path(chunk)):
            files.append(self.settings.annotations_path(chunk))
        known: set[str] = set()
        for file in files:
            table = self.warehouse.read_table(file, ANNOTATIONS, ["doc_id", "error"])
            if self.retry:
                table = table.filter(pc.is_null(table.column("error")))
            known.update(table.column("doc_id").to_pylist())
        return known

    def annotate(self, chunk: Chunk, places: tuple[int, ...]) -> int:
        """Annotate the documents at these places in the chunk; return how many failed."""
        annotator = loaded_annotator(self.settings.annotator)  # if the models do not load, no document is at fault
        rows = [_annotated_row(annotator, article) for article in self._chosen(chunk, places)]
        self._write_part(chunk, places, rows)
        return sum(row["error"] is not None for row in rows)

    def give_up(self, chunk: Chunk, places: tuple[int, ...], reason: str) -> int:
        """Record that documents cannot be annotated, without trying."""
        self._write_part(chunk, places, [failed_row(**a, error=reason) for a in self._chosen(chunk, places)])
        return len(places)

    def _chosen(self, chunk: Chunk, places: tuple[int, ...]) -> list[dict[str, Any]]:
        """The articles at some places in the chunk, as arguments for the annotator."""
        columns = ["doc_id", "published", "title", "text"]
        chosen: list[dict[str, Any]] = []
        before = 0
        for batch in self.warehouse.read_batches(chunk.path, ARCHIVE, rows=READ_AT_ONCE, columns=columns):
            here = [place - before for place in places if before <= place < before + batch.num_rows]
            chosen.extend(batch.take(pa.array(here, pa.int64())).to_pylist() if here else [])
            before += batch.num_rows
        parsed_text = self.settings.annotator.parsed_text
        return [article | {"text": parsed_text(article["title"], article["text"])} for article in chosen]

    def _write_part(self, chunk: Chunk, places: tuple[int, ...], rows: list[dict[str, Any]]) -> None:
        name = f"{self.settings.parts_folder(chunk)}/{places[0]:08d}-{places[-1]:08d}-{len(places)}.parquet"
        self.warehouse.write_batches(name, ANNOTATIONS, [annotations_table(rows)])

    def sample(self, chunk: Chunk) -> Quarter:
        """Join what was annotated, sample every document past the gate, and write event samples and outcome.

        Documents that were given up are left out; the outcome says why.
        """
        warehouse, settings = self.warehouse, self.settings
        gate, notes = warehouse.read_json(settings.gate_path(chunk)), settings.unsampled_folder(chunk)
        possible = {doc_id for _, _, doc_id in gate["possible"]}
        given_up = [warehouse.read_json(note) for note in warehouse.names(notes, ".json")]
        rows, faults = self._sampled(chunk, possible, possible - {note["doc_id"] for note in given_up})
        faults += [FailedDocument(**note, stage="sample", rule=RULES["sample"]) for note in given_up]
        quarter = Quarter(gate["documents"], len(possible), len(faults))
        faults = [replace(fault, file=chunk.path) for fault in faults]
        path, dyadic = settings.samples_path(chunk), settings.query.language.targets is not None
        write_outcome(warehouse, path, rows, (chunk.quarter, quarter), faults, dyadic=dyadic)
        if given_up:
            warehouse.delete(notes)
        return quarter

    def try_sampling(self, chunk: Chunk, places: tuple[int, ...]) -> int:
        """Read all, sample some, keep nothing: the question is whether the worker survives."""
        possible = self._possible(chunk)
        self._sampled(chunk, set(possible.values()), {possible[place] for place in places if place in possible})
        return 0

    def give_up_sampling(self, chunk: Chunk, places: tuple[int, ...], reason: str) -> int:
        """Record that documents cannot be sampled, without trying; `sample` reads the record."""
        possible, folder = self._possible(chunk), self.settings.unsampled_folder(chunk)
        for place in set(places) & set(possible):
            self.warehouse.write_json(f"{folder}/{place:08d}.json", {"doc_id": possible[place], "value": reason})
        return len(places)

    def _possible(self, chunk: Chunk) -> dict[int, str]:
        """Place and id of the documents past the gate."""
        return {
            place: doc_id for place, _, doc_id in self.warehouse.read_json(self.settings.gate_path(chunk))["possible"]
        }

    def _sampled(
        self, chunk: Chunk, possible: set[str], wanted: set[str]
    ) -> tuple[list[EventRow], list[FailedDocument]]:
        """Event samples of some documents, and the documents that failed, now or during annotation."""
        settings = self.settings
        failed: list[FailedDocument] = []
        rows, faults = sample_events(
            read_annotations_of(self._rows(chunk, possible, wanted, failed), trees=settings.syntax == "samples"),
            settings.query, n_samples=settings.n_samples, seed=settings.seed, recalibration=settings.recalibration,
            syntax=settings.syntax,
        )  # fmt: skip
        return rows, [*failed, *faults]

    def _rows(
        self, chunk: Chunk, possible: set[str], wanted: set[str], failed: list[FailedDocument]
    ) -> Iterator[pa.Table]:
        """Annotations of some documents past the gate; documents that could not be annotated go to `failed`."""
        if not possible:
            return
        found: Counter[str] = Counter()
        path = self.settings.annotations_path(chunk)
        join_parts(self.warehouse, self.settings.parts_folder(chunk), path)
        chosen = pa.array(sorted(wanted), pa.string())
        for batch in self.warehouse.read_batches(path, ANNOTATIONS, rows=ROWS_AT_ONCE):
            found.update(doc_id for doc_id in batch.column("doc_id").to_pylist() if doc_id in possible)
            table = pa.Table.from_batches([batch])
            table = table.filter(pc.is_in(table.column("doc_id"), chosen))
            errors = zip(table.column("doc_id").to_pylist(), table.column("error").to_pylist(), strict=True)
            failed.extend(
                FailedDocument(doc_id, "annotate", RULES["annotate"], error) for doc_id, error in errors if error
            )
            yield table
        if found != Counter(possible):
            problem = f"has {found.total()} rows for {len(found)} of the {len(possible)} documents past the gate"
            raise StorageError(self.warehouse.path(path), problem, "delete it and run the command again")

    def outcome(self, paths: tuple[str, ...]) -> Outcome:
        """Sum over finished chunks."""
        return read_outcomes(self.warehouse, paths, self.settings.n_samples, self.settings.query.unit)


def write_gate_answers(runs: Sequence[Stages], chunk: Chunk) -> None:
    """Read the articles of a chunk once, and write what the gate of each run lets through.

    The runs differ in nothing but the query.
    """
    waiting = [run for run in runs if not run.is_gated(chunk)]
    if not waiting:
        return
    since, until = waiting[0].settings.days(chunk)
    documents = 0
    possible: list[list[tuple[int, int, str]]] = [[] for _ in waiting]
    for place, (doc_id, published, text) in enumerate(waiting[0].articles(chunk)):
        if (since and published < since) or (until and published > until):
            continue
        documents += 1
        for run, passed in zip(waiting, possible, strict=True):
            if run.passes(text):
                passed.append((place, len(text), doc_id))
    for run, passed in zip(waiting, possible, strict=True):
        run.warehouse.write_json(run.settings.gate_path(chunk), {"documents": documents, "possible": passed})


def _annotated_row(annotator: Annotator, article: dict[str, Any]) -> dict[str, Any]:
    try:
        return annotation_row(annotator.annotate(**article))
    except Exception as error:  # whatever is wrong with one document, the others continue
        return failed_row(**article, error=f"{type(error).__name__}: {error}"[:LONGEST])


def read_annotations_of(tables: Iterable[pa.Table], *, trees: bool) -> Iterator[Any]:
    """Annotations of several tables, one after the other."""
    for table in tables:
        yield from read_annotations(table, trees=trees)
