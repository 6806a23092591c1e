"""Reader of JSON that is not one object per line: an array, objects spread over lines, a list inside an object.

Covers: finding the objects while only one of them is in memory.
Not here: JSON lines (`tabular`), rules about the values (`records`).
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from workers.ingest.config import IngestConfig
from workers.ingest.field_names import missing_fields, proposed
from workers.ingest.records import Draft, Fault, draft_of, shown

STEP = 1 << 16
BETWEEN = re.compile(r"[\s,\[\]]*")


def json_draft(number: int, row: dict[str, Any], config: IngestConfig) -> Draft | Fault:
    """The record of one object; where its fields have other names, say which options would find them."""
    missing = missing_fields(list(row), config)
    if missing is not None and "--field" in missing.rule:
        return Fault(number, missing.rule, shown(missing.value))
    return draft_of(number, row, config.input_names)


def read_json(stream: BinaryIO, config: IngestConfig) -> Iterator[Draft | Fault]:
    """Objects one after the other, in an array or not."""
    number = 0
    for value in _values(stream, config.max_record_bytes):
        if isinstance(value, _Broken):
            yield Fault(number + 1, value.rule, value.shown, damaged=True)
            return
        for row in rows_of(value, config):
            number += 1
            if isinstance(row, dict):
                yield json_draft(number, row, config)
            else:
                yield Fault(number, "record must be a JSON object", shown(json.dumps(row)))


class _Broken:
    """Where the values end before the file does."""

    def __init__(self, rule: str, text: str) -> None:
        self.rule, self.shown = rule, shown(text)


def _values(stream: BinaryIO, limit: int) -> Iterator[Any]:
    """Each value of the outermost array, or each value of the file."""
    decoder, letters = json.JSONDecoder(), codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
    text, at, ended = "", 0, False
    while True:
        at = _next(text, at)
        if at < len(text):
            try:
                value, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError):
                if ended:
                    yield _Broken("file must be JSON to its end", text[at:])
                    return
                if len(text) - at > limit:
                    yield _Broken(f"record must be at most {limit:,} bytes", text[at : at + STEP])
                    return
            else:
                yield value
                continue
        elif ended:
            return
        # reading as much again as there is keeps the time linear where one record is long
        more = stream.read(max(STEP, len(text) - at))
        ended = not more
        text, at = text[at:] + letters.decode(more, final=ended), 0


def _next(text: str, at: int) -> int:
    """Where the next value begins."""
    between = BETWEEN.match(text, at)
    return between.end() if between else at


def rows_of(value: Any, config: IngestConfig) -> list[Any]:
    """The records of a value: those of its only list of objects if it is no record itself."""
    if isinstance(value, dict) and not any(name in value for name in config.input_names.values()):
        lists = [inner for inner in value.values() if isinstance(inner, list) and inner and isinstance(inner[0], dict)]
        if len(lists) == 1 and "text" not in proposed(value, config.names):
            return lists[0]
    return [value]
