"""Read the keys of a query's file that go beyond version 0.1; every fault names file, key and value.

Covers: phrases, nouns, light verbs, effects and causes, implied agents, senses, targets, actors, letter case.
Not here: the keys of version 0.1 (`query_file`), what the values mean (`language`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calib_core.events.inflection import is_irregular
from calib_core.events.language import (
    CASES,
    NOUN_AGENTS,
    NOUN_TARGETS,
    ROUTES,
    TARGET_PREPOSITIONS,
    TARGET_ROLES,
    Language,
    Noun,
    Phrase,
    Targets,
    Unless,
)
from calib_core.events.lexicon import Lexicon
from calib_core.events.light_verbs import LIGHT_VERBS
from calib_core.events.plurals import plural
from calib_core.events.query_values import choice, derived_forms, forms_of, lexicon_of, listed_forms, words_of

LANGUAGE_KEYS = frozenset(
    {
        "phrases", "nouns", "light", "effects", "causes", "agentless", "unless", "through", "targets", "actors", "case",
        "unattributed",
    }
)  # fmt: skip

TARGET_MODIFIERS = ("nmod", "nmod:poss", "amod", "compound", "appos", "nmod:of", "nmod:from")


def read_language(content: Mapping[Any, Any], lexicon: Lexicon, path: Path) -> Language:
    """What a file asks for beyond version 0.1: nothing, if it has none of these keys."""
    if not LANGUAGE_KEYS & set(content):
        return Language()
    nouns = _nouns(content.get("nouns", []), path, "nouns")
    causing = _causing(content.get("causes", []), path)
    return Language(
        phrases=_phrases(content.get("phrases", []), path, "phrases"),
        nouns=nouns,
        light=_phrases(content.get("light", LIGHT_VERBS), path, "light"),
        effects=forms_of(content["effects"], path, "effects") if "effects" in content else frozenset(),
        causes=_nouns(causing.get("nouns", []), path, "causes"),
        causing_forms=forms_of(causing["verbs"], path, "causes") if "verbs" in causing else frozenset(),
        causing_phrases=_phrases(causing.get("phrases", []), path, "causes"),
        implied=_implied(content.get("agentless", {}), lexicon, path),
        unless=_unless(content.get("unless", {}), path),
        through=choice(content, "through", ROUTES, (), path),
        targets=_targets(content["targets"], path) if "targets" in content else None,
        actors=lexicon_of(content["actors"], path) if "actors" in content else None,
        case=_one_of(content.get("case", CASES[0]), CASES, path, "case"),
        unattributed=_flag(content.get("unattributed", True), path, "unattributed"),
    )


def _items(values: object, path: Path, key: str) -> list[tuple[str, Any]]:
    """A list of names, each alone or as the key of a mapping with one entry, as (name, value or None)."""
    if not isinstance(values, list):
        raise ValueError(f"{path}: {key} must be a list; got {values!r}")
    items: list[tuple[Any, Any]] = []
    for value in values:
        items += list(value.items()) if isinstance(value, Mapping) else [(value, None)]
    for name, _ in items:
        if not isinstance(name, str) or not name.strip() or name != name.lower():
            raise ValueError(f"{path}: {key}: words in small letters expected; got {name!r}")
    return items


def _phrases(values: object, path: Path, key: str) -> tuple[Phrase, ...]:
    """Verbs, each with the words that must hang on it."""
    return tuple(_phrase(name, forms, path, key) for name, forms in _items(values, path, key))


def _phrase(name: str, forms: object, path: Path, key: str) -> Phrase:
    verb, *words = name.split()
    if forms is None and not is_irregular(verb):
        known = derived_forms(verb, path, key)
    else:
        known = listed_forms({verb: forms}, path, key)
    return Phrase(name, frozenset(known), tuple(frozenset(word.split("|")) for word in words))


def _nouns(values: object, path: Path, key: str) -> tuple[Noun, ...]:
    """Nouns with their plurals and the places of agent and target."""
    return tuple(_noun(name, value, path, key) for name, value in _items(values, path, key))


def _noun(name: str, value: object, path: Path, key: str) -> Noun:
    *before, noun = name.split()
    details = value if value is not None else {}
    if not isinstance(details, Mapping):
        raise ValueError(f"{path}: {key}: {name}: a mapping with agents, targets or forms expected; got {value!r}")
    for detail in details:
        if detail not in ("agents", "targets", "forms"):
            raise ValueError(f"{path}: {key}: {name}: unknown key {detail!r}; known are agents, forms, targets")
    details = {detail: _with_on(listed) for detail, listed in details.items()}
    agents = choice(details, "agents", NOUN_AGENTS, NOUN_AGENTS, path)
    targets = choice(details, "targets", NOUN_TARGETS, NOUN_TARGETS[:-1], path)
    if not agents and not targets:
        raise ValueError(f"{path}: {key}: {name}: a noun needs a role: agents, targets or both must not be empty")
    forms = words_of(details["forms"], path, key) if "forms" in details else frozenset({plural(noun)})
    return Noun(name, forms | {noun}, tuple(frozenset(word.split("|")) for word in before), agents, targets)


def _with_on(values: object) -> object:
    """A list in which YAML has read the word "on" as true."""
    return ["on" if value is True else value for value in values] if isinstance(values, list) else values


def _causing(value: object, path: Path) -> Mapping[str, Any]:
    """Causes as a list of nouns, or as a mapping of nouns, verbs and phrases."""
    causes = {"nouns": value} if isinstance(value, list) else value
    if not isinstance(causes, Mapping) or not set(causes) <= {"nouns", "verbs", "phrases"}:
        raise ValueError(f"{path}: causes must be a list of nouns, or map nouns, verbs and phrases; got {value!r}")
    return causes


def _implied(value: object, lexicon: Lexicon, path: Path) -> tuple[tuple[str, frozenset[str]], ...]:
    """A code, or a mapping of codes to the verbs and nouns that imply them."""
    pairs = value if isinstance(value, Mapping) else {value: None}
    for code in pairs:
        if code not in lexicon.codes:
            raise ValueError(f"{path}: agentless: no lexicon of this query has the code {code!r}")
    return tuple(
        (code, frozenset() if words is None else _trigger_forms(words, path)) for code, words in sorted(pairs.items())
    )


def _trigger_forms(values: object, path: Path) -> frozenset[str]:
    """Forms of verbs and nouns, in whatever class a word is."""
    forms: set[str] = set()
    for name, listed in _items(values, path, "agentless"):
        word = name.split()[0]
        regular = listed is None and not is_irregular(word)
        forms.update(derived_forms(word, path, "agentless") if regular else listed_forms({word: listed}, path))
        forms.update({plural(word)})
    return frozenset(forms)


def _unless(value: object, path: Path) -> Unless:
    if not isinstance(value, Mapping) or not set(value) <= {"objects", "modifiers", "subjects"}:
        raise ValueError(f"{path}: unless must map objects, modifiers or subjects to lists of words; got {value!r}")
    return Unless(**{key: words_of(words, path, f"unless: {key}") for key, words in value.items()})


def _targets(value: object, path: Path) -> Targets:
    known = ("roles", "prepositions", "modifiers", "lexicon", "countries")
    if not isinstance(value, Mapping) or not set(value) <= set(known):
        raise ValueError(f"{path}: targets must be a mapping with some of {', '.join(known)}; got {value!r}")
    value = {key: _with_on(listed) for key, listed in value.items()}
    lexicon = lexicon_of(value.get("lexicon", "countries"), path)
    return Targets(
        roles=choice(value, "roles", TARGET_ROLES, TARGET_ROLES, path),
        prepositions=choice(value, "prepositions", TARGET_PREPOSITIONS, TARGET_PREPOSITIONS[:4], path),
        modifiers=choice(
            value, "modifiers", TARGET_MODIFIERS, ("nmod:of", "nmod:poss", "amod", "compound", "appos"), path
        ),
        lexicon=lexicon,
        countries=choice(value, "countries", lexicon.codes, (), path),
    )


def _one_of(value: object, allowed: tuple[str, ...], path: Path, key: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{path}: {key} must be one of {', '.join(allowed)}; got {value!r}")
    return value


def _flag(value: object, path: Path, key: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{path}: {key} must be true or false; got {value!r}")
    return value
