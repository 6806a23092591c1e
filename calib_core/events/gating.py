"""Which raw texts can matter to a query at all: the test that saves most of the parsing.

A document counts only if some token is a verb form of the query and some tokens are a form of its lexicon. Both are
made of pieces (`pieces`) that stand free in the text, so a text without such a verb, or without the pieces of any form
one after another, cannot count under any tokenisation, parse or clustering. The reverse does not hold: the gate lets
through what it cannot exclude.

Covers: compiling a query into searches over bytes, and running them.
Not here: what happens to documents that pass.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ahocorasick_rs import BytesAhoCorasick, MatchKind

from calib_core.events.letter_case import LetterCase, letter_case
from calib_core.events.lexicon import MASK
from calib_core.events.pieces import composed, fold, folded_pieces, pieces
from calib_core.events.query import Query

_NOTHING = re.compile(r"(?!)")
"""Finds nothing in any text."""

_BETWEEN = "[^0-9A-Za-z]+"
_WORD_BYTES = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


def _encoded(text: str) -> bytes:
    """UTF-8; lone surrogates, which broken archives contain, pass through."""
    return text.encode("utf-8", "surrogatepass")


FOLD_TO_ASCII = "ßİŉſǰẖẗẘẙẚẞ\N{KELVIN SIGN}ﬀﬁﬂﬃﬄﬅﬆ"
"""Characters beyond ASCII that contain an ASCII letter once case is folded: a ligature in "ﬁred" is the common one."""

_ODD = BytesAhoCorasick([_encoded(character) for character in FOLD_TO_ASCII])


class Words:
    """Searches bytes for any of many words that have no ASCII letter or digit beside them.

    A byte beyond ASCII beside a match does not rule it out: it may be a letter or a dash, and passing is safe.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(sorted(set(words)))
        # Of two words that begin at one place, only the longest can end at a boundary.
        self._automaton = BytesAhoCorasick([_encoded(word) for word in self.words], matchkind=MatchKind.LeftmostLongest)

    def __reduce__(self) -> tuple[type["Words"], tuple[tuple[str, ...]]]:
        """Pickle as the words; the automaton is built anew."""
        return Words, (self.words,)

    def found_in(self, text: bytes) -> bool:
        """Whether one of the words stands free in the text."""
        for _, start, end in self._automaton.find_matches_as_indexes(text):
            begins = start == 0 or text[start - 1] not in _WORD_BYTES
            if begins and (end == len(text) or text[end] not in _WORD_BYTES):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Gate:
    """A compiled query: call it with a text.

    Words of one piece are searched for by automaton, longer ones by regular expression and only where no shorter one
    was found, which is rare in news. Abbreviations go by the text as it is, all else without case.
    """

    verbs: Words
    names: Words
    abbreviations: Words
    long_names: re.Pattern[str]
    long_abbreviations: re.Pattern[str]
    needs_name: bool = True
    small_abbreviations: re.Pattern[str] = _NOTHING

    @classmethod
    def of(cls, query: Query) -> "Gate":
        """Compile the words of a query."""
        wanted = [entry for entry in query.lexicon.entries if entry.code != MASK and _asked_for(query, entry.code)]
        names = {
            folded_pieces(form) for entry in wanted if entry.type != "abbreviation" for form in entry.number_forms()
        }
        abbreviations = {pieces(entry.form) for entry in wanted if entry.type == "abbreviation"}
        return cls(
            verbs=Words(query.triggers),
            names=Words(form[0] for form in names if len(form) == 1),
            abbreviations=Words(form[0] for form in abbreviations if len(form) == 1),
            long_names=_any_of(form for form in names if len(form) > 1),
            long_abbreviations=_any_of(form for form in abbreviations if len(form) > 1),
            needs_name=query.needs_name,
            small_abbreviations=_any_of(
                {tuple(map(fold, form)) for form in abbreviations if query.language.case == "article"}
            ),
        )

    def __call__(self, text: str) -> bool:
        """False only if the document cannot count in any sample."""
        return self.missing(text) is None

    def missing(self, text: str) -> str | None:
        """What a text lacks to count in any sample: "verb", or else "country"; None if it may count."""
        if not self._has_verb(text):
            return "verb"
        if not self.needs_name:
            return None
        small = self.small_abbreviations is not _NOTHING and letter_case(text) is LetterCase.SMALL
        text = composed(text)
        folded = text.casefold()
        named = (
            self.names.found_in(_encoded(folded))
            or self.abbreviations.found_in(_encoded(text))
            or self.long_abbreviations.search(text) is not None
            or self.long_names.search(folded) is not None
            or (small and self.small_abbreviations.search(folded) is not None)
        )
        return None if named else "country"

    def _has_verb(self, text: str) -> bool:
        """Folding ASCII alone is many times faster and suffices, unless the text has one of a few odd characters."""
        raw = _encoded(text)
        if self.verbs.found_in(raw.lower()):
            return True
        odd = not text.isascii() and _ODD.find_matches_as_indexes(raw)
        return bool(odd) and self.verbs.found_in(_encoded(fold(text)))


def gate(text: str, query: Query | None = None) -> bool:
    """Whether a raw text could count for a query (by default `attack`), whatever parser and clustering say.

    Examples
    --------
    >>> gate("Iraq ATTACKED at dawn."), gate("Iraq protested."), gate("They attacked.")
    (True, False, False)
    """
    return _compiled(query or _default())(text)


@lru_cache(maxsize=32)
def _compiled(query: Query) -> Gate:
    """Compile each query once."""
    return Gate.of(query)


@lru_cache(maxsize=1)
def _default() -> Query:
    """The paper's query."""
    return Query.from_yaml("attack")


def _asked_for(query: Query, code: str) -> bool:
    """Whether a word of this code can make a document count."""
    return not query.countries or query.recode(code) in query.countries


def _any_of(forms: Iterable[tuple[str, ...]]) -> re.Pattern[str]:
    """Any of these forms, with something other than ASCII letters and digits around and between its pieces."""
    by_first: dict[str, list[str]] = {}
    for first, *others in sorted(forms):
        by_first.setdefault(re.escape(first), []).append("".join(_BETWEEN + re.escape(piece) for piece in others))
    alternatives = [f"{first}(?:{'|'.join(rest)})" for first, rest in by_first.items()]
    if not alternatives:
        return _NOTHING
    return re.compile(f"(?<![0-9A-Za-z])(?:{'|'.join(alternatives)})(?![0-9A-Za-z])")
