"""Join the annotations of a chunk: from the parts that tasks wrote to one file.

Covers: which row of a document counts if there are several.
Not here: where the files are (`settings`), writing parts (`stages`).
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from workers.schemas import ANNOTATIONS
from workers.storage import Warehouse

ROWS_AT_ONCE = 16
"""Annotated documents in memory while files are joined or sampled."""


def join_parts(warehouse: Warehouse, folder: str, target: str) -> None:
    """Move annotations from the parts in a folder to one file; a part overrides what was there."""
    parts = warehouse.names(folder, ".parquet")
    if not parts:
        return
    files = [*parts, target] if warehouse.exists(target) else parts
    warehouse.write_batches(target, ANNOTATIONS, _once_each(warehouse, files))
    for part in parts:  # not the folder: a new part may have arrived since
        warehouse.delete(part)


def _once_each(warehouse: Warehouse, files: list[str]) -> Iterator[pa.Table]:
    """Rows of several files, each document once; a row with an annotation overrides one without."""
    well: set[str] = set()
    for file in files:
        table = warehouse.read_table(file, ANNOTATIONS, ["doc_id", "error"])
        well.update(table.filter(pc.is_null(table.column("error"))).column("doc_id").to_pylist())
    seen: set[str] = set()
    for file in files:
        for batch in warehouse.read_batches(file, ANNOTATIONS, rows=ROWS_AT_ONCE):
            keep = []
            for number, (doc_id, error) in enumerate(
                zip(batch.column("doc_id").to_pylist(), batch.column("error").to_pylist(), strict=True)
            ):
                if doc_id not in seen and (error is None or doc_id not in well):
                    seen.add(doc_id)
                    keep.append(number)
            if keep:
                yield pa.Table.from_batches([batch.take(pa.array(keep, pa.int64()))])
