"""Which chunks make up the archive: those that a finished ingest names, and no others.

Covers: the manifest of each ingest, written last, the list of chunks for later stages, what is known already.
Not here: cutting and writing chunks (`workers.ingest.chunks`), where the files lie (`workers.layout`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from workers.ingest.chunks import Chunk
from workers.ingest.report import IngestReport
from workers.ingest.uniqueness import Digests
from workers.layout import INGESTS, ingest_manifest
from workers.schemas import ARCHIVE_IDS, QUARANTINE
from workers.storage import StorageError, Warehouse, content_hash

VERSION = 1


@dataclass(frozen=True, slots=True)
class Additions:
    """Staged files of one ingest, in order."""

    chunks: Sequence[Chunk]
    ids: Sequence[str]
    quarantine: Sequence[str]

    @property
    def paths(self) -> list[str]:
        """All files."""
        return [*(chunk.path for chunk in self.chunks), *self.ids, *self.quarantine]


def archive_chunks(warehouse: Warehouse) -> list[Chunk]:
    """Every published chunk, by path. Later stages read these, not the folder, which may hold an unfinished ingest."""
    chunks = {entry["path"]: _chunk(entry) for manifest in _manifests(warehouse) for entry in manifest["chunks"]}
    return [chunks[path] for path in sorted(chunks)]


def known_keys(warehouse: Warehouse) -> Iterator[dict[str, Digests]]:
    """Keys of every published article, file by file: column to array of shape (n, 16)."""
    for manifest in _manifests(warehouse):
        for path in manifest["ids"]:
            table = warehouse.read_table(path, ARCHIVE_IDS)
            yield {name: _digests(table.column(name)) for name in table.column_names}


def known_faults(warehouse: Warehouse) -> Iterator[dict[str, Any]]:
    """Every quarantined record of earlier ingests."""
    for manifest in _manifests(warehouse):
        for path in manifest["quarantine"]:
            yield from warehouse.read_table(path, QUARANTINE).to_pylist()


def publish(additions: Additions, report: IngestReport, warehouse: Warehouse) -> None:
    """Make the staged files visible, then name them in a manifest; with nothing new, change nothing."""
    if not additions.paths:
        return
    warehouse.publish(additions.paths)
    manifest = {
        "version": VERSION,
        "chunks": [_entry(chunk) for chunk in additions.chunks],
        "ids": list(additions.ids),
        "quarantine": list(additions.quarantine),
        "report": {key: value for key, value in report.to_dict().items() if key != "chunks"},
    }
    name = content_hash(*(path.encode() for path in additions.paths))
    warehouse.write_json(ingest_manifest(name), manifest)


def _entry(chunk: Chunk) -> dict[str, Any]:
    """A chunk as in manifests of version 1, whose `bytes` have always counted characters."""
    return {"path": chunk.path, "quarter": chunk.quarter, "docs": chunk.docs, "bytes": chunk.characters}


def _chunk(entry: dict[str, Any]) -> Chunk:
    return Chunk(entry["path"], entry["quarter"], entry["docs"], entry["bytes"])


def _manifests(warehouse: Warehouse) -> Iterator[dict[str, Any]]:
    for name in warehouse.names(INGESTS, ".json"):
        manifest = warehouse.read_json(name)
        version = manifest.get("version") if isinstance(manifest, dict) else None
        if version != VERSION:
            problem = f"manifest must be of version {VERSION}; got {version!r}"
            raise StorageError(warehouse.path(name), problem, "upgrade credence")
        yield manifest


def _digests(column: pa.ChunkedArray) -> Digests:
    parts = [
        np.frombuffer(part.buffers()[1], dtype=np.uint8)[16 * part.offset :][: 16 * len(part)].reshape(-1, 16)
        for part in column.chunks
    ]
    return np.concatenate(parts) if parts else np.empty((0, 16), dtype=np.uint8)
