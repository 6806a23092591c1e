"""Frozen dataclasses of plain parts as JSON values, and back, by their type hints.

Covers: strings, numbers, flags, tuples, frozen sets, dataclasses inside dataclasses, lexicons, and None.
Not here: which dataclasses are written (`query_file`).
"""

from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from calib_core.events import Entry, Lexicon

ENTRY = ("code", "kind", "form", "type", "first", "last")
"""Fields of a lexicon word: all but the file it was read from."""


def to_plain(value: Any) -> Any:
    """A value that JSON can hold; sets are sorted, so equal values are written alike."""
    if isinstance(value, Lexicon):
        return [[getattr(entry, name) for name in ENTRY] for entry in value.entries]
    if is_dataclass(value):
        return {part.name: to_plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [to_plain(part) for part in value]
    return value


def from_plain(kind: Any, value: Any) -> Any:
    """The value of this type that `to_plain` wrote."""
    if isinstance(kind, UnionType):
        kind = next(part for part in get_args(kind) if part is not NoneType)
    if value is None:
        return None
    if kind is Lexicon:
        return Lexicon(tuple(Entry(**dict(zip(ENTRY, entry, strict=True)), source="") for entry in value))
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: from_plain(hints[name], part) for name, part in value.items()})
    if get_origin(kind) is frozenset:
        return frozenset(value)
    if get_origin(kind) is tuple:
        parts = get_args(kind)
        kinds = [parts[0]] * len(value) if parts[-1] is Ellipsis else list(parts)
        return tuple(from_plain(part, item) for part, item in zip(kinds, value, strict=True))
    return value
