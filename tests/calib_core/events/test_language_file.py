"""What a query's file may say beyond version 0.1, and what a wrong one is told."""

import re
from pathlib import Path

import pytest

from calib_core.events import Query
from calib_core.events.language import Language

PLAIN = "name: a\nverbs: [attack]\n"
OLD = {
    "attack": "266f0d20ae073cb91bc8eed32a000028",
    "attack-strict": "49c3e333bb65320314b2b380f8bf3b59",
    "attack-wide": "6dfa54511bea6f2fdb74fc895ca331fc",
    "attack-yugoslavia": "0a26835fb5dda8dbb139ae2eee8f5286",
    "visit": "c4b7f73f36b2972f5e2437039f63845d",
}
"""Fingerprints that version 0.1 gave its bundled queries."""


def written(folder: Path, text: str) -> Path:
    path = folder / "query.yaml"
    path.write_text(PLAIN + text)
    return path


@pytest.mark.parametrize("name", OLD)
def test_queries_of_version_01_are_the_same_question(name: str) -> None:
    query = Query.from_yaml(name)
    assert query.fingerprint == OLD[name]
    assert query.language == Language()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("noun: [raid]\n", "unknown key 'noun'"),
        ("targets: {role: [obj]}\n", "targets: unknown key 'role'; known are roles, prepositions"),
        ("targets: {roles: [dobj]}\n", "targets: roles: unknown value 'dobj'; known are obj, nsubj:pass, obl, nmod"),
        ("targets: {lexicon: planets}\n", "targets: lexicon: unknown lexicon 'planets'"),
        ("targets: [obj]\n", "targets must be a mapping with some of"),
        ("targets: {countries: [XYZ]}\n", "targets: countries: unknown value 'XYZ'"),
        ("targets: {prepositions: [under]}\n", "prepositions: unknown value 'under'"),
        ("nouns: raid\n", "nouns must be a list; got 'raid'"),
        ("nouns: [raid: {agents: [], targets: []}]\n", "nouns: raid: a noun needs a role"),
        ("nouns: [raid: {agents: [subject]}]\n", "nouns: raid: agents: unknown value 'subject'"),
        ("nouns: [raid: {agent: [by]}]\n", "nouns: raid: unknown key 'agent'; known are agents, targets, forms"),
        ("nouns: [Raid]\n", "nouns: words in small letters expected; got 'Raid'"),
        ("agentless: POLICE\n", "agentless: no lexicon of this query has the code 'POLICE'"),
        ("agentless: [USA]\n", r"agentless must be a code, or map codes to lists of words; got \['USA'\]"),
        ("agentless: {USA: raid}\n", "agentless must be a list; got 'raid'"),
        ("through: [owner]\n", "through: unknown value 'owner'; known are possessor"),
        ("unless: {verbs: [x]}\n", "unless: unknown key 'verbs'; known are objects, modifiers, subjects"),
        ("unless: {objects: []}\n", "unless: objects must be a list with at least one word"),
        ("case: lower\n", "case must be one of written, article; got 'lower'"),
        ("unattributed: 1\n", "unattributed must be true or false; got 1"),
        ("actors: planets\n", "actors: unknown lexicon 'planets'"),
        ("phrases: [shoot dead]\n", "phrases: 'shoot' is irregular, so give its forms: `- shoot dead: "),
        ("causes: raid\n", "causes must be a mapping with some of nouns, verbs, phrases; got 'raid'"),
        ("mutual: clash\n", "mutual must be a list; got 'clash'"),
        ("mutual: [fight]\n", "mutual: 'fight' is irregular"),
    ],
)
def test_a_bad_value_names_file_key_and_value(tmp_path: Path, text: str, complaint: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=re.escape(str(path))) as error:
        Query.from_yaml(path)
    assert re.search(complaint, str(error.value))


def test_an_unknown_type_of_word_names_file_line_and_value(tmp_path: Path) -> None:
    lexicon = tmp_path / "actors.tsv"
    lexicon.write_text("code\tkind\tform\ttype\tfrom\tto\nCOP\trole\tbobby\tnouns\t\t\n")
    with pytest.raises(ValueError, match=r"actors.tsv:2: type must be one of .*noun.*; got 'nouns'"):
        Query.from_yaml(written(tmp_path, "lexicon: actors.tsv\n"))


def test_a_users_lexicon_of_actors_has_a_few_lines(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("code\tkind\tform\ttype\tfrom\tto\nCOP\trole\tbobby\tnoun\t\t\n")
    query = Query.from_yaml(written(tmp_path, "lexicon: mine.tsv\nagentless: COP\n"))
    assert [query.lexicon.code(word) for word in ("bobby", "BOBBIES", "Bobby")] == ["COP"] * 3


def test_on_is_a_preposition_although_yaml_reads_it_as_true(tmp_path: Path) -> None:
    query = Query.from_yaml(written(tmp_path, "targets: {prepositions: [on]}\nnouns: [raid: {targets: [on]}]\n"))
    assert query.language.targets is not None
    assert query.language.targets.prepositions == query.language.nouns[0].targets == {"on"}
