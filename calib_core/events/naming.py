"""Which tokens name a country.

Forms of the lexicon are found in runs of pieces, longest first. A word that names a person or a town instead is passed
over where its neighbours say so: as part of a longer name ("Chad Smith"), after a title ("Mr. Jordan"), before a state
of the U.S. ("Lebanon, Pa."), after a prefix that turns it round ("anti-Iraq"). A bare surname later in the text
("Jordan scored") is not told from the country.

Covers: codes of tokens, by each lexicon of a query.
Not here: the words themselves (`lexicon`), what a mention is described as (`affiliation`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.document import Document
from calib_core.events.american_states import ABBREVIATIONS, NAMES
from calib_core.events.letter_case import LetterCase, letter_case
from calib_core.events.lexicon import MASK, NOUN, Entry, Lexicon
from calib_core.events.pieces import fold, free_standing, separated
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


def token_names(tree: Tree, query: Query, year: int | None) -> TokenNames:
    """What the tokens name by each lexicon of the query; a lexicon that serves twice is searched once."""
    n = len(tree.document)
    nothing = np.full(n, NONE, dtype=np.int64)
    bare = np.zeros(n, dtype=np.bool_)
    any_case = query.language.case == "article" and letter_case(tree.document.words) is LetterCase.SMALL
    entries = _named(tree, query.lexicon, year, any_case=any_case)
    for tokens, entry in entries:
        bare[tokens] = entry.type == "name"
    actors, targets = query.language.actors, query.language.targets
    acting = [] if actors is None else _named(tree, actors, year, any_case=any_case)
    aimed_at = entries
    if targets is not None and targets.lexicon is not query.lexicon:
        aimed_at = _named(tree, targets.lexicon, year, any_case=any_case)
    return TokenNames(
        country=_positions(n, entries, query.codes, query),
        actor=_positions(n, acting, query.actor_codes, query) if acting else nothing,
        target=nothing if targets is None else _positions(n, aimed_at, query.target_codes, query),
        bare=bare,
    )


def token_countries(tree: Tree, query: Query, year: int | None) -> Ints:
    """For each token the position in `query.codes` of the country whose name it is part of, or `NONE`."""
    return token_names(tree, query, year).country


Named = list[tuple[list[int], Entry]]
"""Entries of a lexicon with the tokens that they cover."""


def _positions(n_tokens: int, entries: Named, codes: tuple[str, ...], query: Query) -> Ints:
    """Entries as a position in the codes for each token."""
    found = np.full(n_tokens, NONE, dtype=np.int64)
    position = {code: index for index, code in enumerate(codes)}
    for tokens, entry in entries:
        found[tokens] = position[query.recode(entry.code)]
    return found


def _named(tree: Tree, lexicon: Lexicon, year: int | None, *, any_case: bool) -> Named:
    """Every entry that the document's words stand for."""
    found = []
    for run in _runs(tree.document):
        start = 0
        while start < len(run):
            length, entry = _longest(run, start, tree.document, lexicon, year, any_case=any_case)
            tokens = [piece.token for piece in run[start : start + length]]
            if entry is not None and entry.code != MASK and not _names_another(tree, run, start, tokens, entry):
                found.append((tokens, entry))
            start += length
    return found


def _runs(document: Document) -> list[list[_Piece]]:
    """Pieces of the document, cut where no form may continue: at sentence ends, punctuation and glued tokens."""
    runs: list[list[_Piece]] = [[]]
    free = free_standing(document)
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


def _names_another(tree: Tree, run: list[_Piece], start: int, tokens: list[int], entry: Entry) -> bool:
    """Whether the form, which takes these tokens, is part of a person's name or the name of a town.

    A noun is no name: "Constable Singh" is a constable.
    """
    if entry.type == NOUN:
        return False
    titled = start > 0 and fold(run[start - 1].text) in _HONORIFICS and "," not in run[start].before
    name = set(tree.subtree_by(tree.top(tokens[0], "flat"), "flat"))
    return titled or not name <= set(tokens) or _before_state(tree.document, run, start + len(tokens))


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
