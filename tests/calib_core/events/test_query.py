"""Queries: what the bundled ones say, and what a bad one is told."""

import pickle
import re
from pathlib import Path

import pytest

from calib_core.events import Query, bundled_queries
from calib_core.events.inflection import inflect


def written(folder: Path, text: str) -> Path:
    path = folder / "query.yaml"
    path.write_text(text)
    return path


def test_bundled_queries_are_these() -> None:
    more = ("police-arrest", "police-force", "police-kill", "violence-actors", "violence-dyads", "visit")
    attacks = ("attack", "attack-dyads", "attack-paper", "attack-strict", "attack-wide", "attack-yugoslavia")
    assert bundled_queries() == (*attacks, *more)


def test_attack_is_the_papers_query_with_compounds_and_appositions() -> None:
    query = Query.from_yaml("attack")
    assert query.forms == {"attack", "attacks", "attacked", "attacking"}
    assert query.roles == {"nsubj", "obl:agent"}
    assert query.modifiers - Query.from_yaml("attack-strict").modifiers == {"compound", "appos"}


def test_irregular_forms_are_as_given() -> None:
    assert {"strike", "strikes", "struck", "striking", "overran"} <= Query.from_yaml("attack-wide").forms


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("invade", "invade invaded invades invading"),
        ("bury", "buried buries bury burying"),
        ("destroy", "destroy destroyed destroying destroys"),
        ("ambush", "ambush ambushed ambushes ambushing"),
        ("raid", "raid raided raiding raids"),
        ("bomb", "bomb bombed bombing bombs"),
        ("stab", "stab stabbed stabbing stabs"),
        ("visit", "visit visited visiting visits visitted visitting"),
        ("panic", "panic panicked panicking panics"),
        ("tie", "tie tied ties tying"),
        ("free", "free freed freeing frees"),
        ("veto", "veto vetoed vetoes vetoing"),
        ("fix", "fix fixed fixes fixing"),
        ("equip", "equip equiped equiping equipped equipping equips"),
        ("quiz", "quiz quizzed quizzes quizzing"),
        ("singe", "singe singed singeing singes"),
        ("behave", "behave behaved behaves behaving"),
        ("relay", "relay relayed relaying relays"),
    ],
)
def test_regular_forms_are_derived(verb: str, forms: str) -> None:
    assert set(inflect(verb)) == set(forms.split())


@pytest.mark.parametrize(
    "verb",
    [
        "retake",
        "rebuild",
        "overfly",
        "outfight",
        "foresee",
        "mistake",
        "undergo",
        "unbind",
        "interweave",
        "weep",
        "cast",
    ],
)
def test_prefixed_irregular_verbs_are_known_as_irregular(verb: str) -> None:
    with pytest.raises(ValueError, match=f"forms of '{verb}' cannot be derived: it is irregular"):
        inflect(verb)


@pytest.mark.parametrize("verb", ["blow up", "open fire", "Attack", "strike", "bcdf"])
def test_the_advice_for_a_verb_that_cannot_be_derived_works(tmp_path: Path, verb: str) -> None:
    with pytest.raises(ValueError, match="write `- ") as refusal:
        Query.from_yaml(written(tmp_path, f"name: a\nverbs: [{verb}]\n"))
    advice = re.search("`(.*)`", str(refusal.value))
    assert advice
    Query.from_yaml(written(tmp_path, f"name: a\nverbs:\n  {advice.group(1)}\n"))


def test_the_simplest_query_has_the_papers_settings(tmp_path: Path) -> None:
    query = Query.from_yaml(written(tmp_path, "name: aid\nverbs: [help]\n"))
    assert (query.unit, query.roles) == ("documents", {"nsubj", "obl:agent"})
    assert query.lexicon.code("France") == "FRA"


def test_own_lexicon_is_found_beside_the_query(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("code\tkind\tform\ttype\tfrom\tto\nQQQ\tactor\tQuux\tname\t\t\n")
    query = Query.from_yaml(written(tmp_path, "name: aid\nverbs: [help]\nlexicon: [countries, mine.tsv]\n"))
    assert {"QQQ", "FRA"} <= set(query.codes)


def test_merged_codes_are_one(tmp_path: Path) -> None:
    query = Query.from_yaml(written(tmp_path, "name: a\nverbs: [attack]\nmerge: {YUG: [SRB, SCG]}\n"))
    assert query.recode("SRB") == "YUG"
    assert "SRB" not in query.codes


def test_fingerprint_goes_by_content_not_by_name_or_place(tmp_path: Path) -> None:
    text = "name: {}\nverbs: [{}]\nroles: [nsubj, obl:agent]\n"
    same = Query.from_yaml(written(tmp_path, text.format("assault", "attack")))
    other = Query.from_yaml(written(tmp_path, text.format("attack", "bomb")))
    assert same.fingerprint == Query.from_yaml("attack").fingerprint
    assert other.fingerprint != Query.from_yaml("attack").fingerprint


def test_bundled_queries_have_different_fingerprints() -> None:
    assert len({Query.from_yaml(name).fingerprint for name in bundled_queries()}) == len(bundled_queries())


def test_a_query_can_be_sent_to_a_worker() -> None:
    query = Query.from_yaml("attack-wide")
    assert pickle.loads(pickle.dumps(query)).forms == query.forms  # noqa: S301


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: a\n", "verbs must be a list with at least one verb; got None"),
        ("name: a\nverbs: []\n", r"verbs must be a list with at least one verb; got \[\]"),
        ("name: a\nverbs: attack\n", "verbs must be a list with at least one verb; got 'attack'"),
        ("verbs: [attack]\n", "name must be a word; got None"),
        ("name: a\nverbs: [strike]\n", "verbs: forms of 'strike' cannot be derived: it is irregular"),
        ("name: a\nverbs: [open fire]\n", "verbs: forms of 'open fire' cannot be derived"),
        ("name: a\nverbs: [Attack]\n", "verbs: forms of 'Attack' cannot be derived"),
        ("name: a\nverbs: [bcdf]\n", "verbs: forms of 'bcdf' cannot be derived"),
        ("name: a\nverbs: [on]\n", "verbs must be words; got True"),
        ("name: a\nverbs: [{strike: struck}]\n", "verbs: forms of 'strike' must be a list; got 'struck'"),
        ("name: a\nverbs: [{strike: [St ruck]}]\n", "verbs: a form is one word of small letters a to z; got 'St ruck'"),
        ("name: a\nverbs: [attack]\nroles: [dobj]\n", "roles: unknown value 'dobj'; known are nsubj, obl:agent"),
        ("name: a\nverbs: [attack]\nroles: []\n", "roles must not be empty"),
        ("name: a\nverbs: [attack]\nroles: nsubj\n", "roles must be a list; got 'nsubj'"),
        ("name: a\nverbs: [attack]\nmodifiers: [cop]\n", "modifiers: unknown value 'cop'"),
        (
            "name: a\nverbs: [attack]\nlexicon: planets\n",
            r"lexicon: unknown lexicon 'planets': neither bundled \(actors, countries\)",
        ),
        ("name: a\nverbs: [attack]\nlexicon: 7\n", "lexicon must be a name or a path; got 7"),
        ("name: a\nverbs: [attack]\ncountries: [USX]\n", "countries: unknown value 'USX'"),
        ("name: a\nverbs: [attack]\nmerge: {YUG: [SRB]}\ncountries: [SRB]\n", "countries: unknown value 'SRB'.*merged"),
        ("name: a\nverbs: [attack]\nmerge: {YUG: [QQQ]}\n", "merge: unknown code 'QQQ'"),
        ("name: a\nverbs: [attack]\nmerge: {YUG: [SRB], SRB: [SCG]}\n", "merge: a code may be merged once"),
        ("name: a\nverbs: [attack]\nunit: words\n", "unit must be one of documents, entities; got 'words'"),
        ("name: a\nverbs: [attack]\nverb: [bomb]\n", "unknown key 'verb'"),
        ("- attack\n", "a query is a mapping with name and verbs; got list"),
        ("attack", "a query is a mapping with name and verbs; got str"),
        ("", "a query is a mapping with name and verbs; got NoneType"),
        ("name: a\nverbs: [attack]\nverbs: [bomb]\n", "not YAML .*key 'verbs' is given twice"),
        ("name: [\n", "not YAML that can be loaded safely"),
        ("!!python/object/apply:os.getcwd []\n", "not YAML that can be loaded safely"),
    ],
)
def test_a_bad_query_names_file_key_and_value(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=r"(?s)query\.yaml: " + complaint):
        Query.from_yaml(written(tmp_path, text))


def test_yaml_is_loaded_without_running_anything(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    path = written(
        tmp_path, f"!!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{mark}']]"
    )
    with pytest.raises(ValueError, match="loaded safely"):
        Query.from_yaml(path)
    assert not mark.exists()


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.yaml"):
        Query.from_yaml(tmp_path / "none.yaml")


def test_an_unknown_name_lists_the_bundled_ones() -> None:
    with pytest.raises(FileNotFoundError, match="atack: neither a file nor a bundled query; bundled are attack, "):
        Query.from_yaml("atack")


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "query.yaml"
    path.write_bytes("name: café\nverbs: [attack]\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"query\.yaml: not UTF-8: byte 0xe9 at 9"):
        Query.from_yaml(path)
