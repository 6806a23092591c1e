"""The parts of a query that go beyond verbs and their arguments.

Covers: phrases, nouns of events, causes of an effect, senses to leave out, targets.
Not here: reading them from a file (`language_file`), finding them in a tree (`nouns`, `phrases`, `targets`).
"""

from dataclasses import dataclass, field, fields, is_dataclass

from calib_core.events.lexicon import Lexicon

NOUN_AGENTS = ("possessive", "adjective", "compound", "by", "from", "with")
"""How a noun may name who did it: Iraq's attack, the Iraqi attack, a U.S. raid, a raid by Iraq, an attack from Iraq.
"with" (clashes with Iraq) is for nouns that ask for it."""

NOUN_TARGETS = ("on", "against", "of", "at", "upon", "possessive")
"""How a noun may name whom it was done to: a preposition, or the possessor ("his arrest")."""

TARGET_ROLES = ("obj", "nsubj:pass", "obl", "nmod")
TARGET_PREPOSITIONS = ("on", "against", "at", "upon", "into", "towards", "toward")
"""Prepositions that a query may let name the target of a verb; the first four unless it says otherwise."""

ROUTES = ("possessor",)
"""Ways by which a mention may come to a country of another mention: its possessor's, sample by sample."""

CASES = ("written", "article")
"""Whether names need a capital always, or only where the article uses capitals."""


LONG = 4
"""Letters of a word that says something by itself, unlike "up" and "out"."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb with words that must hang on it: "open fire", "take into custody".

    Attributes
    ----------
    name : str
        As the query writes it.
    forms : frozenset of str
        Forms of the verb.
    words : tuple of frozenset of str
        For each further word, the spellings that will do.
    """

    name: str
    forms: frozenset[str]
    words: tuple[frozenset[str], ...]

    @property
    def rarest(self) -> frozenset[str]:
        """Words without one of which no text has the phrase: the last ones, or the verb's forms if those are short.

        "open fire" needs "fire", which is rarer than "open"; "round up" needs a form of "round".
        """
        last = self.words[-1] if self.words else frozenset({""})
        return last if min(map(len, last)) >= LONG else self.forms


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun that tells an event, with the places where it names agent and target.

    `words` stand before it, as in "air strike"; `agents` and `targets` are subsets of `NOUN_AGENTS` and `NOUN_TARGETS`.
    """

    name: str
    forms: frozenset[str]
    words: tuple[frozenset[str], ...] = ()
    agents: frozenset[str] = frozenset(NOUN_AGENTS[:-1])
    targets: frozenset[str] = frozenset(NOUN_TARGETS[:-1])


@dataclass(frozen=True, slots=True)
class Unless:
    """Words beside an event that show another sense: objects ("a deal"), modifiers ("heart"), subjects ("workers")."""

    objects: frozenset[str] = frozenset()
    modifiers: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Targets:
    """Whom it was done to: roles, and what names them; `countries` empty reports all codes."""

    roles: frozenset[str]
    prepositions: frozenset[str]
    modifiers: frozenset[str]
    lexicon: Lexicon
    countries: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Language:
    """What a query asks for beyond version 0.1; empty, it asks for nothing.

    Attributes
    ----------
    phrases : tuple of Phrase
        Verbs of several words, which count as the query's verbs do.
    nouns : tuple of Noun
        Nouns that tell the event.
    light : tuple of Phrase
        Verbs whose subject is the agent of the noun that is their object: "launch an attack".
    effects : frozenset of str
        Forms of verbs that tell an effect and count only with a cause that names an agent: "died in police firing".
    causes : tuple of Noun
        Nouns that cause what a verb of the query or an effect tells.
    causing_forms, causing_phrases
        Verbs of a clause that does the same: "killed when police opened fire".
    implied : tuple of (str, frozenset of str)
        A code, and the forms for which it is the agent where the text names none; no forms: all.
    mutual : frozenset of str
        Forms of verbs and nouns of the query that both sides do to each other: "clashed with".
    unless : Unless
    through : frozenset of str
        Subset of `ROUTES`.
    targets : Targets or None
    actors : Lexicon or None
        A second lexicon, whose codes are crossed with the first one's.
    case : str
        One of `CASES`.
    unattributed : bool
        Whether to report documents that tell the event without an agent, under the code `-`.
    """

    phrases: tuple[Phrase, ...] = ()
    nouns: tuple[Noun, ...] = ()
    light: tuple[Phrase, ...] = ()
    effects: frozenset[str] = frozenset()
    causes: tuple[Noun, ...] = ()
    causing_forms: frozenset[str] = frozenset()
    causing_phrases: tuple[Phrase, ...] = ()
    implied: tuple[tuple[str, frozenset[str]], ...] = ()
    mutual: frozenset[str] = frozenset()
    unless: Unless = field(default_factory=Unless)
    through: frozenset[str] = frozenset()
    targets: Targets | None = None
    actors: Lexicon | None = None
    case: str = CASES[0]
    unattributed: bool = False


def plain(value: object) -> str:
    """All that a part of a query holds, as text that does not depend on the order of sets, for a fingerprint."""
    if isinstance(value, Lexicon):
        return repr([(entry.code, entry.form, entry.type, entry.first, entry.last) for entry in value.entries])
    if is_dataclass(value):
        return repr([(part.name, plain(getattr(value, part.name))) for part in fields(value)])
    if isinstance(value, frozenset):
        return repr(sorted(value))
    if isinstance(value, tuple):
        return repr([plain(part) for part in value])
    return repr(value)
