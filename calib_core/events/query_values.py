"""Values that several keys of a query's file share: forms of verbs, lists of known words, lexicons.

Covers: reading and checking one value; every fault names file, key and value.
Not here: which keys there are (`query_file`, `language_file`).
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calib_core.events.inflection import inflect
from calib_core.events.lexicon import Lexicon, bundled_lexicons
from calib_core.events.plurals import plural


def forms_of(verbs: object, path: Path, key: str) -> frozenset[str]:
    """All forms of all verbs: derived for a plain word, as listed for a mapping of a verb to its forms."""
    if not isinstance(verbs, list) or not verbs:
        raise ValueError(f"{path}: {key} must be a list with at least one verb; got {verbs!r}")
    forms: set[str] = set()
    for verb in verbs:
        forms.update(listed_forms(verb, path, key) if isinstance(verb, Mapping) else derived_forms(verb, path, key))
    return frozenset(forms)


def derived_forms(verb: object, path: Path, key: str = "verbs") -> tuple[str, ...]:
    """Forms by rule. YAML reads some words as other things (`on` is true), so the type is checked."""
    if not isinstance(verb, str):
        raise ValueError(f"{path}: {key} must be words; got {verb!r}")
    try:
        return inflect(verb)
    except ValueError as error:
        raise ValueError(f"{path}: {key}: {error}{_advice(verb)}") from error


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


def listed_forms(verb: Mapping[Any, Any], path: Path, key: str = "verbs") -> tuple[str, ...]:
    """The verb and the forms given for it."""
    for lemma, forms in verb.items():
        if not isinstance(forms, list) or not forms:
            raise ValueError(f"{path}: {key}: forms of {lemma!r} must be a list; got {forms!r}")
        for form in [lemma, *forms]:
            if not isinstance(form, str) or not (form.isascii() and form.isalpha() and form.islower()):
                raise ValueError(f"{path}: {key}: a form is one word of small letters a to z; got {form!r}")
    return tuple(word for lemma, forms in verb.items() for word in [lemma, *forms])


def choice(
    content: Mapping[Any, Any], key: str, allowed: tuple[str, ...], default: tuple[str, ...], path: Path,
    *, within: str = "",
) -> frozenset[str]:  # fmt: skip
    """A list under `key` whose values are all allowed; `within` names the keys above it."""
    values, key = content.get(key, list(default)), within + key
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


def lexicon_of(names: object, path: Path, key: str = "lexicon") -> Lexicon:
    """One lexicon or several together: bundled ones by name, others by a path relative to the query's file."""
    lexicons = []
    for name in names if isinstance(names, list) and names else [names]:
        if not isinstance(name, str):
            raise ValueError(f"{path}: {key} must be a name or a path; got {name!r}")
        if name in bundled_lexicons():
            lexicons.append(Lexicon.bundled(name))
        elif (path.parent / name).is_file():
            lexicons.append(Lexicon.from_tsv(path.parent / name))
        else:
            raise ValueError(
                f"{path}: {key}: unknown lexicon {name!r}: neither bundled ({', '.join(bundled_lexicons())}) nor a file"
            )
    if len(lexicons) == 1:
        return lexicons[0]
    return Lexicon(tuple(entry for lexicon in lexicons for entry in lexicon.entries))


def known_keys(value: object, known: tuple[str, ...], path: Path, key: str) -> Mapping[str, Any]:
    """A mapping that has no keys but these."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{path}: {key} must be a mapping with some of {', '.join(known)}; got {value!r}")
    for name in value:
        if name not in known:
            raise ValueError(f"{path}: {key}: unknown key {name!r}; known are {', '.join(known)}")
    return value


def words_of(values: object, path: Path, key: str) -> frozenset[str]:
    """Nouns and other words in small letters, each with its plural."""
    if not isinstance(values, list) or not values:
        raise ValueError(f"{path}: {key} must be a list with at least one word; got {values!r}")
    for word in values:
        if not isinstance(word, str) or not re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)*", word) or word != word.lower():
            raise ValueError(f"{path}: {key}: one word in small letters expected; got {word!r}")
    return frozenset(values) | frozenset(map(plural, values))
