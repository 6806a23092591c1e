"""What the codes of a lexicon are called.

Covers: a name for each code that a coder may choose, and the words by which it is found.
Not here: the lexicon itself (`calib_core.events.lexicon`).
"""

from dataclasses import dataclass

from calib_core.events import Lexicon, Query
from calib_core.events.lexicon import MASK
from calib_core.events.query import NOBODY
from flows.report.names import country_names

UNNAMED = "Somebody without a code"
"""Where the text names nobody, or nobody of the lexicon."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A code that an answer may contain: its name, its words in the lexicon, whether it can be agent or target."""

    code: str
    name: str
    words: tuple[str, ...]
    agent: bool
    target: bool


def choices(query: Query) -> tuple[Choice, ...]:
    """Codes that the query reports, by name. One that was merged into another is found by its words too."""
    agents = _words(query, query.lexicon, query.countries)
    aimed_at = query.language.targets
    targets = {} if aimed_at is None else _words(query, aimed_at.lexicon, aimed_at.countries)
    names = country_names(query.lexicon) | ({} if aimed_at is None else country_names(aimed_at.lexicon))
    found = [
        Choice(code, names.get(code, _title(forms[0])), tuple(forms), code in agents, code in targets)
        for code, forms in (targets | agents).items()
    ]
    if query.language.unattributed or aimed_at is not None:
        found.append(Choice(NOBODY, UNNAMED, (), query.language.unattributed, aimed_at is not None))
    return tuple(sorted(found, key=lambda choice: (choice.name.casefold(), choice.code)))


def _words(query: Query, lexicon: Lexicon, asked: frozenset[str]) -> dict[str, list[str]]:
    """The words of each code that is asked for; no codes: of all."""
    words: dict[str, list[str]] = {}
    for entry in lexicon.entries:
        code = query.recode(entry.code)
        if entry.code != MASK and (not asked or code in asked):
            words.setdefault(code, []).append(entry.form)
    return words


def _title(form: str) -> str:
    """A common noun as a name: "police" as "Police"."""
    return form[:1].upper() + form[1:]
