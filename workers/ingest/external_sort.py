"""Articles in order of date and id, however many there are.

Covers: sorted runs on disk, and their merge, a few dozen at a time, with one small batch of each in memory.
Not here: which of the articles are kept (`workers.ingest.collect`), how they are cut into chunks (`chunks`).
"""

import heapq
from collections.abc import Iterable, Iterator
from pathlib import Path
from sys import getsizeof
from typing import NamedTuple

import pyarrow as pa

FAN_IN = 32
BATCH_BYTES = 1 << 17
OVERHEAD = 600
"""Bytes that a row takes in memory beside its title and text."""


class Row(NamedTuple):
    """An article on its way to the archive; rows compare by day, then id, then position.

    Attributes
    ----------
    day : int
        Days since 1970-01-01.
    position : int
        Number of the record in this ingest, from 0.
    record, file, unit
        Where it was found: number in its file, the file, and the number of the unit it is counted under.
    doc_key, content_key, text_key : bytes
        Digests; see `workers.ingest.records.Keys`.
    """

    day: int
    doc_id: str
    position: int
    title: str
    text: str
    source: str
    record: int
    file: str
    unit: int
    doc_key: bytes
    content_key: bytes
    text_key: bytes

    @property
    def characters(self) -> int:
        """Characters of title and text: what chunks are cut by."""
        return len(self.title) + len(self.text)

    @property
    def memory(self) -> int:
        """Bytes of the row in memory: one Chinese character makes every character of its text take two bytes."""
        return getsizeof(self.title) + getsizeof(self.text) + OVERHEAD


KINDS = {int: pa.int64(), str: pa.string(), bytes: pa.binary(16)}
RUN = pa.schema([pa.field(name, KINDS[kind]) for name, kind in Row.__annotations__.items()])


class ExternalSort:
    """Takes rows in any order; yields them sorted, any number of times."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        folder.mkdir(parents=True)
        self.folder, self.max_bytes = folder, max_bytes
        self.waiting: list[Row] = []
        self.size = 0
        self.runs: list[Path] = []
        self.made = 0

    def add(self, row: Row) -> None:
        """Take one row; a full buffer goes to the disk as a sorted run."""
        self.waiting.append(row)
        self.size += row.memory
        if self.size >= self.max_bytes:
            self._spill(sorted(self.waiting))
            self.waiting, self.size = [], 0

    def rows(self) -> Iterator[Row]:
        """All rows in order; a remaining buffer becomes a run first, unless it is all there is."""
        if self.runs and self.waiting:
            self._spill(sorted(self.waiting))
            self.waiting, self.size = [], 0
        while len(self.runs) > FAN_IN:
            merged, self.runs = self.runs[:FAN_IN], self.runs[FAN_IN:]
            self._spill(heapq.merge(*map(_read, merged)))
            for path in merged:
                path.unlink()
        self.waiting.sort()
        return heapq.merge(self.waiting, *map(_read, self.runs))

    def _spill(self, rows: Iterable[Row]) -> None:
        path = self.folder / f"{self.made:06}.arrow"
        self.made += 1
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with path.open("wb") as file, pa.ipc.new_stream(file, RUN, options=options) as writer:
            for batch in _batches(rows):
                writer.write_batch(batch)
        self.runs.append(path)


def _batches(rows: Iterable[Row]) -> Iterator[pa.RecordBatch]:
    waiting: list[Row] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += row.memory
        if size >= BATCH_BYTES:
            yield _batch(waiting)
            waiting, size = [], 0
    if waiting:
        yield _batch(waiting)


def _batch(rows: list[Row]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    return pa.record_batch(
        [pa.array(column, field.type) for column, field in zip(columns, RUN, strict=True)], schema=RUN
    )


def _read(path: Path) -> Iterator[Row]:
    with path.open("rb") as file, pa.ipc.open_stream(file) as reader:
        for batch in reader:
            yield from map(Row._make, zip(*(column.to_pylist() for column in batch.columns), strict=True))
