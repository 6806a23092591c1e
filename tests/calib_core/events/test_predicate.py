"""The predicate, case by case: every example of `calib_core/events/examples/predicate.conllu` and its flags."""

from dataclasses import replace

import numpy as np
import pytest

from calib_core.coref import Mentions
from calib_core.document import Document
from calib_core.events import Query, mention_evidence, parser_report, predicate_examples
from calib_core.events.agents import EMBEDDED, MODAL, NEGATED, events
from calib_core.events.examples import Example, answer, worded
from calib_core.events.tree import Tree

EXAMPLES = {example.name: example for example in predicate_examples()}


def answered(example: Example, query: Query) -> set[tuple[str, str]]:
    found = answer(example.document, example.spans, example.entities, query, example.year)
    return set(worded(example, found))


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_answered_as_expected(name: str) -> None:
    example = EXAMPLES[name]
    assert answered(example, Query.from_yaml(example.query)) == example.expected, example.note


def test_there_are_enough_examples_of_both_kinds() -> None:
    right = [example for example in EXAMPLES.values() if example.expected]
    assert len(right) >= 40
    assert len(EXAMPLES) - len(right) >= 30


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("active-amod", 0),
        ("modal", MODAL),
        ("negation", NEGATED),
        ("negated-subject", NEGATED),
        ("condition", EMBEDDED),
        ("subject-control", EMBEDDED),
        ("accused-of", EMBEDDED),
        ("adverbial-after", 0),
    ],
)
def test_doubtful_events_are_counted_and_flagged(name: str, flags: int) -> None:
    assert [event.flags for event in events(Tree.of(EXAMPLES[name].document), Query.from_yaml("attack"))] == [flags]


def test_only_the_denied_conjunct_is_flagged() -> None:
    found = events(Tree.of(EXAMPLES["negated-conjunct"].document), Query.from_yaml("attack"))
    assert [(event.agent, event.flags) for event in found] == [(0, 0), (3, NEGATED)]


def test_not_only_is_no_negation() -> None:
    gold = EXAMPLES["negated-conjunct"].document
    words = ("Iran", ",", "not", "only", ",", "attacked", ".")
    found = events(Tree.of(replace(gold, words=words)), Query.from_yaml("attack"))
    assert all(event.flags == 0 for event in found)


@pytest.mark.parametrize(
    ("name", "flag"), [("modal", "modal"), ("negation", "negated"), ("subject-control", "embedded")]
)
def test_a_query_can_leave_out_doubtful_events(name: str, flag: str) -> None:
    query = replace(Query.from_yaml("attack"), exclude=frozenset({flag}))
    assert answered(EXAMPLES[name], query) == set()


@pytest.mark.parametrize(
    "name",
    [
        "coordinated-verbs",
        "subject-control",
        "relative-subject",
        "reduced-active",
        "adverbial-after",
        "passive-control",
    ],
)
def test_the_paper_to_the_letter_takes_attached_subjects_only(name: str) -> None:
    query = replace(Query.from_yaml("attack"), subjects=frozenset())
    assert answered(EXAMPLES[name], query) == set()


@pytest.mark.parametrize("name", ["active-amod", "pronoun", "passive-by", "modal", "relative-object"])
def test_the_paper_to_the_letter_keeps_direct_arguments(name: str) -> None:
    query = replace(Query.from_yaml("attack"), subjects=frozenset())
    assert answered(EXAMPLES[name], query) == EXAMPLES[name].expected


def test_patients_can_be_asked_for() -> None:
    query = replace(Query.from_yaml("attack"), roles=frozenset({"obj", "nsubj:pass"}))
    assert answered(EXAMPLES["active-amod"], query) == {("IRN", "iran")}
    assert answered(EXAMPLES["passive-patient"], query) == {("IRQ", "iraq")}


def test_two_queries_that_differ_only_in_name_say_the_same() -> None:
    query = Query.from_yaml("attack")
    other = replace(query, name="assault")
    assert all(answered(example, query) == answered(example, other) for example in EXAMPLES.values())


def test_merged_countries_are_one_country() -> None:
    example = EXAMPLES["two-countries-one-entity"]
    query = replace(Query.from_yaml("attack"), merge=(("ISR", "USA"),))
    assert answered(example, query) == {("USA", "diplomat")}


def test_codes_of_other_countries_still_spoil_uniqueness_when_not_reported() -> None:
    query = replace(Query.from_yaml("attack"), countries=frozenset({"USA"}))
    assert answered(EXAMPLES["two-countries-one-entity"], query) == set()


def test_a_perfect_parser_gets_every_example_right() -> None:
    gold = {example.text: example.document for example in EXAMPLES.values()}
    assert parser_report(gold.__getitem__).share == 1.0


def test_a_parser_without_relations_gets_only_the_negative_ones_right() -> None:
    def flat(text: str) -> Document:
        gold = next(example.document for example in EXAMPLES.values() if example.text == text)
        return replace(gold, deprels=("dep",) * len(gold))

    report = parser_report(flat)
    assert set(report.wrong) == {name for name, example in EXAMPLES.items() if example.expected}


def test_trees_with_cycles_do_not_hang() -> None:
    gold = EXAMPLES["relative-control"].document
    looped = replace(gold, heads=np.roll(np.arange(len(gold)), -1), deprels=("conj", "xcomp") * 5 + ("flat",))
    span = np.arange(len(gold))
    evidence = mention_evidence(looped, Mentions(span, span + 1, span), Query.from_yaml("attack"), year=1985)
    assert len(evidence) == len(gold)


def test_mentions_outside_the_document_are_refused() -> None:
    document = EXAMPLES["active-amod"].document
    mentions = Mentions(np.array([0]), np.array([10]), np.array([9]))
    with pytest.raises(ValueError, match=r"'active-amod': mention 0 has head 9 and span \[0, 10\)"):
        mention_evidence(document, mentions, Query.from_yaml("attack"), year=None)


def test_mention_arrays_of_different_lengths_are_refused() -> None:
    document = EXAMPLES["active-amod"].document
    mentions = Mentions(np.array([0, 1]), np.array([1]), np.array([0]))
    with pytest.raises(ValueError, match="1 heads, 2 starts and 1 ends"):
        mention_evidence(document, mentions, Query.from_yaml("attack"), year=None)


def test_a_document_without_mentions_has_no_evidence() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    mentions = Mentions(nothing, nothing, nothing)
    evidence = mention_evidence(EXAMPLES["active-amod"].document, mentions, Query.from_yaml("attack"), year=1990)
    assert len(evidence) == 0
