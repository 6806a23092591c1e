"""The rules of a query in plain words."""

from dataclasses import replace
from pathlib import Path

import pytest

from calib_core.events import Query
from flows.label.codebook import codebook
from flows.label.names import choices
from workers.propagation.query_file import query_content, read_query

QUERY = Query.from_yaml("attack")


def from_text(folder: Path, more: str) -> Query:
    file = folder / "mine.yaml"
    file.write_text(f"name: mine\nverbs: [attack]\n{more}\n")
    return Query.from_yaml(file)


def said(query: Query) -> tuple[str, str]:
    rules = codebook(query)
    return " ".join(rules.counts), " ".join(rules.does_not)


def test_question_names_the_verb_and_the_side() -> None:
    rules = codebook(QUERY)
    assert rules.question == "Which countries does this article describe as the ones who attack?"
    assert rules.prompt == "Who attacks?"


def test_patients_are_asked_for_where_the_query_does() -> None:
    rules = codebook(replace(QUERY, roles=frozenset({"obj", "nsubj:pass"})))
    assert "to whom it is done" in rules.question
    assert rules.prompt == "To whom is it done?"


def test_many_verbs_are_counted_not_listed() -> None:
    assert "more verbs" in codebook(Query.from_yaml("attack-wide")).question


def test_what_the_query_excludes_moves_to_the_other_side() -> None:
    counts, does_not = said(QUERY)
    assert "denied" in counts
    assert "denied" not in does_not
    counts, does_not = said(replace(QUERY, exclude=frozenset({"negated"})))
    assert "denied" not in counts
    assert "denied" in does_not


def test_choices_are_the_codes_that_the_query_reports() -> None:
    assert {choice.code for choice in choices(replace(QUERY, countries=frozenset({"IRQ", "IRN"})))} == {"IRQ", "IRN"}


def test_a_merged_code_is_found_by_its_own_words() -> None:
    [yugoslavia] = [choice for choice in choices(Query.from_yaml("attack-yugoslavia")) if choice.code == "YUG"]
    assert {"Yugoslavia", "Serbia"} <= set(yugoslavia.words)
    assert yugoslavia.name == "Yugoslavia"


def test_the_authors_own_rules_stand_first_and_change_no_answer(tmp_path: Path) -> None:
    own = from_text(tmp_path, "codebook: |\n  Count raids too.\n\n  Not strikes of workers.")
    assert codebook(own).own == ("Count raids too.", "Not strikes of workers.")
    assert own.fingerprint == QUERY.fingerprint
    assert read_query(query_content(own)).codebook == own.codebook
    assert "codebook" not in query_content(QUERY)


def test_rules_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="codebook must be text"):
        from_text(tmp_path, "codebook: [a, b]")


def test_a_query_with_targets_asks_for_both_sides(tmp_path: Path) -> None:
    query = from_text(tmp_path, "targets: {roles: [obj], countries: [IRQ]}")
    found = {choice.code: choice for choice in choices(query)}
    assert "to whom it is done" in said(query)[0]
    assert (found["IRQ"].agent, found["IRQ"].target) == (True, True)
    assert (found["IRN"].agent, found["IRN"].target) == (True, False)
    assert found["-"].target


def test_actors_are_called_actors() -> None:
    assert codebook(Query.from_yaml("police-arrest")).thing == "actor"
