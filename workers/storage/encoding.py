"""Bytes that depend only on content: tables as Parquet, and hashes that serve as names."""

import hashlib
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def parquet_bytes(table: pa.Table) -> bytes:
    """The table as a Parquet file; article text has no use for dictionaries, so only zstd compresses it."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", use_dictionary=False, write_statistics=True)
    return bytes(sink.getvalue())


def write_row_groups(file: Any, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    """Write tables one after the other into an open file, each as a row group of its own."""
    with pq.ParquetWriter(file, schema, compression="zstd", use_dictionary=True, write_statistics=False) as writer:
        for table in tables:
            writer.write_table(table)


def content_hash(*parts: bytes) -> str:
    """BLAKE2b-128 of the parts and their lengths, in hexadecimal: a name that depends only on the content."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()
