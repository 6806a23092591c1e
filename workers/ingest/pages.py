"""Readers of files that are one article each: plain text and web pages, with their dates in their names.

Covers: id and date from the path below the folder that was given; title and text from the file.
Not here: which words of a page are its text (`html_text`).
"""

from collections.abc import Iterator
from datetime import date
from typing import BinaryIO

from workers.ingest.config import IngestConfig
from workers.ingest.dates import date_in_name
from workers.ingest.html_text import read_page
from workers.ingest.records import Draft, Fault, shown

RULE = "a file that is one article must have its date in its name, such as 1987-02-26"


def read_txt(stream: BinaryIO, config: IngestConfig, name: str) -> Iterator[Draft | Fault]:
    """The one article of a text file; a short first line with an empty line after it is the title."""
    text = _content(stream, config)
    if isinstance(text, Fault):
        yield text
        return
    first, _, rest = text.strip().partition("\n")
    titled = len(first) <= 200 and rest.startswith(("\n", "\r\n")) and rest.strip()
    yield _draft(name, config, first.strip() if titled else None, rest.strip() if titled else text, None)


def read_html(stream: BinaryIO, config: IngestConfig, name: str) -> Iterator[Draft | Fault]:
    """The one article of a web page; the date in its name counts before the date in the page."""
    text = _content(stream, config)
    if isinstance(text, Fault):
        yield text
        return
    page = read_page(text)
    yield _draft(name, config, page.title, page.story, page.published or None)


def _content(stream: BinaryIO, config: IngestConfig) -> str | Fault:
    content = stream.read(config.max_record_bytes + 1)
    if len(content) > config.max_record_bytes:
        return Fault(1, f"document must be at most {config.max_record_bytes:,} bytes", "a longer one")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        value = shown(content[max(0, error.start - 20) : error.end + 20])
        return Fault(1, "document must be UTF-8 (say what it is with --encoding, such as cp1252)", value)


def _draft(name: str, config: IngestConfig, title: str | None, text: str, said: str | None) -> Draft | Fault:
    day: date | str | None = date_in_name(name, config.dates) or said
    if day is None:
        return Fault(1, RULE, shown(name), shown(name))
    return Draft(1, name, day, title, text, None)
