"""Faults on their way to the quarantine table.

Covers: keeping them on disk until it is clear which ones earlier ingests recorded, then writing the table.
Not here: finding faults (readers and `records`).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from workers.ingest.records import Fault
from workers.layout import ingest_quarantine
from workers.schemas import QUARANTINE
from workers.storage import Warehouse, content_hash, parquet_bytes

STAGE = "ingest"
ROWS_AT_ONCE = 10_000


class FaultLog:
    """Faults with their positions, one JSON array per line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = path.open("w", encoding="utf-8")

    def add(self, position: int, file: str, fault: Fault) -> None:
        """Note one fault."""
        self.file.write(json.dumps([position, file, *fault[:4]]) + "\n")

    def close(self) -> None:
        """No more faults will come."""
        self.file.close()

    def rows(self, wanted: Callable[[int], bool]) -> Iterator[dict[str, Any]]:
        """Rows of the quarantine table at the given positions."""
        self.file.close()
        with self.path.open(encoding="utf-8") as lines:
            for line in lines:
                position, file, record, rule, value, doc_id = json.loads(line)
                if wanted(position):
                    yield quarantine_row(file, Fault(record, rule, value, doc_id))


def quarantine_row(file: str, fault: Fault) -> dict[str, Any]:
    """One row of the table."""
    where = f"{file}, record {fault.record}" if fault.record else file
    return {
        "stage": STAGE,
        "doc_id": fault.doc_id,
        "file": file,
        "record": fault.record or None,
        "rule": fault.rule,
        "value": fault.value,
        "error": f"{where}: {fault.rule}; got {fault.value or 'nothing'}",
    }


def fault_key(row: Mapping[str, Any]) -> bytes:
    """Key that recognises a fault: where it is and what it says."""
    return bytes.fromhex(content_hash(row["error"].encode()))


def stage_quarantine(rows: Iterable[dict[str, Any]], warehouse: Warehouse) -> list[str]:
    """Write the rows in files of bounded size; return the paths that `publish` needs."""
    paths = []
    remaining = iter(rows)
    while part := list(islice(remaining, ROWS_AT_ONCE)):
        name = content_hash(*(fault_key(row) for row in part))
        paths.append(ingest_quarantine(name))
        warehouse.stage(paths[-1], parquet_bytes(pa.Table.from_pylist(part, schema=QUARANTINE)))
    return paths
