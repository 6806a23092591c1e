"""Chunks of the archive: cut, named after their content, written.

Covers: where one chunk ends and the next begins, its name, and the keys by which later ingests know its articles.
Not here: making chunks visible (`workers.ingest.catalogue`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

import pyarrow as pa

from workers.ingest.config import IngestConfig
from workers.ingest.external_sort import Row
from workers.layout import archive_chunk, ingest_ids
from workers.quarters import quarter_of
from workers.schemas import ARCHIVE, ARCHIVE_IDS
from workers.storage import Warehouse, content_hash, parquet_bytes

EPOCH = date(1970, 1, 1).toordinal()
IDS_AT_ONCE, KEY_BYTES = 100_000, 16


@dataclass(frozen=True, slots=True)
class Chunk:
    """A file of the archive.

    Attributes
    ----------
    path : str
        In the warehouse; the name is the hash of the articles, in order.
    quarter : str
        Such as 1987Q1.
    docs, characters : int
        Articles, and characters of title and text in them.
    """

    path: str
    quarter: str
    docs: int
    characters: int


def cut(rows: Iterable[Row], config: IngestConfig) -> Iterator[tuple[str, list[Row]]]:
    """Cut sorted rows into lists of one quarter each, up to a number of articles or characters."""
    for quarter, members in groupby(rows, key=lambda row: quarter_of(date.fromordinal(row.day + EPOCH))):
        waiting: list[Row] = []
        characters = 0
        for row in members:
            if waiting and (len(waiting) >= config.chunk_docs or characters + row.characters > config.chunk_characters):
                yield quarter, waiting
                waiting, characters = [], 0
            waiting.append(row)
            characters += row.characters
        yield quarter, waiting


def stage_chunk(quarter: str, rows: list[Row], warehouse: Warehouse) -> Chunk:
    """Write one chunk to where `publish` finds it."""
    name = content_hash(*(row.content_key for row in rows))
    characters = sum(row.characters for row in rows)
    chunk = Chunk(archive_chunk(quarter, name), quarter, len(rows), characters)
    warehouse.stage(chunk.path, parquet_bytes(_table(rows)))
    return chunk


def _table(rows: list[Row]) -> pa.Table:
    days = pa.array([row.day for row in rows], pa.int32()).view(pa.date32())
    strings = {name: [getattr(row, name) for row in rows] for name in ("doc_id", "title", "text", "source")}
    columns = [days if field.name == "published" else pa.array(strings[field.name], field.type) for field in ARCHIVE]
    return pa.Table.from_arrays(columns, schema=ARCHIVE)


class IdsWriter:
    """Collects the keys of published articles and writes them in files of bounded size."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self.keys = (bytearray(), bytearray(), bytearray())
        self.paths: list[str] = []

    def add(self, rows: Iterable[Row]) -> None:
        """Note the keys of some articles."""
        for row in rows:
            self.keys[0].extend(row.doc_key)
            self.keys[1].extend(row.content_key)
            self.keys[2].extend(row.text_key)
        if len(self.keys[0]) >= IDS_AT_ONCE * KEY_BYTES:
            self.flush()

    def flush(self) -> None:
        """Stage what is waiting as one file."""
        n_keys = len(self.keys[0]) // KEY_BYTES
        if not n_keys:
            return
        parts = [bytes(column) for column in self.keys]
        kind = pa.binary(KEY_BYTES)
        columns = [pa.Array.from_buffers(kind, n_keys, [None, pa.py_buffer(part)]) for part in parts]
        name = content_hash(*parts)
        self.paths.append(ingest_ids(name))
        self.warehouse.stage(self.paths[-1], parquet_bytes(pa.Table.from_arrays(columns, schema=ARCHIVE_IDS)))
        self.keys = (bytearray(), bytearray(), bytearray())
