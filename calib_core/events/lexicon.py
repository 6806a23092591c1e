"""Words that name countries and other actors, the codes they stand for, and the years in which they do.

Covers: reading lexicon files, checking them, looking up a run of words.
Not here: finding the runs in a document (`affiliation`), searching raw text (`gating`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path

from calib_core.events.pieces import fold, folded_pieces, pieces
from calib_core.events.plurals import plural
from calib_core.events.reading import read_text

COLUMNS = ("code", "kind", "form", "type", "from", "to")
KINDS = frozenset({"state", "observer", "former", "territory", "actor", "organisation", "role", "none"})
NOUN = "noun"
"""Type of words that are no names ("police"): they need no capital, and their plural comes with them."""
TYPES = frozenset({"name", "adjective", "demonym", "abbreviation", NOUN})
MASK = "-"
"""Code of phrases that contain a country's word and do not mean it ("Latin American")."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a lexicon: `form` means `code` in texts of the years `first` to `last`, both included."""

    code: str
    kind: str
    form: str
    type: str
    first: int | None
    last: int | None
    source: str

    def holds(self, year: int) -> bool:
        """Whether the form has this meaning in a text of that year."""
        return (self.first is None or self.first <= year) and (self.last is None or year <= self.last)

    def overlaps(self, other: "Entry") -> bool:
        """Whether both meanings hold in some common year."""
        first = max(self.first or 0, other.first or 0)
        last = min(self.last or 9999, other.last or 9999)
        return first <= last

    def number_forms(self) -> tuple[str, ...]:
        """The form, and for a noun its plural."""
        return (self.form, plural(self.form)) if self.type == NOUN else (self.form,)

    def spelled(self, words: tuple[str, ...], *, any_case: bool = False) -> bool:
        """Whether pieces that are equal without case are written as this entry demands."""
        if any_case or self.type == NOUN:
            return True
        if self.type == "abbreviation":
            return words == pieces(self.form)
        return any(word != word.lower() for word in words)


@dataclass(frozen=True, eq=False)
class Lexicon:
    """A set of entries in which no word has two codes in one year.

    Examples
    --------
    >>> Lexicon.bundled().code("Congo", year=1990), Lexicon.bundled().code("Congo", year=2005)
    ('COG', 'COD')
    """

    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        """Refuse a word that has two codes in the same year."""
        for alternatives in self.index.values():
            _refuse_conflicts(alternatives)

    @classmethod
    def bundled(cls, name: str = "countries") -> "Lexicon":
        """A lexicon that comes with the package; see `bundled_lexicons`."""
        return _bundled(name)

    @classmethod
    def from_tsv(cls, path: str | Path) -> "Lexicon":
        """Read a file in the layout of the bundled `countries.tsv`, which explains itself."""
        return cls(tuple(read_entries(Path(path))))

    def extended(self, other: "Lexicon") -> "Lexicon":
        """Add the entries of another lexicon; contradictions between the two are errors."""
        return Lexicon(self.entries + other.entries)

    @cached_property
    def index(self) -> dict[tuple[str, ...], tuple[Entry, ...]]:
        """Entries by their folded pieces."""
        found: dict[tuple[str, ...], list[Entry]] = {}
        for entry in self.entries:
            for form in entry.number_forms():
                found.setdefault(folded_pieces(form), []).append(entry)
        return {words: tuple(alternatives) for words, alternatives in found.items()}

    @cached_property
    def longest(self) -> dict[str, int]:
        """For each folded first piece, the number of pieces of the longest form that begins with it."""
        lengths: dict[str, int] = {}
        for words in self.index:
            lengths[words[0]] = max(lengths.get(words[0], 0), len(words))
        return lengths

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """All codes in alphabetical order, the mask left out."""
        return tuple(sorted({entry.code for entry in self.entries} - {MASK}))

    def find(self, words: Sequence[str], year: int | None, *, any_case: bool = False) -> Entry | None:
        """The entry that these pieces, as written, stand for in a text of that year.

        Without a year, a word answers only if it has had one meaning throughout. `any_case` is for articles in small
        letters, where no name has its capital.
        """
        spelled = tuple(words)
        possible = self.index.get(tuple(map(fold, spelled)), ())
        possible = tuple(entry for entry in possible if entry.spelled(spelled, any_case=any_case))
        if year is not None:
            return next((entry for entry in possible if entry.holds(year)), None)
        return possible[0] if len({entry.code for entry in possible}) == 1 else None

    def knows(self, words: Sequence[str]) -> bool:
        """Whether these pieces, as written, are a form in some year, so that shorter forms inside say nothing.

        "French Guinea" holds neither the French nor Guinea. A form with "and" does hold its parts: Serbia and
        Montenegro are two countries in the years in which they are not one.
        """
        spelled = tuple(words)
        folded = tuple(map(fold, spelled))
        return "and" not in folded and any(entry.spelled(spelled) for entry in self.index.get(folded, ()))

    def code(self, form: str, *, year: int | None = None) -> str | None:
        """Code of a form as it would be written in a text, or None."""
        entry = self.find(pieces(form), year)
        return None if entry is None or entry.code == MASK else entry.code


@cache
def _bundled(name: str) -> Lexicon:
    """Read once: every query shares it."""
    if name not in bundled_lexicons():
        raise ValueError(f"unknown lexicon {name!r}; bundled are {', '.join(bundled_lexicons())}")
    return Lexicon.from_tsv(Path(str(files("calib_core.events") / "lexicons" / f"{name}.tsv")))


def bundled_lexicons() -> tuple[str, ...]:
    """Names of the lexicons that come with the package."""
    folder = files("calib_core.events") / "lexicons"
    return tuple(sorted(item.name.removesuffix(".tsv") for item in folder.iterdir() if item.name.endswith(".tsv")))


def read_entries(path: Path) -> Iterable[Entry]:
    """Entries of one file, in order; every fault names file, line and value."""
    header: tuple[str, ...] | None = None
    empty = True
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = tuple(line.split("\t"))
        if header is None:
            header = fields
            if header != COLUMNS:
                raise ValueError(f"{path}:{number}: columns must be {', '.join(COLUMNS)}; got {', '.join(header)}")
            continue
        yield _entry(fields, f"{path}:{number}")
        empty = False
    if header is None:
        raise ValueError(f"{path}: no header line ({', '.join(COLUMNS)})")
    if empty:
        raise ValueError(f"{path}: a lexicon needs at least one entry; got none after the header")


def _entry(fields: tuple[str, ...], source: str) -> Entry:
    """One line as an entry."""
    if len(fields) != len(COLUMNS):
        raise ValueError(f"{source}: {len(COLUMNS)} tab-separated fields expected; got {len(fields)}: {fields!r}")
    code, kind, form, kind_of_word, first, last = (field.strip() for field in fields)
    if not code:
        raise ValueError(f"{source}: code is empty")
    if kind not in KINDS:
        raise ValueError(f"{source}: kind must be one of {', '.join(sorted(KINDS))}; got {kind!r}")
    if kind_of_word not in TYPES:
        raise ValueError(f"{source}: type must be one of {', '.join(sorted(TYPES))}; got {kind_of_word!r}")
    if not pieces(form):
        raise ValueError(f"{source}: form must contain a letter or digit; got {form!r}")
    entry = Entry(code, kind, form, kind_of_word, _year(first, source), _year(last, source), source)
    if entry.first is not None and entry.last is not None and entry.first > entry.last:
        raise ValueError(f"{source}: from must not be after to; got {entry.first} and {entry.last}")
    return entry


def _year(text: str, source: str) -> int | None:
    """A year of four digits, or None for an open end."""
    if not text:
        return None
    if len(text) != 4 or not text.isascii() or not text.isdigit():
        raise ValueError(f"{source}: a year must have four digits; got {text!r}")
    return int(text)


def _refuse_conflicts(entries: tuple[Entry, ...]) -> None:
    """Raise when two of these entries, which share their folded pieces, give one word two codes in one year."""
    for position, entry in enumerate(entries):
        for other in entries[:position]:
            if entry.code != other.code and entry.overlaps(other) and _same_spelling(entry, other):
                raise ValueError(
                    f"{entry.source}: {entry.form!r} means {entry.code}, but {other.source} says {other.code} "
                    f"for the same years"
                )


def _same_spelling(entry: Entry, other: Entry) -> bool:
    """Whether some way of writing the word satisfies both entries."""
    return entry.spelled(pieces(other.form)) or other.spelled(pieces(entry.form))
