"""A query with its lexicon as JSON, so that a run can be explained years later, even if the query's file is gone."""

from collections.abc import Mapping
from typing import Any

from calib_core.events import Lexicon, Query
from calib_core.events.language import Language
from workers.propagation.plain_values import from_plain, to_plain

SETS = ("forms", "roles", "modifiers", "subjects", "exclude", "countries")


def query_content(query: Query) -> dict[str, Any]:
    """Everything that the query's fingerprint covers, its name and its codebook."""
    content: dict[str, Any] = {name: sorted(getattr(query, name)) for name in SETS}
    return content | {
        "name": query.name,
        "unit": query.unit,
        "merge": [list(pair) for pair in query.merge],
        "lexicon": to_plain(query.lexicon),
        **({} if query.language == Language() else {"language": to_plain(query.language)}),
        **({"codebook": query.codebook} if query.codebook else {}),
        "fingerprint": query.fingerprint,
    }


def read_query(content: Mapping[str, Any]) -> Query:
    """The query that `query_content` described.

    Raises
    ------
    ValueError
        If it is no longer the same query.
    """
    query = Query(
        name=content["name"],
        lexicon=from_plain(Lexicon, content["lexicon"]),
        language=from_plain(Language, content.get("language", {})),
        codebook=content.get("codebook", ""),
        unit=content["unit"],
        merge=tuple((first, second) for first, second in content["merge"]),
        **{name: frozenset(content[name]) for name in SETS},
    )
    if query.fingerprint != content["fingerprint"]:
        raise ValueError(f"query {query.name!r} was written by another version; got {query.fingerprint}")
    return query
