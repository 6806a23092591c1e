"""Generic events: an entity described as m is the agent of v."""

from pathlib import Path

import numpy as np
import pytest

from calib_core.coref import detect_mentions, read_conllu
from calib_core.document import Document
from calib_core.events.generic import frequent_words, generic_answers, generic_evidence

TEXT = """\
# newdoc id = d
1\tRebel\trebel\tNOUN\tNN\t_\t2\tcompound\t_\t_
2\ttroops\ttroop\tNOUN\tNNS\tNumber=Plur\t3\tnsubj\t_\t_
3\trested\trest\tVERB\tVBD\t_\t0\troot\t_\t_

1\tThey\tthey\tPRON\tPRP\tNumber=Plur\t2\tnsubj\t_\t_
2\tattacked\tattack\tVERB\tVBD\t_\t0\troot\t_\t_
3\tvillages\tvillage\tNOUN\tNNS\tNumber=Plur\t2\tobj\t_\t_

"""
ALL = (frozenset({"rebel", "troop", "village"}), frozenset({"rest", "attack"}))


@pytest.fixture
def document(tmp_path: Path) -> Document:
    path = tmp_path / "d.conllu"
    path.write_text(TEXT)
    return next(read_conllu(path))


def test_descriptions_and_verbs_of_mentions(document: Document) -> None:
    evidence = generic_evidence(document, detect_mentions(document))
    assert [sorted(words) for words in evidence.descriptions] == [["rebel", "troop"], [], ["village"]]
    assert [sorted(words) for words in evidence.verbs] == [["rest"], ["attack"], []]


def test_events_happen_where_the_two_mentions_are_one_entity(document: Document) -> None:
    evidence = generic_evidence(document, detect_mentions(document))
    events, answers = generic_answers(evidence, np.array([[0, 0, 2], [0, 1, 2], [0, 1, 1]]), *ALL)
    answer = dict(zip(events, answers.tolist(), strict=True))
    assert answer["rebel", "attack"] == [True, False, False]
    assert answer["village", "attack"] == [False, False, True]
    assert answer["village", "rest"] == [False, False, False]


def test_events_of_one_mention_need_no_coreference_and_are_left_out(document: Document) -> None:
    evidence = generic_evidence(document, detect_mentions(document))
    apart = np.array([[0, 1, 2]])
    assert ("rebel", "rest") not in generic_answers(evidence, apart, *ALL)[0]
    events, answers = generic_answers(evidence, apart, *ALL, plain=True)
    assert answers[events.index(("rebel", "rest"))].tolist() == [True]


def test_words_of_few_documents_are_not_asked_about(document: Document) -> None:
    evidence = generic_evidence(document, detect_mentions(document))
    assert frequent_words([evidence], least=2) == (frozenset(), frozenset())
    assert frequent_words([evidence, evidence], least=2) == ALL
    assert generic_answers(evidence, np.array([[0, 0, 2]]), frozenset(), frozenset())[0] == []
