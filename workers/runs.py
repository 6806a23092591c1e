"""Published runs of a warehouse: listing and reading them.

Covers: finding a run by id or query, its tables, the annotation behind one document.
Not here: making runs (`workers.propagate`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from calib_core.coref.recalibration.forms import Recalibration, read_recalibration
from calib_core.events import Query
from workers.annotation_table import Annotation, read_annotations
from workers.layout import RUNS, RunFolder, annotations, chunk_of, run_of
from workers.propagation.query_file import read_query
from workers.propagation.together import runs_together
from workers.schemas import ANNOTATIONS, COUNTS, EVENT_SAMPLES, QUARANTINE
from workers.storage import StorageError, Warehouse

MANIFEST_VERSION = 1


@dataclass(frozen=True, slots=True)
class Run:
    """A published run.

    Attributes
    ----------
    warehouse : Warehouse
    folder : RunFolder
    manifest : dict
        Everything it was made from.
    """

    warehouse: Warehouse
    folder: RunFolder
    manifest: dict[str, Any]

    @property
    def run_id(self) -> str:
        """Its id."""
        return self.folder.run_id

    def query(self) -> Query:
        """The query, exactly as it was asked."""
        return read_query(self.warehouse.read_json(self.folder.query))

    def recalibration(self) -> Recalibration | None:
        """The recalibration that was applied to the antecedent probabilities."""
        content = self.manifest["recalibration"]
        return None if content is None else read_recalibration(content)

    def counts(self) -> pa.Table:
        """Posterior counts by quarter and country."""
        return self.warehouse.read_table(self.folder.counts, COUNTS)

    def quarantine(self) -> pa.Table:
        """Documents that failed."""
        return self.warehouse.read_table(self.folder.quarantine, QUARANTINE)

    def event_samples(self, columns: list[str] | None = None) -> Iterator[tuple[str, pa.Table]]:
        """Name of each chunk with rows, and its event samples."""
        for name in self.warehouse.names(self.folder.event_samples, ".parquet"):
            table = self.warehouse.read_table(name, EVENT_SAMPLES, columns)
            if table.num_rows:
                yield chunk_of(name), table

    def annotations_path(self, chunk: str) -> str:
        """Path of a chunk's annotations that this run sampled."""
        return annotations(self.manifest["annotator_id"], chunk)

    def annotation(self, chunk: str, doc_id: str) -> Annotation | None:
        """What the models said about a document of a chunk; None if it was not annotated."""
        path = self.annotations_path(chunk)
        if not self.warehouse.exists(path):
            return None
        for batch in self.warehouse.read_batches(path, ANNOTATIONS, rows=16):
            table = pa.Table.from_batches([batch])
            for annotation in read_annotations(table.filter(pc.equal(table.column("doc_id"), doc_id)), trees=True):
                return annotation
        return None


def open_run(warehouse: Warehouse, wanted: str | None = None) -> Run:
    """A run by its id, the newest of a query by the query's name, or the latest.

    Raises
    ------
    StorageError
        If there is no such run, or its manifest is of a later version.
    """
    path = RunFolder.of(wanted).path if wanted else warehouse.latest()
    if path is None:
        raise StorageError(warehouse.root, "has no run yet", "run `credence propagate` on it first")
    folder = RunFolder(path)
    if not warehouse.exists(folder.manifest):
        folder = _newest_of(warehouse, folder)
    manifest = warehouse.read_json(folder.manifest)
    if manifest.get("version") != MANIFEST_VERSION:
        problem = f"manifest must be of version {MANIFEST_VERSION}; got {manifest.get('version')!r}"
        raise StorageError(warehouse.path(folder.manifest), problem, "upgrade credence")
    return Run(warehouse, folder, manifest)


def _newest_of(warehouse: Warehouse, wanted: RunFolder) -> RunFolder:
    """The newest run of the query of that name; one that goes with the latest run comes first."""
    ids = run_ids(warehouse)
    names = {run_id: str(warehouse.read_json(RunFolder.of(run_id).manifest)["query"]["name"]) for run_id in ids}
    for run_id in [*(run_id for run_id in runs_together(warehouse) if run_id in names), *reversed(ids)]:
        if names[run_id] == wanted.run_id:
            return RunFolder.of(run_id)
    known = ", ".join(f"{run_id} ({name})" for run_id, name in names.items())
    raise StorageError(
        warehouse.path(wanted.manifest), "there is no such run", f"known are these, by id or query: {known or 'none'}"
    )


def run_ids(warehouse: Warehouse) -> list[str]:
    """Ids of all published runs, oldest first."""
    folders = [RunFolder.of(run_id) for name in warehouse.names(RUNS, "/manifest.json") if (run_id := run_of(name))]
    created = {folder.run_id: str(warehouse.read_json(folder.manifest).get("created", "")) for folder in folders}
    return sorted(created, key=lambda run_id: (created[run_id], run_id))
