"""Mention detection: each documented rule on a sentence that shows it."""

import numpy as np
import pytest

from calib_core.coref import detect_mentions
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


def test_a_cycle_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"document 'd': token 0 .* is its own ancestor"):
        detect_mentions(sentence("a/NOUN/2/obj b/NOUN/1/obj"))


def test_an_empty_document_has_no_mentions() -> None:
    assert len(detect_mentions(sentence(""))) == 0
