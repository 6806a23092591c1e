"""Readers of the two SGML collections: Gigaword and Reuters-21578.

Covers: cutting a stream into articles by their start and end tags, and taking id, date, title and text from each.
Not here: SGML in general. In both collections simple patterns find the tags, and neither declares entities.
"""

import html
import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import BinaryIO

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.config import IngestConfig
from workers.ingest.dates import parse_date
from workers.ingest.lines import bounded_lines
from workers.ingest.records import Draft, Fault, shown

GIGAWORD_ID = re.compile(r'<DOC\s+id\s*=\s*"([^"]*)"')
REUTERS_ID = re.compile(r'<REUTERS\b[^>]*\bNEWID="([^"]*)"')
LONGEST_TAG = 2000
REUTERS_DATE = re.compile(r"(\d{1,2})-([A-Z]{3})-(\d{4})")
MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
# no pattern may run past a second "<": on hostile input that would take quadratic time
TAG = re.compile(r"<[^<>]*>")
PARAGRAPH = re.compile(r"\s*(?:</?P>\s*)+")
HEADINGS = ("TITLE", "DATELINE", "AUTHOR")


def read_gigaword(stream: BinaryIO, config: IngestConfig) -> Iterator[Draft | Fault]:
    """Articles `<DOC id="AFP_ENG_19940512.0004" type="story">`; the id holds the date and the source."""
    return _articles(stream, b"<DOC ", b"</DOC>", _gigaword, config.max_record_bytes)


def read_reuters(stream: BinaryIO, config: IngestConfig) -> Iterator[Draft | Fault]:
    """Articles `<REUTERS ... NEWID="1">`; the id becomes `reuters-1`. One without a body has no text, so it fails."""
    return _articles(stream, b"<REUTERS", b"</REUTERS>", _reuters, config.max_record_bytes)


def _articles(
    stream: BinaryIO, start: bytes, end: bytes, parse: Callable[[int, str], Draft], limit: int
) -> Iterator[Draft | Fault]:
    """One draft per block from a start tag to an end tag."""
    number = 0
    for number, block in enumerate(_blocks(stream, start, end, limit), start=1):
        if block is None:
            yield Fault(number, f"article must end with {end.decode()} within {limit:,} bytes", "none")
            continue
        try:
            yield parse(number, block.decode())
        except UnicodeDecodeError as error:
            yield Fault(number, "article must be UTF-8", shown(block[max(0, error.start - 20) : error.end + 20]))
        except BrokenRuleError as broken:
            yield Fault(number, broken.rule, shown(broken.value))


def _blocks(stream: BinaryIO, start: bytes, end: bytes, limit: int) -> Iterator[bytes | None]:
    """Whole lines from start tag to end tag; None for a block that is too long or that another block interrupts."""
    block: list[bytes] | None = None
    size = 0
    for line in (found or b"" for found in bounded_lines(stream, limit)):
        if line.lstrip().startswith(start):
            if block is not None:
                yield None
            block, size = [], 0
        if block is None:
            continue
        size += len(line) or limit + 1
        if size <= limit:
            block.append(line)
        if line.rstrip().endswith(end):
            yield b"".join(block) if size <= limit else None
            block = None
    if block is not None:
        raise EOFError(f"the last article does not end with {end.decode()}")


def _gigaword(number: int, block: str) -> Draft:
    found = GIGAWORD_ID.match(block.lstrip()[:LONGEST_TAG])
    if not found:
        raise BrokenRuleError('article must start with <DOC id="...">', block[:80])
    doc_id = found[1]
    source, _, stamp = doc_id.rpartition("_")
    text = PARAGRAPH.sub("\n\n", _cut(block, "TEXT")[0] or "")
    return Draft(number, doc_id, stamp[:8], _line(_cut(block, "HEADLINE")[0]), _plain(text), source)


def _reuters(number: int, block: str) -> Draft:
    found = REUTERS_ID.match(block.lstrip()[:LONGEST_TAG])
    if not found:
        raise BrokenRuleError('article must start with <REUTERS ... NEWID="...">', block[:80])
    body, _ = _cut(block, "BODY")
    if body is None and 'TYPE="UNPROC"' in block:
        body, _ = _cut(block, "TEXT")
        for heading in HEADINGS:
            _, body = _cut(body or "", heading)
    title, day = _line(_cut(block, "TITLE")[0]), _reuters_date(_cut(block, "DATE")[0])
    return Draft(number, f"reuters-{found[1]}", day, title, _plain(body), "reuters")


def _reuters_date(stamp: str | None) -> date:
    """`26-FEB-1987 15:01:01.79`; the times are not always times, so only the day is read."""
    found = REUTERS_DATE.search(stamp or "")
    if not found or found[2] not in MONTHS:
        raise BrokenRuleError("DATE must be a day such as 26-FEB-1987", stamp)
    return parse_date(f"{found[3]}-{MONTHS.index(found[2]) + 1:02}-{int(found[1]):02}")


def _cut(block: str, tag: str) -> tuple[str | None, str]:
    """The text between the first start tag and the next end tag, and the block without it."""
    start = re.search(rf"<{tag}(?:\s[^<>]*)?>", block)
    end = block.find(f"</{tag}>", start.end()) if start else -1
    if start is None or end < 0:
        return None, block
    return block[start.end() : end], block[: start.start()] + block[end + len(tag) + 3 :]


def _plain(text: str | None) -> str:
    """Remove tags, resolve character references, drop control characters (`&#3;` ends a Reuters body)."""
    return html.unescape(TAG.sub("", text or "")).strip()


def _line(text: str | None) -> str:
    return " ".join(_plain(text).split())
