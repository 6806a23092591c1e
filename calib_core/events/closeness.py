"""Which gated-out texts come close to a query: where the events are that its verbs and parses cannot see.

A text is close when it has a query verb but no actor, or a word of the query's field ("invasion", "gunfire") together
with an actor's word. Labelled samples give such texts a stratum of their own, because most of what a query misses is
there.

Covers: the words of a field, the test, and the codes that a text names at all.
Not here: the gate (`gating`), drawing samples (`calib_core.anchoring.design`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from ahocorasick_rs import BytesAhoCorasick

from calib_core.events.gating import Gate
from calib_core.events.lexicon import MASK
from calib_core.events.pieces import fold, pieces
from calib_core.events.query import Query
from calib_core.events.reading import read_text

_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
_SHORTEST = 4  # letters of a stem: "fir" would match "first"
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")


@dataclass(frozen=True, slots=True)
class Closeness:
    """A compiled query: call it with a text that the gate refused."""

    query: Query
    gate: Gate
    stems: tuple[str, ...]
    search: BytesAhoCorasick

    @classmethod
    def of(cls, query: Query, more: Iterable[str] = ()) -> "Closeness":
        """Compile the stems of the query's verbs, of its fields, and those that a user adds."""
        stems = tuple(sorted({*field_stems(query), *(fold(stem) for stem in more)}))
        return cls(query, Gate.of(query), stems, BytesAhoCorasick([stem.encode() for stem in stems]))

    def __call__(self, text: str, year: int | None) -> bool:
        """Whether a gated-out text comes close."""
        if self.gate.missing(text) == "country":  # a verb of the query, and no actor was found
            return True
        return self.in_field(text) and bool(named_codes(text, self.query, year))

    def in_field(self, text: str) -> bool:
        """Whether a word of the text begins with a stem."""
        folded = fold(text).encode("utf-8", "surrogatepass")
        starts = (start for _, start, _ in self.search.find_matches_as_indexes(folded, overlapping=True))
        return any(start == 0 or folded[start - 1] not in _LETTERS for start in starts)


def field_stems(query: Query) -> frozenset[str]:
    """Stems of the query's verbs, and of every field that one of its verbs belongs to.

    >>> sorted(field_stems(Query.from_yaml("visit")) & {"visit", "tour", "summit", "bomb"})
    ['summit', 'tour', 'visit']
    """
    own = {stem if len(stem := _ENDING.sub("", form)) >= _SHORTEST else form for form in query.forms}
    for stems in _fields().values():
        if any(form.startswith(tuple(stems)) for form in query.forms):
            own |= stems
    return frozenset(own)


def named_codes(text: str, query: Query, year: int | None) -> frozenset[str]:
    """Codes that the query could report and whose words stand in the text, whatever they do there.

    >>> sorted(named_codes("Soviet and U.S. officials met.", Query.from_yaml("attack"), 1987))
    ['SUN', 'USA']
    """
    words, lexicon, found, start = pieces(text), query.lexicon, set(), 0
    while start < len(words):
        longest = min(lexicon.longest.get(fold(words[start]), 0), len(words) - start)
        step = 1
        for length in range(longest, 0, -1):
            window = words[start : start + length]
            entry = lexicon.find(window, year)
            if entry is not None:
                found.add(entry.code)
            if entry is not None or lexicon.knows(window):
                step = length
                break
        start += step
    codes = {query.recode(code) for code in found - {MASK}}
    return frozenset(codes & query.countries if query.countries else codes)


@cache
def _fields() -> dict[str, frozenset[str]]:
    """Stems of each field that comes with the package."""
    lines = read_text(Path(str(files("calib_core.events") / "fields.tsv"))).splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")][1:]
    return {field: frozenset(stem for name, stem in rows if name == field) for field, _ in rows}
