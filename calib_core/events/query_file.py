"""Read a query from its YAML file; every fault names file, key and value.

Covers: the keys of version 0.1.
Not here: the keys that go beyond (`language_file`), the type (`query`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calib_core.events.language_file import LANGUAGE_KEYS, read_language
from calib_core.events.lexicon import Lexicon
from calib_core.events.query import EXCLUDABLE, MODIFIERS, ROLES, SUBJECTS, UNITS, Query
from calib_core.events.query_values import choice, forms_of, lexicon_of
from calib_core.events.reading import read_yaml

_KEYS = frozenset(
    {"name", "verbs", "roles", "modifiers", "subjects", "exclude", "lexicon", "countries", "merge", "unit", "codebook"}
)


def read_query(path: Path) -> Query:
    """A query from a file."""
    content = read_yaml(path)
    if not isinstance(content, Mapping):
        raise ValueError(f"{path}: a query is a mapping with name and verbs; got {type(content).__name__}")
    return _query(content, path)


def _query(content: Mapping[Any, Any], path: Path) -> Query:
    """Check every key, then build."""
    known = _KEYS | LANGUAGE_KEYS
    for key in content:
        if key not in known:
            raise ValueError(f"{path}: unknown key {key!r}; known are {', '.join(sorted(known))}")
    lexicon = lexicon_of(content.get("lexicon", "countries"), path)
    language = read_language(content, lexicon, path)
    unit = content.get("unit", "documents")
    if unit not in UNITS:
        raise ValueError(f"{path}: unit must be one of {', '.join(UNITS)}; got {unit!r}")
    merge = _merge(content.get("merge", {}), lexicon, path)
    codes = tuple(code for code in lexicon.codes if code not in dict(merge))
    return Query(
        name=_name(content, path),
        forms=forms_of(content.get("verbs"), path, "verbs"),
        lexicon=lexicon,
        roles=choice(content, "roles", ROLES, ("nsubj", "obl:agent"), path),
        modifiers=choice(content, "modifiers", MODIFIERS, MODIFIERS[:5], path),
        subjects=choice(content, "subjects", SUBJECTS, SUBJECTS, path),
        exclude=choice(content, "exclude", EXCLUDABLE, (), path),
        countries=choice(content, "countries", codes, (), path),
        merge=merge,
        unit=unit,
        language=language,
        codebook=_codebook(content, path),
    )


def _codebook(content: Mapping[Any, Any], path: Path) -> str:
    """Rules for coders; none is fine."""
    text = content.get("codebook", "")
    if not isinstance(text, str):
        raise ValueError(f"{path}: codebook must be text; got {text!r}")
    return text


def _name(content: Mapping[Any, Any], path: Path) -> str:
    """The label, which must be there."""
    name = content.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{path}: name must be a word; got {name!r}")
    return name


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
