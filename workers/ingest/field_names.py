"""Which of a file's fields hold our columns.

Covers: names that exports and scrapers use for id, date, text, title and source; dates and texts by what they look
like; the options that map them.
Not here: what the values must be (`workers.ingest.records`).
"""

import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.config import COLUMNS, IngestConfig
from workers.ingest.dates import numeric_order, parse_date

KNOWN_AS = {
    "doc_id": "docid documentid articleid storyid newsid id uid uuid guid accessionnumber accessionno an uri url link",
    "published": "published date publicationdate publisheddate pubdate publishedat datepublished publishdate "
    "publishedon publishedtime datetime day loaddate articledate pd timestamp created createdat "
    "datum erscheinungsdatum fecha",
    "text": "text body content fulltext articletext articlebody bodytext maintext articlecontent contenttext story "
    "article html bodyhtml contenthtml contentencoded rawtext transcript "
    "volltext inhalt texto texte",
    "title": "title headline hlead heading articletitle headlinemain hd subject titel überschrift titulo título titre",
    "source": "source publication newspaper outlet publisher sourcename publicationname journal paper site domain sn "
    "zeitung quelle fuente",
}
"""Names in small letters without spaces or signs, the likeliest first."""


def proposed(found: Iterable[str], given: Mapping[str, str]) -> dict[str, str]:
    """The file's name for each of our columns that is neither there nor mapped.

    Parameters
    ----------
    found : iterable of str
        Fields of the file.
    given : mapping
        Columns that the user has mapped.

    Examples
    --------
    >>> proposed(["Publication Date", "Body", "title"], {})
    {'published': 'Publication Date', 'text': 'Body'}
    """
    names = [name for name in found if name]
    plain = {_plain(name): name for name in reversed(names)}
    free = [column for column in COLUMNS if column not in given and column not in names]
    near = {column: [plain[word] for word in KNOWN_AS[column].split() if word in plain] for column in free}
    return {column: candidates[0] for column, candidates in near.items() if candidates}


def as_options(names: Mapping[str, str]) -> str:
    """As on a command line.

    >>> as_options({"published": "Publication Date"})
    "--field 'published=Publication Date'"
    """
    return " ".join(f"--field {shlex.quote(f'{ours}={theirs}')}" for ours, theirs in names.items())


def missing_fields(found: Sequence[str], config: IngestConfig) -> BrokenRuleError | None:
    """What to say of fields without those that every article needs, and which options would find them."""
    names = config.input_names
    missing = [names[column] for column in config.needed if names[column] not in found]
    if not missing:
        return None
    near = {column: name for column, name in proposed(found, config.names).items() if column in config.needed}
    hint = f" (try {as_options(near)})" if near else ""
    needed = ", ".join(names[column] for column in config.needed)
    have = ", ".join(map(str, found))[:200] or "no columns"
    return BrokenRuleError(f"a column for each of {needed} is needed{hint}", f"{have} (without {', '.join(missing)})")


def by_content(rows: Sequence[Mapping[str, Any]], wanted: Iterable[str], *, taken: Collection[str]) -> dict[str, str]:
    """The field that holds the dates or the texts, by its values: for columns whose names say nothing.

    Parameters
    ----------
    rows : sequence of mapping
        The first records.
    wanted : iterable of str
        `published` and `text`, or one of them.
    taken : collection of str
        Fields that other columns have.
    """
    fields = [name for name in dict.fromkeys(name for row in rows for name in row) if name and name not in taken]
    score = {"published": _share_of_dates, "text": _mean_length}
    least = {"published": 0.6, "text": 80.0}
    found: dict[str, str] = {}
    for column in wanted:
        free = [name for name in fields if name not in found.values()]
        best = max(free, key=lambda name: score[column](rows, name), default=None)
        if best is not None and score[column](rows, best) >= least[column]:
            found[column] = best
    return found


def _share_of_dates(rows: Sequence[Mapping[str, Any]], name: str) -> float:
    return sum(_can_be_date(row.get(name)) for row in rows) / max(1, len(rows))


def _can_be_date(value: Any) -> bool:
    if numeric_order(value) is not None:
        return True
    try:
        parse_date(value)
    except BrokenRuleError:
        return False
    return True


def _mean_length(rows: Sequence[Mapping[str, Any]], name: str) -> float:
    return sum(len(value) for row in rows if isinstance(value := row.get(name), str)) / max(1, len(rows))


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
