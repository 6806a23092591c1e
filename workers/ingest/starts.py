"""The beginning of a file, whatever it is wrapped in.

Covers: the first bytes after gzip and tar, whether they are UTF-8, the first rows of a table or of JSON in them.
Not here: reading whole files (`workers.ingest.sources`).
"""

import codecs
import csv
import gzip
import io
import json
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq

from workers.ingest.config import IngestConfig, IngestError
from workers.ingest.json_records import BETWEEN, rows_of
from workers.ingest.recoding import UTF16
from workers.ingest.records import shown
from workers.ingest.sources import DAMAGE, Source
from workers.ingest.tabular import separator_of

SIZE, ROWS, DEPTH = 1 << 18, 50, 4
LIST = re.compile(r"\[\s*(?=\{)")


@dataclass(frozen=True, slots=True)
class Start:
    """The first bytes of a file.

    Attributes
    ----------
    content : bytes
    whole : bool
        Whether there are no more.
    table : tuple of dict
        The first rows of a Parquet file.
    """

    content: bytes
    whole: bool
    table: tuple[dict[str, Any], ...] = ()

    @property
    def is_utf8(self) -> bool:
        """Whether they can be UTF-8, or say themselves what they are."""
        if self.table or self.content.startswith(UTF16):
            return True
        try:
            codecs.getincrementaldecoder("utf-8")().decode(self.content, final=self.whole)
        except UnicodeDecodeError:
            return False
        return True

    @property
    def is_wrapped_json(self) -> bool:
        """Whether a first line of JSON is no record, but holds a list of them."""
        line = self.text("cp1252").partition("\n")[0]
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return self.whole or "\n" not in self.text("cp1252")
        return rows_of(value, IngestConfig()) != [value]

    def text(self, encoding: str) -> str:
        """As text; what does not fit is replaced."""
        chosen = "utf-16" if self.content.startswith(UTF16) else "utf-8-sig" if self.is_utf8 else encoding
        return self.content.decode(chosen, errors="replace")

    def head(self, encoding: str) -> bytes:
        """The first bytes in UTF-8."""
        return self.content[:4096] if self.table else self.text(encoding)[:4096].encode(errors="replace")

    def rows(self, kind: str, encoding: str = "cp1252") -> list[dict[str, Any]]:
        """The first records by the names of their fields."""
        if kind == "parquet":
            return list(self.table)
        text = self.text(encoding)
        rows = _csv_rows(text) if kind == "csv" else _json_rows(text)
        found = []
        for row in rows:
            found.append(row)
            if len(found) == ROWS:
                break
        return found


def read_start(source: Source) -> Start:
    """Open a file, and what it is wrapped in, and read its beginning."""
    try:
        with source.filesystem.open_input_file(source.path) as file:
            if file.read(4) == b"PAR1":
                table = next(pq.ParquetFile(file).iter_batches(ROWS), None)
                return Start(b"PAR1", whole=False, table=tuple(table.to_pylist()) if table else ())
            file.seek(0)
            content = _unwrapped(io.BufferedReader(file), 0).read(SIZE)
    except DAMAGE as error:
        raise IngestError(
            source.label, 0, "file must be readable", shown(str(error) or type(error).__name__)
        ) from error
    return Start(content, whole=len(content) < SIZE)


def _unwrapped(stream: Any, depth: int) -> Any:
    head = stream.peek(512)[:512]
    if depth < DEPTH and head.startswith(b"\x1f\x8b"):
        return _unwrapped(gzip.GzipFile(fileobj=stream, mode="rb"), depth + 1)
    if depth < DEPTH and head[257:262] == b"ustar":
        archive = tarfile.open(fileobj=stream, mode="r|")  # noqa: SIM115  closed with the stream
        first = next((member for member in archive if member.isreg()), None)
        inner = archive.extractfile(first) if first else None
        return _unwrapped(inner, depth + 1) if inner else stream
    return stream


def _csv_rows(text: str) -> Iterator[dict[str, Any]]:
    """Rows with as many values as the header."""
    lines = text.splitlines(keepends=True)
    if lines and lines[0].startswith("sep="):
        del lines[0]
    if not lines:
        return
    rows = csv.reader(lines, delimiter=separator_of(lines[0]))
    header = [name.strip() for name in next(rows, [])]
    empty = True
    try:
        for row in rows:
            if len(row) == len(header):
                empty = False
                yield dict(zip(header, row, strict=True))
    except csv.Error:
        pass
    if empty:
        yield dict.fromkeys(header, "")


def _json_rows(text: str) -> Iterator[dict[str, Any]]:
    """Objects that are whole; if the first is not, those of the first list in it."""
    found = False
    for row in _objects(text):
        found = True
        yield from (inner for inner in rows_of(row, IngestConfig()) if isinstance(inner, dict))
    inside = None if found else LIST.search(text)
    if inside:
        yield from _objects(text[inside.end() :])


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder, at = json.JSONDecoder(), 0
    while (between := BETWEEN.match(text, at)) and between.end() < len(text):
        try:
            value, at = decoder.raw_decode(text, between.end())
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            yield value
