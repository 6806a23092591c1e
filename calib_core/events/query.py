"""What to count: verbs, roles, affiliation and unit, as a YAML file of a few lines.

Covers: the query type, the queries that come with the package.
Not here: reading it from a file (`query_file`, `language_file`), evaluating it on a document (`agents`, `affiliation`),
searching raw text for it (`gating`).
"""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import numpy as np

from calib_core.arrays import Bools
from calib_core.events.language import Language, plain
from calib_core.events.lexicon import Lexicon

ROLES = ("nsubj", "obl:agent", "obj", "nsubj:pass")
"""Relations to a query verb that a query may ask for: the first two are agents, the others patients."""

MODIFIERS = (
    "nmod", "nmod:poss", "amod", "compound", "appos", "nmod:desc", "nmod:unmarked", "flat", "nmod:of", "nmod:from",
)  # fmt: skip
"""Relations to a mention's head that a query may take as affiliation; the first five unless it says otherwise.

The last two are the `nmod` with that preposition alone: "troops of Chad", but not "troops in Chad".
"""

SUBJECTS = ("coordination", "control", "relative", "participle")
"""Ways in which a verb may have a subject that is not attached to it; see `agents`."""

EXCLUDABLE = ("negated", "modal", "embedded", "unreal")
"""Flags that a query may leave out; "unreal" is wanted, ordered, expected, attempted or refused ("tried to arrest")."""

UNITS = ("documents", "entities")

NOBODY = "-"
"""Code of events whose agent the text does not name, and of targets without a code."""


@dataclass(frozen=True)
class Query:
    """A question: how much is written about entities of each country in these roles to these verbs.

    Attributes
    ----------
    name : str
        A label; it takes no part in the answer.
    forms : frozenset of str
        Every inflected form of every verb, in small letters.
    lexicon : Lexicon
    roles, modifiers, subjects, exclude : frozenset of str
        Subsets of `ROLES`, `MODIFIERS`, `SUBJECTS` and `EXCLUDABLE`. `subjects` empty is the paper to the letter:
        only arguments attached to the verb itself. `exclude` drops agents whose every event is so flagged.
    countries : frozenset of str
        Codes to report; empty reports all. An entity of two countries counts for neither, reported or not.
    merge : tuple of (code, code) pairs
        Read the first code as the second, before asking whether an entity has only one.
    unit : str
        "documents" (equation 3 of the paper) or "entities" (its footnote 11).
    language : Language
        What goes beyond version 0.1: nouns, phrases, targets, actors and so on.
    codebook : str
        Rules for people who label articles, in the author's words; like the name, it takes no part in the answer.
    """

    name: str
    forms: frozenset[str]
    lexicon: Lexicon
    roles: frozenset[str] = frozenset({"nsubj", "obl:agent"})
    modifiers: frozenset[str] = frozenset(MODIFIERS[:5])
    subjects: frozenset[str] = frozenset(SUBJECTS)
    exclude: frozenset[str] = frozenset()
    countries: frozenset[str] = frozenset()
    merge: tuple[tuple[str, str], ...] = ()
    unit: str = "documents"
    language: Language = field(default_factory=Language)
    codebook: str = ""

    @classmethod
    def from_yaml(cls, source: str | Path) -> "Query":
        """Read a query from a file, or one of `bundled_queries` by its bare name ("attack").

        Examples
        --------
        >>> sorted(Query.from_yaml("attack").forms)
        ['attack', 'attacked', 'attacking', 'attacks']
        """
        path = Path(source)
        if isinstance(source, str) and source in bundled_queries():
            path = Path(str(files("calib_core.events") / "queries" / f"{source}.yaml"))
        elif not path.exists():
            known = ", ".join(bundled_queries())
            raise FileNotFoundError(f"{path}: neither a file nor a bundled query; bundled are {known}")
        from calib_core.events.query_file import read_query  # reads into this type

        return read_query(path)

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Codes that an entity can have under this query, in alphabetical order: what evidence arrays index.

        Where the query reports events that have no agent in the text, `NOBODY` is one of them.
        """
        nobody = {NOBODY} if self.language.unattributed else set()
        return tuple(sorted({self.recode(code) for code in self.lexicon.codes} | nobody))

    @cached_property
    def reported(self) -> Bools:
        """Which of the codes the query asks for."""
        asked_for = [not self.countries or code in self.countries or code == NOBODY for code in self.codes]
        return np.array(asked_for, dtype=np.bool_)

    @cached_property
    def actor_codes(self) -> tuple[str, ...]:
        """Codes of the second lexicon."""
        return () if self.language.actors is None else self.language.actors.codes

    @cached_property
    def target_codes(self) -> tuple[str, ...]:
        """Codes that a target can have."""
        targets = self.language.targets
        return () if targets is None else tuple(sorted({self.recode(code) for code in targets.lexicon.codes}))

    @cached_property
    def telling(self) -> frozenset[str]:
        """Forms of which the verb or noun of every event is one, in small letters."""
        language = self.language
        verbs = [phrase.forms for phrase in language.phrases]
        return self.forms.union(language.effects, *verbs, *(noun.forms for noun in language.nouns))

    @cached_property
    def triggers(self) -> frozenset[str]:
        """Words without one of which no text can tell the event, in small letters: what the gate looks for first."""
        language = self.language
        verbs = [phrase.rarest for phrase in language.phrases]
        nouns = [noun.forms for noun in language.nouns]
        return self.forms.union(language.effects, *verbs, *nouns)

    @cached_property
    def needs_name(self) -> bool:
        """Whether a document must hold a word of the lexicon to count: not where an agent may be implied or missing."""
        return not (self.language.implied or self.language.unattributed)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that bears on the answer: not name, codebook or the places of files.

        Equal ones need no second run.
        """
        parts = [self.forms, self.roles, self.modifiers, self.subjects, self.exclude, self.countries]
        words = [(e.code, e.form, e.type, e.first, e.last) for e in self.lexicon.entries]
        content = repr(([sorted(part) for part in parts], self.merge, self.unit, words))
        if self.language != Language():
            content += plain(self.language)
        return blake2b(content.encode(), digest_size=16).hexdigest()

    @cached_property
    def is_beyond(self) -> bool:
        """Whether the query asks for anything that version 0.1 did not have."""
        return self.language != Language() or "unreal" in self.exclude

    @cached_property
    def reports_unnamed(self) -> bool:
        """Whether events without an agent in the text say anything."""
        return bool(self.language.implied) or self.language.unattributed

    def implied_by(self, form: str) -> list[str]:
        """Codes of the agents that a verb or noun implies."""
        return [self.recode(code) for code, forms in self.language.implied if not forms or form in forms]

    def recode(self, code: str) -> str:
        """The code after merging."""
        return dict(self.merge).get(code, code)


def bundled_queries() -> tuple[str, ...]:
    """Names of the queries that come with the package."""
    folder = files("calib_core.events") / "queries"
    return tuple(sorted(item.name.removesuffix(".yaml") for item in folder.iterdir() if item.name.endswith(".yaml")))
