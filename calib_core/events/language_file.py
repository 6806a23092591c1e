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
from calib_core.events.query_values import (
    choice,
    derived_forms,
    forms_of,
    known_keys,
    lexicon_of,
    listed_forms,
    words_of,
)

LANGUAGE_KEYS = frozenset(
    {
        "phrases", "nouns", "light", "effects", "causes", "agentless", "mutual", "unless", "through", "targets",
        "actors", "case", "unattributed",
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
        mutual=_trigger_forms(content.get("mutual", []), path, "mutual"),
        unless=_unless(content.get("unless", {}), path),
        through=choice(content, "through", ROUTES, (), path),
        targets=_targets(content["targets"], path) if "targets" in content else None,
        actors=lexicon_of(content["actors"], path, "actors") if "actors" in content else None,
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
    _, *words = name.split()
    return Phrase(name, frozenset(_forms(name, forms, path, key)), tuple(frozenset(word.split("|")) for word in words))


def _forms(name: str, forms: object, path: Path, key: str) -> tuple[str, ...]:
    """Forms of the first word of a name: as listed, else derived, which irregular verbs refuse."""
    verb = name.split()[0]
    if forms is not None:
        return listed_forms({verb: forms}, path, key)
    if is_irregular(verb):
        raise ValueError(f"{path}: {key}: {verb!r} is irregular, so give its forms: `- {name}: [form, form]`")
    return derived_forms(verb, path, key)


def _nouns(values: object, path: Path, key: str) -> tuple[Noun, ...]:
    """Nouns with their plurals and the places of agent and target."""
    return tuple(_noun(name, value, path, key) for name, value in _items(values, path, key))


def _noun(name: str, value: object, path: Path, key: str) -> Noun:
    *before, noun = name.split()
    within = f"{key}: {name}"
    details = known_keys({} if value is None else value, ("agents", "targets", "forms"), path, within)
    details = {detail: _with_on(listed) for detail, listed in details.items()}
    agents = choice(details, "agents", NOUN_AGENTS, NOUN_AGENTS[:-1], path, within=f"{within}: ")
    targets = choice(details, "targets", NOUN_TARGETS, NOUN_TARGETS[:-1], path, within=f"{within}: ")
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
    return known_keys(causes, ("nouns", "verbs", "phrases"), path, "causes")


def _implied(value: object, lexicon: Lexicon, path: Path) -> tuple[tuple[str, frozenset[str]], ...]:
    """A code, or a mapping of codes to the verbs and nouns that imply them."""
    if not isinstance(value, (Mapping, str)):
        raise ValueError(f"{path}: agentless must be a code, or map codes to lists of words; got {value!r}")
    pairs = value if isinstance(value, Mapping) else {value: None}
    for code in pairs:
        if code not in lexicon.codes:
            raise ValueError(f"{path}: agentless: no lexicon of this query has the code {code!r}")
    return tuple(
        (code, frozenset() if words is None else _trigger_forms(words, path, "agentless"))
        for code, words in sorted(pairs.items())
    )


def _trigger_forms(values: object, path: Path, key: str) -> frozenset[str]:
    """Forms of verbs and nouns, in whatever class a word is."""
    forms: set[str] = set()
    for name, listed in _items(values, path, key):
        forms.update(_forms(name, listed, path, key), {plural(name.split()[0])})
    return frozenset(forms)


def _unless(value: object, path: Path) -> Unless:
    words = known_keys(value, ("objects", "modifiers", "subjects"), path, "unless")
    return Unless(**{key: words_of(listed, path, f"unless: {key}") for key, listed in words.items()})


def _targets(value: object, path: Path) -> Targets:
    keys = known_keys(value, ("roles", "prepositions", "modifiers", "lexicon", "countries"), path, "targets")
    keys = {key: _with_on(listed) for key, listed in keys.items()}
    lexicon = lexicon_of(keys.get("lexicon", "countries"), path, "targets: lexicon")

    def chosen(key: str, allowed: tuple[str, ...], default: tuple[str, ...]) -> frozenset[str]:
        return choice(keys, key, allowed, default, path, within="targets: ")

    return Targets(
        roles=chosen("roles", TARGET_ROLES, TARGET_ROLES),
        prepositions=chosen("prepositions", TARGET_PREPOSITIONS, TARGET_PREPOSITIONS[:4]),
        modifiers=chosen("modifiers", TARGET_MODIFIERS, ("nmod:of", "nmod:poss", "amod", "compound", "appos")),
        lexicon=lexicon,
        countries=chosen("countries", lexicon.codes, ()),
    )


def _one_of(value: object, allowed: tuple[str, ...], path: Path, key: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{path}: {key} must be one of {', '.join(allowed)}; got {value!r}")
    return value


def _flag(value: object, path: Path, key: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{path}: {key} must be true or false; got {value!r}")
    return value
