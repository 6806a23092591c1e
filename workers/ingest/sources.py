"""From a path to its records: folders, gzip, tar archives, and which reader a stream needs.

Covers: walking folders, recognising formats by their first bytes, opening archives as streams (nothing is extracted,
and a member's name is only shown), and turning a file that breaks off into a fault.
Not here: the formats themselves (`tabular`, `nitf`, `pages` and others), the rules for values (`records`).
"""

import gzip
import io
import tarfile
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
from pyarrow import fs

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.config import IngestConfig, IngestError
from workers.ingest.json_records import read_json
from workers.ingest.nitf import read_nitf
from workers.ingest.pages import read_html, read_txt
from workers.ingest.recoding import recoded
from workers.ingest.records import Draft, Fault, shown
from workers.ingest.sgml import read_gigaword, read_reuters
from workers.ingest.tabular import SEPARATORS, read_csv, read_jsonl, read_parquet
from workers.ingest.tagged_text import looks_like_factiva, looks_like_nexis, read_factiva, read_nexis
from workers.storage import locate, public_name

READERS: dict[str, Callable[[BinaryIO, IngestConfig], Iterator[Draft | Fault]]] = {
    "jsonl": read_jsonl,
    "json": read_json,
    "csv": read_csv,
    "nitf": read_nitf,
    "gigaword": read_gigaword,
    "reuters": read_reuters,
    "nexis": read_nexis,
    "factiva": read_factiva,
}
PAGE_READERS = {"html": read_html, "txt": read_txt}
"""Readers of files that are one article each, whose names say when it was published."""
STARTS = {
    b"[": "json",
    b"{\n": "json",
    b"{\r\n": "json",
    b"{": "jsonl",
    b"<REUTERS": "reuters",
    b"<!DOCTYPE lewis": "reuters",
    b"<DOC ": "gigaword",
    b"<?xml": "nitf",
    b"<!DOCTYPE nitf": "nitf",
    b"<nitf": "nitf",
}
FOREIGN = {
    b"PK\x03\x04": "a zip, Word or Excel file cannot be read: unpack it, or save it as CSV (UTF-8) or text",
    b"\xd0\xcf\x11\xe0": "an old Word or Excel file cannot be read: save it as CSV (UTF-8) or text",
    b"%PDF": "a PDF file cannot be read: export text instead",
    b"{\\rtf": "an RTF file cannot be read: save it as text",
}
"""First bytes of files that people have and that are no text, and what to do."""
PAGES = (b"<!doctype html", b"<html")
DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, tarfile.TarError, pa.ArrowException, OSError, UnicodeError)
PEEK, BUFFER = 4096, 1 << 18
MAX_DEPTH = 4
"""Archives inside archives: `corpus.tar.gz` that holds `01.tgz` is two tars and two gzips."""
MAX_TAR_HEADER = 1 << 20
EXTENDED_HEADERS = b"xgXLK"
"""Types of tar headers that tarfile reads whole: pax, pax global, Solaris, long name, long link."""
MAX_LABEL = 4096
REPORT_EVERY = 500


class Found(NamedTuple):
    """A record or fault, and where: the file, and after `!` the member of an archive."""

    file: str
    item: Draft | Fault


@dataclass(frozen=True)
class Source:
    """One input file.

    Attributes
    ----------
    label : str
        The path as the user would write it; keys in an address are left out.
    path, filesystem : where it is
    size : int
        In bytes, as stored.
    alone : bool
        Whether the user named the file itself, not a folder above it; then it must be readable.
    name : str
        Its path below the folder that the user named, or its own name.
    """

    label: str
    path: str
    filesystem: fs.FileSystem
    size: int
    alone: bool
    name: str

    @property
    def unit(self) -> str:
        """What its records are counted under: the file, or its folder if each file is one article."""
        return self.label.rpartition("/")[0] if self.label.endswith(".xml") and not self.alone else self.label


def find_sources(uri: str) -> Iterator[Source]:
    """The file itself, or all files of a folder except hidden ones, in order of name."""
    label = public_name(uri).rstrip("/")
    try:
        filesystem, path = locate(uri)
        info = filesystem.get_file_info(path)
    except (OSError, ValueError) as error:
        raise IngestError(label, 0, "input must be reachable", shown(str(error))) from error
    if info.type == fs.FileType.NotFound:
        raise IngestError(label, 0, "input must exist", "no such file or folder")
    if info.type == fs.FileType.Directory:
        return _walk(label, filesystem, path)
    return iter([Source(shown(label, MAX_LABEL), path, filesystem, info.size or 0, alone=True, name=info.base_name)])


def _walk(label: str, filesystem: fs.FileSystem, path: str, above: str = "") -> Iterator[Source]:
    try:
        children = sorted(filesystem.get_file_info(fs.FileSelector(path)), key=lambda child: child.base_name)
    except (OSError, UnicodeError) as error:
        raise IngestError(label, 0, "folder must be readable, with names in UTF-8", shown(str(error))) from error
    for child in children:
        name, below = f"{label}/{child.base_name}", f"{above}{child.base_name}"
        if child.base_name.startswith((".", "_")):
            continue
        if child.type == fs.FileType.Directory:
            yield from _walk(name, filesystem, child.path, f"{below}/")
        else:
            yield Source(shown(name, MAX_LABEL), child.path, filesystem, child.size or 0, alone=False, name=below)


def read_source(source: Source, config: IngestConfig, on_bytes: Callable[[int], None]) -> Generator[Found]:
    """Every record of one file; `on_bytes` is told from time to time how far the reading is."""
    try:
        file = source.filesystem.open_input_file(source.path)
    except OSError as error:
        raise IngestError(source.label, 0, "input must be readable", shown(str(error))) from error
    with file:
        stream = io.BufferedReader(file, BUFFER)
        records = _Reading(config, source.alone, source.name).records(source.label, stream, depth=0)
        for number, found in enumerate(_until_damage(source.label, records)):
            if number % REPORT_EVERY == 0:
                on_bytes(file.tell())
            yield found


def _until_damage(label: str, records: Iterator[Found]) -> Iterator[Found]:
    """Pass records on; if the file breaks off, end with a fault instead of an exception."""
    last = None
    try:
        for last in records:
            yield last
    except DAMAGE as error:
        record = last.item.record + 1 if last and last.file == label else 0
        reason = shown(str(error) or type(error).__name__)
        yield Found(label, Fault(record, "file must be whole", reason, damaged=True))
    else:
        if last is None:
            yield Found(label, Fault(0, "file must hold at least one record", "none"))


@dataclass(frozen=True)
class _Reading:
    """How one source is read: the same options at every depth of its archives."""

    config: IngestConfig
    alone: bool
    name: str

    def records(self, label: str, stream: Any, depth: int) -> Iterator[Found]:
        """Open what the first bytes show: gzip, then tar, then a format."""
        head = stream.peek(PEEK)[:PEEK]
        if depth > MAX_DEPTH:
            yield Found(label, Fault(0, f"archives may be nested at most {MAX_DEPTH} deep", "deeper"))
        elif head.startswith(b"\x1f\x8b"):
            yield from self.records(label, gzip.GzipFile(fileobj=stream, mode="rb"), depth + 1)
        elif head[257:262] == b"ustar":
            yield from self.members(label, stream, depth)
        else:
            yield from self.decoded(label, stream, head, depth)

    def members(self, label: str, stream: BinaryIO, depth: int) -> Iterator[Found]:
        """Each regular member of a tar archive, read in place."""
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_BoundedTarInfo) as archive:
            for member in archive:
                name = f"{label}!{shown(member.name)}"
                if member.isdir():
                    continue
                if not member.isreg() or member.issparse():
                    yield Found(name, Fault(0, "archive member must be a regular file", "a link or device"))
                    continue
                content = archive.extractfile(member)
                if content is not None:
                    inner = _Reading(self.config, alone=False, name=shown(member.name)).records(
                        name, content, depth + 1
                    )
                    yield from _until_damage(name, inner)

    def decoded(self, label: str, stream: BinaryIO, head: bytes, depth: int) -> Iterator[Found]:
        """Records in the format given or seen."""
        try:
            stream, head = recoded(stream, head, self.config.encoding)
            kind = self.config.format or sniff(head)
            if kind == "parquet" and depth:
                raise BrokenRuleError("Parquet must not be inside gzip or tar", "a compressed one")
            for item in self.read(kind, stream):
                yield Found(label, item)
        except BrokenRuleError as broken:
            if self.alone:
                raise IngestError(label, 0, broken.rule, shown(broken.value)) from broken
            yield Found(label, Fault(0, broken.rule, shown(broken.value)))

    def read(self, kind: str, stream: Any) -> Iterator[Draft | Fault]:
        """Records in one format."""
        if kind in PAGE_READERS:
            return PAGE_READERS[kind](stream, self.config, self.name)
        return read_parquet(stream, self.config) if kind == "parquet" else READERS[kind](stream, self.config)


def sniff(head: bytes) -> str:
    """Format by the first bytes of the uncompressed file.

    >>> sniff(b'{"doc_id": "a"}'), sniff(b"doc_id,published,text")
    ('jsonl', 'csv')
    """
    if head.startswith(b"PAR1"):
        return "parquet"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    foreign = _starting(head, FOREIGN)
    if foreign:
        raise BrokenRuleError(foreign, "such a file")
    kind = _starting(text, STARTS) or _by_lines(text)
    if not kind:
        raise BrokenRuleError("format must be recognisable, or given with --format", head[:40] or "an empty file")
    return kind


def _starting(text: bytes, known: Mapping[bytes, str]) -> str:
    return next((kind for start, kind in known.items() if text.startswith(start)), "")


def _by_lines(text: bytes) -> str:
    """Format by what the first lines have; empty if nothing fits."""
    letters = text.decode(errors="replace")
    first = letters.partition("\n")[0]
    if looks_like_factiva(letters):
        return "factiva"
    if looks_like_nexis(letters):
        return "nexis"
    if text.lower().startswith(PAGES):
        return "html"
    separated = any(sign in first for sign in SEPARATORS)
    return "csv" if separated and not first.startswith("<") and "\0" not in first else ""


class _BoundedTarInfo(tarfile.TarInfo):
    """Refuses extended headers (long names, pax) as large as only an attack has, because tarfile reads them whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_BoundedTarInfo":
        member = super().frombuf(buf, encoding, errors)
        if member.type in EXTENDED_HEADERS and member.size > MAX_TAR_HEADER:
            raise tarfile.ReadError(f"an extended header of {member.size:,} bytes")
        return member
