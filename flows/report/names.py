"""What to call the codes of a query: countries, actors, and pairs of who does it and to whom.

Covers: the name of a code, of actors crossed with countries, of `RUS>UKR`, and of nobody.
Not here: finding a code by its name (`flows.jobs.choosing`).
"""

from collections.abc import Iterator, Mapping

from calib_core.events import Lexicon, Query
from calib_core.events.dyads import ANY_TARGET, parted
from calib_core.events.lexicon import MASK
from calib_core.events.query import NOBODY

NO_AGENT, NO_TARGET = "Nobody named", "no code"
"""The names of `-`: an event whose agent the text does not name; a target without a code."""


def country_names(lexicon: Lexicon) -> dict[str, str]:
    """The first name of each code, as the lexicon writes it."""
    names: dict[str, str] = {}
    for entry in lexicon.entries:
        if entry.type == "name":
            names.setdefault(entry.code, entry.form)
    return names


def actor_names(lexicon: Lexicon) -> dict[str, str]:
    """The same for a lexicon of common nouns: its first word for each code, as a name."""
    names: dict[str, str] = {}
    for entry in lexicon.entries:
        if entry.type == "noun" and entry.code != MASK:
            names.setdefault(entry.code, entry.form[:1].upper() + entry.form[1:])
    return names


class Names(Mapping[str, str]):
    """Name of every word that a row of a query may have; a word that it does not know stands for itself.

    Iteration and length are those of the plain codes.

    >>> names = Names(Query.from_yaml("attack-dyads"))
    >>> names["UKR"], names["RUS>UKR"], names["RUS>-"], names["->UKR"]
    ('Ukraine', 'Russia → Ukraine', 'Russia → no code', 'Nobody named → Ukraine')
    """

    def __init__(self, query: Query) -> None:
        language = query.language
        lexicons = [language.targets.lexicon] if language.targets else []
        lexicons += [language.actors] if language.actors else []
        self._names: dict[str, str] = {}
        for lexicon in (*lexicons, query.lexicon):
            self._names |= actor_names(lexicon) | country_names(lexicon)

    def __getitem__(self, word: str) -> str:
        """The name of a code, of `COUNTRY.ACTOR`, or of `AGENT>TARGET`."""
        agent, target = parted(word)
        name = NO_AGENT if agent == NOBODY else self._crossed(agent)
        if target == ANY_TARGET:
            return name
        return f"{name} → {NO_TARGET if target == NOBODY else self._crossed(target)}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _crossed(self, code: str) -> str:
        return " ".join(self._names.get(part, part) for part in code.split("."))
