"""What to count: verbs, roles, affiliation and unit, as a YAML file of a few lines.

Covers: the query type, reading and checking it, the queries that come with the package.
Not here: evaluating it on a document (`agents`, `affiliation`), searching raw text for it (`gating`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

from calib_core.events.inflection import inflect
from calib_core.events.lexicon import Lexicon, bundled_lexicons
from calib_core.events.reading import read_yaml

ROLES = ("nsubj", "obl:agent", "obj", "nsubj:pass")
"""Relations to a query verb that a query may ask for: the first two are agents, the others patients."""

MODIFIERS = ("nmod", "nmod:poss", "amod", "compound", "appos", "nmod:desc", "nmod:unmarked", "flat")
"""Relations to a mention's head that a query may take as affiliation; the first five unless it says otherwise."""

SUBJECTS = ("coordination", "control", "relative", "participle")
"""Ways in which a verb may have a subject that is not attached to it; see `agents`."""

EXCLUDABLE = ("negated", "modal", "embedded")
UNITS = ("documents", "entities")


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
        content = read_yaml(path)
        if not isinstance(content, Mapping):
            raise ValueError(f"{path}: a query is a mapping with name and verbs; got {type(content).__name__}")
        return _query(content, path)

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Codes that an entity can have under this query, in alphabetical order: what evidence arrays index."""
        return tuple(sorted({self.recode(code) for code in self.lexicon.codes}))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that bears on the answer: not the name, not where files lie. Equal ones need no second run."""
        parts = [self.forms, self.roles, self.modifiers, self.subjects, self.exclude, self.countries]
        words = [(e.code, e.form, e.type, e.first, e.last) for e in self.lexicon.entries]
        content = repr(([sorted(part) for part in parts], self.merge, self.unit, words))
        return blake2b(content.encode(), digest_size=16).hexdigest()

    def recode(self, code: str) -> str:
        """The code after merging."""
        return dict(self.merge).get(code, code)


def bundled_queries() -> tuple[str, ...]:
    """Names of the queries that come with the package."""
    folder = files("calib_core.events") / "queries"
    return tuple(sorted(item.name.removesuffix(".yaml") for item in folder.iterdir() if item.name.endswith(".yaml")))


def _query(content: Mapping[Any, Any], path: Path) -> Query:
    """Check every key, then build."""
    known = {"name", "verbs", "roles", "modifiers", "subjects", "exclude", "lexicon", "countries", "merge", "unit"}
    for key in content:
        if key not in known:
            raise ValueError(f"{path}: unknown key {key!r}; known are {', '.join(sorted(known))}")
    lexicon = _lexicon(content.get("lexicon", "countries"), path)
    unit = content.get("unit", "documents")
    if unit not in UNITS:
        raise ValueError(f"{path}: unit must be one of {', '.join(UNITS)}; got {unit!r}")
    merge = _merge(content.get("merge", {}), lexicon, path)
    codes = tuple(code for code in lexicon.codes if code not in dict(merge))
    return Query(
        name=_name(content, path),
        forms=_forms(content.get("verbs"), path),
        lexicon=lexicon,
        roles=_choice(content, "roles", ROLES, ("nsubj", "obl:agent"), path),
        modifiers=_choice(content, "modifiers", MODIFIERS, MODIFIERS[:5], path),
        subjects=_choice(content, "subjects", SUBJECTS, SUBJECTS, path),
        exclude=_choice(content, "exclude", EXCLUDABLE, (), path),
        countries=_choice(content, "countries", codes, (), path),
        merge=merge,
        unit=unit,
    )


def _name(content: Mapping[Any, Any], path: Path) -> str:
    """The label, which must be there."""
    name = content.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{path}: name must be a word; got {name!r}")
    return name


def _forms(verbs: object, path: Path) -> frozenset[str]:
    """All forms of all verbs: derived for a plain word, as listed for a mapping of a verb to its forms."""
    if not isinstance(verbs, list) or not verbs:
        raise ValueError(f"{path}: verbs must be a list with at least one verb; got {verbs!r}")
    forms: set[str] = set()
    for verb in verbs:
        forms.update(_listed(verb, path) if isinstance(verb, Mapping) else _derived(verb, path))
    return frozenset(forms)


def _derived(verb: object, path: Path) -> tuple[str, ...]:
    """Forms by rule. YAML reads some words as other things (`on` is true), so the type is checked."""
    if not isinstance(verb, str):
        raise ValueError(f"{path}: verbs must be words; got {verb!r}")
    try:
        return inflect(verb)
    except ValueError as error:
        raise ValueError(f"{path}: verbs: {error}{_advice(verb)}") from error


def _advice(verb: str) -> str:
    """What to write instead, if anything: a query goes by single words, so of several the first."""
    word = re.match("[a-z]+", verb.strip().lower())
    if word is None:
        return ""
    try:
        inflect(word.group())
    except ValueError:
        return f" (write `- {word.group()}: [form, form]`)"
    return f" (write `- {word.group()}`)"


def _listed(verb: Mapping[Any, Any], path: Path) -> tuple[str, ...]:
    """The verb and the forms given for it."""
    for lemma, forms in verb.items():
        if not isinstance(forms, list) or not forms:
            raise ValueError(f"{path}: verbs: forms of {lemma!r} must be a list; got {forms!r}")
        for form in [lemma, *forms]:
            if not isinstance(form, str) or not (form.isascii() and form.isalpha() and form.islower()):
                raise ValueError(f"{path}: verbs: a form is one word of small letters a to z; got {form!r}")
    return tuple(word for lemma, forms in verb.items() for word in [lemma, *forms])


def _choice(
    content: Mapping[Any, Any], key: str, allowed: tuple[str, ...], default: tuple[str, ...], path: Path
) -> frozenset[str]:
    """A list under `key` whose values are all allowed."""
    values = content.get(key, list(default))
    if not isinstance(values, list):
        raise ValueError(f"{path}: {key} must be a list; got {values!r}")
    for value in values:
        if value not in allowed:
            known = (
                ", ".join(allowed)
                if len(allowed) < 20
                else f"the {len(allowed)} codes of the lexicon that are not merged away"
            )
            raise ValueError(f"{path}: {key}: unknown value {value!r}; known are {known}")
    if key == "roles" and not values:
        raise ValueError(f"{path}: {key} must not be empty")
    return frozenset(values)


def _lexicon(names: object, path: Path) -> Lexicon:
    """One lexicon or several together: bundled ones by name, others by a path relative to the query's file."""
    lexicons = []
    for name in names if isinstance(names, list) and names else [names]:
        if not isinstance(name, str):
            raise ValueError(f"{path}: lexicon must be a name or a path; got {name!r}")
        if name in bundled_lexicons():
            lexicons.append(Lexicon.bundled(name))
        elif (path.parent / name).is_file():
            lexicons.append(Lexicon.from_tsv(path.parent / name))
        else:
            raise ValueError(
                f"{path}: unknown lexicon {name!r}: neither bundled ({', '.join(bundled_lexicons())}) nor a file"
            )
    if len(lexicons) == 1:
        return lexicons[0]
    return Lexicon(tuple(entry for lexicon in lexicons for entry in lexicon.entries))


def _merge(groups: object, lexicon: Lexicon, path: Path) -> tuple[tuple[str, str], ...]:
    """`{YUG: [SRB, SCG]}` as pairs (SRB, YUG), (SCG, YUG)."""
    if not isinstance(groups, Mapping) or not all(isinstance(codes, list) for codes in groups.values()):
        raise ValueError(f"{path}: merge must map a code to a list of codes; got {groups!r}")
    pairs = [(code, target) for target, codes in groups.items() for code in codes]
    for code in [code for pair in pairs for code in pair]:
        if code not in lexicon.codes:
            raise ValueError(f"{path}: merge: unknown code {code!r}")
    if len({code for code, _ in pairs}) < len(pairs) or {code for code, _ in pairs} & set(groups):
        raise ValueError(f"{path}: merge: a code may be merged once, and not be a target too; got {groups!r}")
    return tuple(sorted(pairs))
