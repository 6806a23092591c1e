"""Which words of an article bear on the question: those of the lexicon and those of the query, by spelling alone.

Covers: finding them in raw text, cutting the text into marked stretches, the codes found, in order of appearance.
Not here: what a model makes of them. No parser, no score and no gate is asked, so the marks of two articles differ only
by their words, and a mark never tells a coder what the model answered.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from calib_core.events import Query
from calib_core.events.letter_case import LetterCase, letter_case
from calib_core.events.lexicon import MASK, Entry, Lexicon
from calib_core.events.pieces import composed, fold

PLAIN, NAME, EVENT = "", "name", "event"

_PIECE = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(r"[\s.,'’\-‐‑–/&]{0,3}")
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*|\n(?=[ \t]{2,}\S)")
HARD_WRAP = 100
"""A line longer than this was not wrapped to fit a screen, so it is a paragraph of its own."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text: words of the lexicon (`NAME`, with their code), of the query (`EVENT`), or others."""

    text: str
    kind: str = PLAIN
    code: str = ""


@dataclass(frozen=True, slots=True)
class Marked:
    """Paragraphs cut into stretches, and the codes that are named, in order of first appearance."""

    paragraphs: tuple[tuple[Stretch, ...], ...]
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Search:
    """What is looked for: the words of the question, and those of its lexica as they are used in this article."""

    query: Query
    lexica: tuple[Lexicon, ...]
    year: int | None
    any_case: bool


def marked(text: str, query: Query, year: int | None) -> Marked:
    """Cut a text into paragraphs and marked stretches; together they hold the whole text."""
    any_case = query.language.case == "article" and letter_case(text) is LetterCase.SMALL
    search = _Search(query, _lexica(query), year, any_case)
    paragraphs = tuple(tuple(_stretches(part, search)) for part in _paragraphs(composed(text)))
    codes = dict.fromkeys(stretch.code for part in paragraphs for stretch in part if stretch.kind == NAME)
    return Marked(paragraphs, tuple(codes))


def _lexica(query: Query) -> tuple[Lexicon, ...]:
    """The query's lexicon, and those of its actors and targets where they are others."""
    actors, targets = query.language.actors, query.language.targets
    others = (actors, None if targets is None else targets.lexicon)
    return tuple(dict.fromkeys([query.lexicon, *(lexicon for lexicon in others if lexicon is not None)]))


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs, each on one line; line breaks that only fitted the text to a screen are undone."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    long_lines = any(len(line) > HARD_WRAP for line in text.split("\n"))
    parts = text.split("\n") if long_lines else _PARAGRAPH.split(text)
    yield from (line for part in parts if (line := re.sub(r"\s+", " ", part).strip()))


def _stretches(text: str, search: _Search) -> Iterator[Stretch]:
    """Plain and marked parts in turn."""
    shown = 0
    for start, end, kind, code in _marks(text, search):
        if start > shown:
            yield Stretch(text[shown:start])
        yield Stretch(text[start:end], kind, code)
        shown = end
    if shown < len(text):
        yield Stretch(text[shown:])


def _marks(text: str, search: _Search) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, kind and code of each mark, left to right."""
    pieces = list(_PIECE.finditer(text))
    at = 0
    while at < len(pieces):
        length, entry = _longest(text, pieces, at, search)
        end = pieces[at + length - 1].end()
        if entry is not None and entry.code != MASK:
            end += text[end : end + 1] == "." and entry.form.endswith(".")
            yield pieces[at].start(), end, NAME, search.query.recode(entry.code)
        elif entry is None and fold(pieces[at].group()) in search.query.telling:
            yield pieces[at].start(), end, EVENT, ""
        at += length


def _longest(text: str, pieces: list[re.Match[str]], at: int, search: _Search) -> tuple[int, Entry | None]:
    """Number of pieces and entry of the longest form that begins here; (1, None) where none does."""
    first = fold(pieces[at].group())
    most = min(max(lexicon.longest.get(first, 0) for lexicon in search.lexica), len(pieces) - at)
    for length in range(most, 0, -1):
        window = pieces[at : at + length]
        gaps = [text[a.end() : b.start()] for a, b in pairwise(window)]
        if not all(_BETWEEN.fullmatch(gap) for gap in gaps):
            continue
        words = [piece.group() for piece in window]
        found = (lexicon.find(words, search.year, any_case=search.any_case) for lexicon in search.lexica)
        entry = next((entry for entry in found if entry is not None), None)
        if entry is not None and ("," in entry.form or not any("," in gap for gap in gaps)):
            return length, entry
    return 1, None
