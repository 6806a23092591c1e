"""A query with its lexicon as JSON, so that a run can be explained years later, whatever became of the query's file."""

from collections.abc import Mapping
from typing import Any

from calib_core.events import Entry, Lexicon, Query

ENTRY = ("code", "kind", "form", "type", "first", "last")
"""Of a word of the lexicon: all but the file it was read from."""
SETS = ("forms", "roles", "modifiers", "subjects", "exclude", "countries")


def query_content(query: Query) -> dict[str, Any]:
    """Everything that the query's fingerprint covers, and its name."""
    content: dict[str, Any] = {name: sorted(getattr(query, name)) for name in SETS}
    return content | {
        "name": query.name,
        "unit": query.unit,
        "merge": [list(pair) for pair in query.merge],
        "lexicon": [[getattr(entry, name) for name in ENTRY] for entry in query.lexicon.entries],
        "fingerprint": query.fingerprint,
    }


def read_query(content: Mapping[str, Any]) -> Query:
    """The query that `query_content` described.

    Raises
    ------
    ValueError
        If it is not the same query any more.
    """
    query = Query(
        name=content["name"],
        lexicon=Lexicon(
            tuple(Entry(**dict(zip(ENTRY, entry, strict=True)), source="") for entry in content["lexicon"])
        ),
        unit=content["unit"],
        merge=tuple((first, second) for first, second in content["merge"]),
        **{name: frozenset(content[name]) for name in SETS},
    )
    if query.fingerprint != content["fingerprint"]:
        raise ValueError(f"query {query.name!r} was written by another version; got {query.fingerprint}")
    return query
