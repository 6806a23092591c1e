"""Published runs of a warehouse: which there are, and reading them.

Covers: finding a run, its tables, the annotation behind one document, deleting old runs.
Not here: making runs (`workers.propagate`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from calib_core.coref.recalibration.forms import Recalibration, read_recalibration
from calib_core.events import Query
from workers.annotations import Annotation, read_annotations
from workers.propagation.query_file import read_query
from workers.schemas import ANNOTATIONS, COUNTS, EVENT_SAMPLES, QUARANTINE
from workers.storage import StorageError, Warehouse

MANIFEST_VERSION = 1


@dataclass(frozen=True, slots=True)
class Run:
    """A published run.

    Attributes
    ----------
    warehouse : Warehouse
    folder : str
        `runs/<run_id>`.
    manifest : dict
        What it was made from.
    """

    warehouse: Warehouse
    folder: str
    manifest: dict[str, Any]

    @property
    def run_id(self) -> str:
        """Its id."""
        return self.folder.removeprefix("runs/")

    def query(self) -> Query:
        """The question, exactly as it was asked."""
        return read_query(self.warehouse.read_json(f"{self.folder}/query.json"))

    def recalibration(self) -> Recalibration | None:
        """The repair that was applied to the antecedent probabilities."""
        content = self.manifest["recalibration"]
        return None if content is None else read_recalibration(content)

    def counts(self) -> pa.Table:
        """Posterior counts by quarter and country."""
        return self.warehouse.read_table(f"{self.folder}/counts.parquet", COUNTS)

    def quarantine(self) -> pa.Table:
        """Documents that failed."""
        return self.warehouse.read_table(f"{self.folder}/quarantine.parquet", QUARANTINE)

    def event_samples(self, columns: list[str] | None = None) -> Iterator[tuple[str, pa.Table]]:
        """Name of each chunk with rows, and its event samples."""
        for name in self.warehouse.names(f"{self.folder}/event_samples", ".parquet"):
            table = self.warehouse.read_table(name, EVENT_SAMPLES, columns)
            if table.num_rows:
                yield name.rpartition("/")[2].removesuffix(".parquet").partition("_")[0], table

    def annotation(self, chunk: str, doc_id: str) -> Annotation | None:
        """What the models said of a document of a chunk; None where it was not annotated."""
        path = f"annotations/{self.manifest['annotator_id']}/{chunk}.parquet"
        if not self.warehouse.exists(path):
            return None
        for batch in self.warehouse.read_batches(path, ANNOTATIONS, rows=16):
            table = pa.Table.from_batches([batch])
            for annotation in read_annotations(table.filter(pc.equal(table.column("doc_id"), doc_id))):
                return annotation
        return None


def open_run(warehouse: Warehouse, run_id: str | None = None) -> Run:
    """A run by its id, or the latest.

    Raises
    ------
    StorageError
        When there is no such run, or its manifest is of a later version.
    """
    folder = f"runs/{run_id}" if run_id else warehouse.latest()
    if folder is None:
        raise StorageError(warehouse.root, "holds no run yet", "run `credence propagate` on it first")
    path = f"{folder}/manifest.json"
    if not warehouse.exists(path):
        raise StorageError(warehouse.path(path), "there is no such run", f"known are {', '.join(run_ids(warehouse))}")
    manifest = warehouse.read_json(path)
    if manifest.get("version") != MANIFEST_VERSION:
        problem = f"manifest must be of version {MANIFEST_VERSION}; got {manifest.get('version')!r}"
        raise StorageError(warehouse.path(path), problem, "upgrade credence")
    return Run(warehouse, folder, manifest)


def run_ids(warehouse: Warehouse) -> list[str]:
    """Ids of all published runs, oldest first."""
    names = [name for name in warehouse.names("runs", "/manifest.json") if name.count("/") == 2]
    created = {name.split("/")[1]: str(warehouse.read_json(name).get("created", "")) for name in names}
    return sorted(created, key=lambda run_id: (created[run_id], run_id))
