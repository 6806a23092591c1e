"""Which tokens name a country.

Forms of the lexicon are found in runs of pieces, longest first. A word that names a person or a town instead is passed
over where its neighbours say so: as part of a longer name ("Chad Smith"), after a title ("Mr. Jordan"), before a state
of the U.S. ("Lebanon, Pa."), after a prefix that turns it round ("anti-Iraq"). A bare surname later in the text
("Jordan scored") is not told from the country.

Covers: codes of tokens, by each lexicon of a query.
Not here: the words themselves (`lexicon`), what a mention is described as (`affiliation`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.document import Document
from calib_core.events.american_states import ABBREVIATIONS, NAMES
from calib_core.events.letter_case import LetterCase, letter_case
from calib_core.events.lexicon import MASK, NOUN, Entry, Lexicon
from calib_core.events.pieces import fold, separated
from calib_core.events.query import Query
from calib_core.events.tree import Tree

NONE = -1
"""Country of a token or mention that names none."""

_NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "X", "_"})
_HYPHENS = frozenset("-‐‑–")
_JOINERS = _HYPHENS | frozenset(".'’,")
_PREFIXES = frozenset({"anti", "non", "ex", "pro"})
_TITLES = "mr mrs ms miss dr sir prof professor judge sen senator rep congressman congresswoman gov"
_HONORIFICS = frozenset(_TITLES.split())


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a token, what stands before it in the run, and whether a form may begin or end with it."""

    text: str
    before: str
    token: int
    opens: bool
    closes: bool


@dataclass(frozen=True, slots=True)
class TokenNames:
    """What each token names; arrays have shape (n_tokens,).

    Attributes
    ----------
    country : Ints
        Position in `query.codes`, or `NONE`.
    actor : Ints
        Position in `query.actor_codes`, or `NONE`.
    target : Ints
        Position in `query.target_codes`, or `NONE`.
    bare : Bools
        Whether the token is a name as such ("Libya"), not an adjective, demonym, abbreviation or noun.
    """

    country: Ints
    actor: Ints
    target: Ints
    bare: Bools

    @property
    def coded(self) -> Bools:
        """Whether the token names an agent's country or actor."""
        return np.asarray((self.country != NONE) | (self.actor != NONE))


@dataclass(frozen=True, slots=True)
class Said:
    """A form of a lexicon in a document: the tokens that it covers, and what it stands for.

    `is_name`: whether a part of a longer name ("Chad Smith") says that it is a person, which the tree decides.
    """

    tokens: tuple[int, ...]
    entry: Entry

    @property
    def is_name(self) -> bool:
        """A noun is no name: "Constable Singh" is a constable."""
        return self.entry.type != NOUN


@dataclass(frozen=True, slots=True)
class LexiconWords:
    """Where a document says words of a query's lexicons: all that can be known before any tree is looked at."""

    countries: tuple[Said, ...]
    actors: tuple[Said, ...]
    targets: tuple[Said, ...]

    @property
    def tokens(self) -> set[int]:
        """All tokens that may name something."""
        return {token for part in (self.countries, self.actors, self.targets) for said in part for token in said.tokens}

    def kept(self, tree: Tree) -> "LexiconWords":
        """Those among the tree's tokens that are not part of somebody's longer name."""
        return LexiconWords(*(_kept(tree, part) for part in (self.countries, self.actors, self.targets)))


def lexicon_words(document: Document, free: Bools, query: Query, year: int | None) -> LexiconWords:
    """Search a document by each lexicon of the query; a lexicon that serves twice is searched once."""
    any_case = query.language.case == "article" and letter_case(document.words) is LetterCase.SMALL
    runs = _runs(document, free)
    countries = _said(document, runs, query.lexicon, year, any_case=any_case)
    actors, targets = query.language.actors, query.language.targets
    acting = () if actors is None else _said(document, runs, actors, year, any_case=any_case)
    aimed_at = () if targets is None else countries
    if targets is not None and targets.lexicon is not query.lexicon:
        aimed_at = _said(document, runs, targets.lexicon, year, any_case=any_case)
    return LexiconWords(countries, acting, aimed_at)


def names_by(n_tokens: int, words: LexiconWords, query: Query) -> TokenNames:
    """What the tokens of a document name by these words."""
    bare = np.zeros(n_tokens, dtype=np.bool_)
    for said in words.countries:
        bare[list(said.tokens)] = said.entry.type == "name"
    return TokenNames(
        country=_positions(n_tokens, words.countries, query.codes, query),
        actor=_positions(n_tokens, words.actors, query.actor_codes, query),
        target=_positions(n_tokens, words.targets, query.target_codes, query),
        bare=bare,
    )


def token_names(tree: Tree, query: Query, year: int | None) -> TokenNames:
    """What the tokens name by each lexicon of the query."""
    return names_by(len(tree.document), lexicon_words(tree.document, tree.free, query, year).kept(tree), query)


def token_countries(tree: Tree, query: Query, year: int | None) -> Ints:
    """For each token the position in `query.codes` of the country whose name it is part of, or `NONE`."""
    return token_names(tree, query, year).country


def _positions(n_tokens: int, words: Iterable[Said], codes: tuple[str, ...], query: Query) -> Ints:
    """A position in the codes for each token."""
    found = np.full(n_tokens, NONE, dtype=np.int64)
    for said in words:
        found[list(said.tokens)] = codes.index(query.recode(said.entry.code))
    return found


def _kept(tree: Tree, words: tuple[Said, ...]) -> tuple[Said, ...]:
    return tuple(
        said for said in words if said.tokens[0] in tree.tokens and not (said.is_name and _in_a_name(tree, said))
    )


def _in_a_name(tree: Tree, said: Said) -> bool:
    return not set(tree.subtree_by(tree.top(said.tokens[0], "flat"), "flat")) <= set(said.tokens)


def _said(
    document: Document, runs: list[list[_Piece]], lexicon: Lexicon, year: int | None, *, any_case: bool
) -> tuple[Said, ...]:
    """Every entry that the document's words stand for, by the words alone."""
    found = []
    for run in runs:
        start = 0
        while start < len(run):
            length, entry = _longest(run, start, document, lexicon, year, any_case=any_case)
            if entry is not None and entry.code != MASK:
                said = Said(tuple(piece.token for piece in run[start : start + length]), entry)
                if not (said.is_name and _names_another(document, run, start, length)):
                    found.append(said)
            start += length
    return tuple(found)


def _runs(document: Document, free: Bools) -> list[list[_Piece]]:
    """Pieces of the document, cut where no form may continue: at sentence ends, punctuation and glued tokens."""
    runs: list[list[_Piece]] = [[]]
    before = ""
    for token, word in enumerate(document.words):
        parts, after = separated(word)
        sentence_starts = token > 0 and document.sentences[token] != document.sentences[token - 1]
        if sentence_starts or not free[token] or (not parts and not set(word) <= _JOINERS):
            runs.append([])
            before = ""
        if free[token]:
            possessive = len(parts) > 1 and fold(parts[-1][1]) == "s" and word[-2:-1] in ("'", "’")
            last = len(parts) - (2 if possessive else 1)
            for i, (between, text) in enumerate(parts):
                runs[-1].append(_Piece(text, before + between, token, i == 0, i >= last))
                before = ""
        before += after
    return runs


def _longest(
    run: list[_Piece], start: int, document: Document, lexicon: Lexicon, year: int | None, *, any_case: bool
) -> tuple[int, Entry | None]:
    """Number of pieces and entry of the longest form that begins at `start`; (1, None) where none does.

    A form that means nothing in that year takes its pieces with it, and has no entry.
    """
    if not run[start].opens or _prefixed(run, start):
        return 1, None
    for length in range(min(lexicon.longest.get(fold(run[start].text), 0), len(run) - start), 0, -1):
        window = run[start : start + length]
        if not window[-1].closes or not _may_name(window, document):
            continue
        words = [piece.text for piece in window]
        entry = lexicon.find(words, year, any_case=any_case)
        comma = any("," in piece.before for piece in window[1:])
        if comma and (entry is None or "," not in entry.form):
            continue
        if entry is not None or lexicon.knows(words):
            return length, entry
    return 1, None


def _may_name(window: list[_Piece], document: Document) -> bool:
    """A single token must be tagged as a noun or adjective, which tells "US" from a shouted "us"."""
    return window[0].token != window[-1].token or document.upos[window[0].token] in _NOMINAL


def _prefixed(run: list[_Piece], start: int) -> bool:
    """Whether a prefix and a hyphen come before: "anti-Iraq", however it is cut into tokens."""
    return start > 0 and fold(run[start - 1].text) in _PREFIXES and bool(set(run[start].before) & _HYPHENS)


def _names_another(document: Document, run: list[_Piece], start: int, length: int) -> bool:
    """Whether the words around a form say that it is a person's name or that of a town."""
    titled = start > 0 and fold(run[start - 1].text) in _HONORIFICS and "," not in run[start].before
    return titled or _before_state(document, run, start + length)


def _before_state(document: Document, run: list[_Piece], after: int) -> bool:
    """Whether a comma and a state of the U.S. follow; an abbreviation must have its point ("Miss." is not "Miss")."""
    if after >= len(run) or "," not in run[after].before:
        return False
    for length in (2, 1):
        window = run[after : after + length]
        words = tuple(piece.text for piece in window)
        last = window[-1].token
        point = document.words[last].endswith(".") or document.words[last + 1 : last + 2] == (".",)
        if words in NAMES or (words in ABBREVIATIONS and point):
            return True
    return False
