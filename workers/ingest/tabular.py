"""Readers of JSON lines, CSV and Parquet: formats whose records are named values.

Covers: one draft or fault per line or row.
Not here: rules about the values (`workers.ingest.records`), compression (`workers.ingest.sources`).
"""

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import chain
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from workers.ingest.config import MEBIBYTE, IngestConfig
from workers.ingest.field_names import missing_fields
from workers.ingest.json_records import json_draft
from workers.ingest.lines import bounded_lines
from workers.ingest.records import Draft, Fault, draft_of, shown

ROWS_AT_ONCE, BATCH_BYTES = 256, 8 * MEBIBYTE
EPOCH = date(1970, 1, 1)
BOM = b"\xef\xbb\xbf"
SEPARATORS = ",;\t|"
"""The first wins where none is more frequent."""


def read_jsonl(stream: BinaryIO, config: IngestConfig) -> Iterator[Draft | Fault]:
    """One JSON object per line; empty lines are skipped, but count as lines."""
    for number, line in enumerate(bounded_lines(stream, config.max_record_bytes), start=1):
        if line is None:
            yield Fault(number, f"line must be at most {config.max_record_bytes:,} bytes", "a longer one")
        elif line.strip():
            yield _json_record(number, line.removeprefix(BOM) if number == 1 else line, config)


def _json_record(number: int, line: bytes, config: IngestConfig) -> Draft | Fault:
    try:
        row = json.loads(line.decode())
    except UnicodeDecodeError as error:
        return Fault(number, "line must be UTF-8", shown(line[max(0, error.start - 20) : error.end + 20]))
    except (ValueError, RecursionError):
        return Fault(number, "line must be a JSON object", shown(line.decode().strip()))
    if not isinstance(row, dict):
        return Fault(number, "line must be a JSON object", shown(line.decode().strip()))
    return json_draft(number, row, config)


def read_csv(stream: BinaryIO, config: IngestConfig) -> Iterator[Draft | Fault]:
    """Values separated by commas, semicolons, tabs or bars, with a header; quoted values may contain line ends.

    A quote that never closes swallows what follows, so the rest of such a file is not read.
    """
    # the module's limit is 131,072 characters for the whole process: less than a long article
    csv.field_size_limit(max(csv.field_size_limit(), config.max_record_bytes))
    lines = bounded_lines(stream, config.max_record_bytes)
    text = _text_lines(lines)
    number = 0
    try:
        first = next(text, "")
        if first.startswith("sep="):  # Excel's way of naming the separator
            first = next(text, "")
        rows = csv.reader(chain([first], text), delimiter=separator_of(first), strict=True)
        header = [name.strip() for name in next(rows, [])]
        check_columns(header, config)
        for number, row in enumerate(rows, start=1):
            if row and len(row) != len(header):
                yield Fault(number, f"row must have {len(header)} values, as the header", str(len(row)))
            elif row:
                yield draft_of(number, dict(zip(header, row, strict=True)), config.input_names)
    except csv.Error as error:
        yield Fault(number + 1, "rows must be well-formed CSV to the end of the file", shown(str(error)), damaged=True)


def _text_lines(lines: Iterable[bytes | None]) -> Iterator[str]:
    """Lines for the csv module; bytes that are not UTF-8 become lone surrogates, which validation refuses."""
    for number, line in enumerate(lines):
        if line is None:
            raise csv.Error("a line is longer than the limit")
        yield (line.removeprefix(BOM) if number == 0 else line).decode(errors="surrogateescape")


def read_parquet(file: Any, config: IngestConfig) -> Iterator[Draft | Fault]:
    """Rows of a Parquet file that can be read at any position, a few at a time."""
    parquet = pq.ParquetFile(file, pre_buffer=False, buffer_size=MEBIBYTE)  # page by page, not a row group at once
    check_columns(parquet.schema_arrow.names, config)
    names = config.input_names
    wanted = [name for name in names.values() if name in parquet.schema_arrow.names]
    number = 0
    for batch in parquet.iter_batches(batch_size=_rows_at_once(parquet.metadata), columns=wanted):
        columns = {name: _values(batch.column(name)) for name in wanted}
        for row in zip(*columns.values(), strict=True):
            number += 1
            yield draft_of(number, dict(zip(wanted, row, strict=True)), names)


def _rows_at_once(metadata: Any) -> int:
    """Fewer rows if they are long, so that a batch stays small."""
    sizes = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    longest = max((group.total_byte_size // max(1, group.num_rows) for group in sizes), default=0)
    return max(1, min(ROWS_AT_ONCE, BATCH_BYTES // max(1, longest)))


def _values(column: pa.Array) -> list[Any]:
    """Python values; strings as bytes, so that one that is not UTF-8 spoils only its own row; days likewise."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_string(column.type):
        column = column.cast(pa.binary())
    elif pa.types.is_large_string(column.type):
        column = column.cast(pa.large_binary())
    elif pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        return [_day(days) for days in column.cast(pa.date32(), safe=False).view(pa.int32()).to_pylist()]
    return list(column.to_pylist())


def _day(days: int | None) -> date | str | None:
    """A date; where the calendar ends before it, words that validation will refuse."""
    try:
        return None if days is None else EPOCH + timedelta(days)
    except OverflowError:
        return f"{days} days after 1970-01-01"


def separator_of(header: str) -> str:
    """The sign that separates most names of a header.

    >>> separator_of('id;"date, time";text')
    ';'
    """
    outside = "".join(header.split('"')[::2])
    return max(SEPARATORS, key=outside.count)


def check_columns(found: list[str], config: IngestConfig) -> None:
    """Refuse a table without the columns that every article needs."""
    missing = missing_fields(found, config)
    if missing is not None:
        raise missing
