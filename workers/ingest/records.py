"""What a reader yields, and the rules that turn it into an article.

Covers: drafts as found, faults, and the validation that turns a draft into an article or a fault.
Not here: finding records in files (the readers), dates (`dates`), whether an id was seen before
(`workers.ingest.uniqueness`).
"""

import re
from collections.abc import Mapping
from datetime import date
from hashlib import blake2b
from typing import Any, NamedTuple

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.config import IngestConfig
from workers.ingest.dates import parse_date
from workers.ingest.html_text import words_of

MAX_ID_CHARACTERS = 256
SHOWN = 200
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Draft(NamedTuple):
    """A record as found: values of any type, None where absent."""

    record: int
    doc_id: Any
    published: Any
    title: Any
    text: Any
    source: Any


class Fault(NamedTuple):
    """A record that cannot be used: which one, which rule, which value.

    `damaged` marks where a file breaks off, so an unknown number of later records is missing.
    """

    record: int
    rule: str
    value: str
    doc_id: str | None = None
    damaged: bool = False


class Article(NamedTuple):
    """A valid record."""

    record: int
    doc_id: str
    published: date
    title: str
    text: str
    source: str


class Keys(NamedTuple):
    """Digests that recognise an id, an article and a text."""

    doc: bytes
    content: bytes
    text: bytes


def validate(draft: Draft, config: IngestConfig) -> Article | Fault:
    """An article, or the first rule that the draft breaks."""
    doc_id, wanting = None, config.make_ids and draft.doc_id in (None, "")
    try:
        doc_id = "" if wanting else _doc_id(draft.doc_id)
        published = parse_date(draft.published, config.dates)
        title, source = _string("title", draft.title), _string("source", draft.source)
        text = _text(draft.text, config)
    except BrokenRuleError as broken:
        return Fault(draft.record, broken.rule, shown(broken.value), doc_id or None)
    if wanting:
        doc_id = made_id(published.isoformat(), title, text)
    return Article(draft.record, doc_id, published, title, text, source)


def made_id(*parts: str) -> str:
    """An id that is the same whenever the same article comes again."""
    return _digest("\0".join(parts)).hex()[:16]


def _text(value: Any, config: IngestConfig) -> str:
    """The text as it is, or the words of it."""
    text = _string("text", value)
    most = config.max_text_bytes
    if len(text) > most or len(text.encode()) > most:
        raise BrokenRuleError(f"text must be at most {most:,} bytes", f"{len(text):,} characters")
    text = words_of(text) if config.html else text
    if not text.strip():
        raise BrokenRuleError("text must not be empty", value)
    return text


def keys(article: Article) -> Keys:
    """Digests of the id, of all columns and of the text."""
    text = _digest(article.text)
    doc = _digest(article.doc_id)
    rest = _digest("\0".join((article.published.isoformat(), article.title, article.source)))
    return Keys(doc, blake2b(doc + text + rest, digest_size=16).digest(), text)


def _digest(value: str) -> bytes:
    return blake2b(value.encode(), digest_size=16).digest()


def _doc_id(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    doc_id = _string("doc_id", value)
    if not doc_id.strip():
        raise BrokenRuleError("doc_id must not be empty", value)
    if len(doc_id) > MAX_ID_CHARACTERS:
        raise BrokenRuleError(f"doc_id must be at most {MAX_ID_CHARACTERS} characters", f"{len(doc_id):,} characters")
    if CONTROL.search(doc_id):
        raise BrokenRuleError("doc_id must not contain control characters", doc_id)
    return doc_id


def _string(name: str, value: Any) -> str:
    """A string that UTF-8 can encode and that contains no NUL; empty for None."""
    if value is None:
        return ""
    try:
        text = value.decode() if isinstance(value, bytes) else value
        if not isinstance(text, str):
            raise BrokenRuleError(f"{name} must be a string", value)
        if not text.isascii():
            text.encode()
    except UnicodeError as error:
        raise BrokenRuleError(f"{name} must be UTF-8", value) from error
    if "\0" in text:
        raise BrokenRuleError(f"{name} must not contain NUL", text[max(0, text.index("\0") - 20) :])
    return text


def shown(value: object, limit: int = SHOWN) -> str:
    """A value as shown in a message: one line, printable, short."""
    try:
        text = value if isinstance(value, str) else repr(value[:limit] if isinstance(value, bytes) else value)
    except (RecursionError, ValueError):  # lists in lists in lists, integers of thousands of digits
        text = f"a {type(value).__name__} too large to show"
    text = text[:limit]
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)[:limit]


def draft_of(record: int, row: Mapping[str, Any], names: Mapping[str, str]) -> Draft:
    """A draft from named values; `names` gives our columns' names in the input."""
    return Draft(record, *(row.get(names[column]) for column in Draft._fields[1:]))
