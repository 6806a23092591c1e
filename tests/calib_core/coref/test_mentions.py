"""Mention detection: each documented rule on a sentence that shows it."""

from dataclasses import replace

import numpy as np
import pytest

from calib_core.coref import detect_mentions
from calib_core.coref.features import columns
from calib_core.coref.features.columns import checksum
from calib_core.coref.features.properties import mention_arrays
from calib_core.coref.mentions.detection import dateline_end
from calib_core.document import Document


def sentence(text: str) -> Document:
    """A sentence from `form/UPOS/head/relation` tokens, heads counted from 1; `form/UPOS/XPOS/head/relation` too."""
    rows = [token.split("/") for token in text.split()]
    rows = [[form, tag, rest[0] if len(rest) == 3 else "_", *rest[-2:]] for form, tag, *rest in rows]
    n = len(rows)
    return Document(
        doc_id="d",
        words=tuple(row[0] for row in rows),
        lemmas=tuple(row[0].lower() for row in rows),
        upos=tuple(row[1] for row in rows),
        xpos=tuple(row[2] for row in rows),
        feats=("_",) * n,
        heads=np.array([int(row[3]) - 1 for row in rows], dtype=np.int64),
        deprels=tuple(row[4] for row in rows),
        sentences=np.zeros(n, dtype=np.int64),
        starts=np.full(n, -1),
        ends=np.full(n, -1),
        speakers=("",) * n,
    )


def found(text: str) -> list[str]:
    document = sentence(text)
    return [" ".join(document.words[a:b]) for a, b in detect_mentions(document).spans()]


def test_a_mention_spans_its_subtree_without_the_preposition() -> None:
    assert found("in/ADP/4/case the/DET/4/det old/ADJ/4/amod town/NOUN/0/root") == ["the old town"]


def test_a_possessor_is_a_mention_inside_its_noun_and_keeps_its_s() -> None:
    text = "the/DET/2/det king/NOUN/4/nmod:poss 's/PART/POS/2/case son/NOUN/0/root"
    assert found(text) == ["the king 's son", "the king 's"]


def test_a_coordination_gives_whole_and_parts() -> None:
    text = "Ann/PROPN/4/nsubj and/CCONJ/3/cc Bob/PROPN/1/conj left/VERB/0/root"
    assert found(text) == ["Ann and Bob", "Ann", "Bob"]


def test_appositions_and_relative_clauses_stay() -> None:
    text = "Ann/PROPN/0/root ,/PUNCT/4/punct a/DET/4/det doctor/NOUN/1/appos who/PRON/WP/6/nsubj ran/VERB/4/acl:relcl"
    assert found(text) == ["Ann , a doctor who ran", "a doctor who ran"]


def test_the_clause_of_a_predicate_noun_is_cut_off() -> None:
    text = "She/PRON/4/nsubj is/AUX/4/cop a/DET/4/det judge/NOUN/0/root now/ADV/4/advmod ./PUNCT/4/punct"
    assert found(text) == ["She", "a judge"]


@pytest.mark.parametrize(
    "text",
    [
        "who/PRON/WP/2/nsubj left/VERB/0/root",
        "there/PRON/EX/2/expl is/VERB/0/root",
        "iron/NOUN/2/compound ore/VERB/0/root",
        "left/VERB/0/root",
    ],
)
def test_what_does_not_refer_is_no_mention(text: str) -> None:
    assert found(text) == []


def test_a_name_is_one_mention() -> None:
    assert found("New/PROPN/2/compound York/PROPN/0/root City/PROPN/2/flat") == ["New York City"]


def test_a_title_is_no_mention_but_what_the_name_is_said_to_be() -> None:
    document = sentence("President/PROPN/2/nmod:desc Omar/PROPN/4/nsubj Haddad/PROPN/2/flat spoke/VERB/0/root")
    mentions = detect_mentions(document)
    assert mentions.spans() == [(0, 3)]
    assert mention_arrays(document, mentions).props[0, columns.APPOSITION] == checksum("president")


def test_a_later_part_of_a_name_is_no_mention_even_if_it_is_one_elsewhere() -> None:
    text = "Omar/PROPN/3/nsubj Haddad/PROPN/1/flat saw/VERB/0/root Haddad/PROPN/3/obj"
    assert found(text) == ["Omar Haddad", "Haddad"]


def test_the_preposition_before_a_mention_is_known() -> None:
    document = sentence("near/ADP/2/case Basra/PROPN/3/obl slept/VERB/0/root Omar/PROPN/3/nsubj")
    known = mention_arrays(document, detect_mentions(document)).props[:, columns.PREPOSITION]
    assert known.tolist() == [checksum("near"), 0]


def test_a_day_of_the_week_is_not_animate_and_a_name_is_unknown() -> None:
    document = sentence("Friday/PROPN/0/root Haddad/PROPN/1/dep")
    assert mention_arrays(document, detect_mentions(document)).props[:, columns.ANIMATE].tolist() == [2, 0]


def dateline(text: str, sentences: tuple[int, ...] = ()) -> int:
    """Where the dateline of a text ends, words at their places in it."""
    words, starts = text.split(), []
    for word in words:
        starts.append(text.index(word, starts[-1] + 1 if starts else 0))
    document = sentence(" ".join(f"{word}/PROPN/0/root" for word in words))
    ends = np.array([start + len(word) for start, word in zip(starts, words, strict=True)])
    return dateline_end(
        replace(document, starts=np.array(starts), ends=ends, sentences=np.array(sentences or [0] * len(words)))
    )


@pytest.mark.parametrize(
    ("text", "sentences", "end"),
    [
        ("KABUL , Sept. 3 ( Reuters ) - Troops moved", (), 8),
        ("MEXICO CITY -- Troops moved", (), 3),
        ("HUMAR , June 21 Soldiers came", (0, 0, 0, 0, 1, 1), 4),
        ("SUMMARY Soldiers came", (0, 1, 1), 0),
        ("UN Forces In 5 Towns Soldiers came", (0, 0, 0, 0, 0, 1, 1), 0),
        ("NATO Secretary General Solana - a Spaniard - left", (), 0),
        ("BASRA , Iraq ( AP ) -- Troops moved", (), 7),
        ("IBM said - in short - no", (), 0),
        ("Kabul , Sept. 3 - Troops moved", (), 0),
        ("", (), 0),
    ],
)
def test_a_dateline_ends_at_its_dash_or_with_its_sentence(text: str, sentences: tuple[int, ...], end: int) -> None:
    assert dateline(text, sentences) == end


def test_a_dateline_holds_no_mention() -> None:
    document = sentence("KABUL/PROPN/4/dep 3/NUM/1/nmod -/PUNCT/1/punct Troops/NOUN/0/root")
    placed = replace(document, starts=np.array([0, 6, 8, 10]), ends=np.array([5, 7, 9, 16]))
    assert detect_mentions(placed).spans() == [(3, 4)]


def test_a_cycle_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"document 'd': token 0 .* is its own ancestor"):
        detect_mentions(sentence("a/NOUN/2/obj b/NOUN/1/obj"))


def test_an_empty_document_has_no_mentions() -> None:
    assert len(detect_mentions(sentence(""))) == 0
