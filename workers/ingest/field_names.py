"""Which of a file's fields hold our columns.

Covers: names that exports and scrapers use for id, date, text, title and source; the options that map them.
Not here: what the values must be (`workers.ingest.records`).
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.config import COLUMNS, IngestConfig

KNOWN_AS = {
    "doc_id": "docid documentid articleid storyid newsid id uid uuid guid accessionnumber accessionno an uri url link",
    "published": "published date publicationdate publisheddate pubdate publishedat datepublished publishdate "
    "publishedon publishedtime datetime day loaddate articledate pd timestamp created createdat",
    "text": "text body content fulltext articletext articlebody bodytext maintext articlecontent contenttext story "
    "article html bodyhtml contenthtml rawtext transcript",
    "title": "title headline hlead heading articletitle headlinemain hd subject",
    "source": "source publication newspaper outlet publisher sourcename publicationname journal paper site domain sn",
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


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
