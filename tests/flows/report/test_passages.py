"""Which words of an article are shown and marked; built by hand, without a parser."""

from datetime import date

import numpy as np
import pytest

from calib_core.coref import NEW, Antecedents, Mentions
from calib_core.document import Document
from calib_core.events import Query
from flows.report.passages import key_mentions, key_passage, mention_text, whole_passage
from flows.report.reasons import chain_sentence, failure_sentences
from workers.annotation_table import Annotation
from workers.explanations import ExplainedDocument, RunSettings, explain_document

TEXT = "Saddam of  Iraq spoke.\nRain fell.\nHe attacked."
WORDS = ("Saddam", "of", "Iraq", "spoke", ".", "Rain", "fell", ".", "He", "attacked", ".")
HEADS = np.array([3, 2, 0, -1, 3, 6, -1, 6, 9, -1, 9])
RELATIONS = ("nsubj", "case", "nmod", "root", "punct", "nsubj", "root", "punct", "nsubj", "root", "punct")
TAGS = ("PROPN", "ADP", "PROPN", "VERB", "PUNCT", "NOUN", "VERB", "PUNCT", "PRON", "VERB", "PUNCT")


@pytest.fixture
def explained() -> ExplainedDocument:
    starts = np.array([0, 7, 11, 16, 21, 23, 28, 32, 34, 37, 45])
    ends = starts + np.array([len(word) for word in WORDS])
    blank = ("_",) * len(WORDS)
    document = Document(
        "d", WORDS, blank, TAGS, blank, blank, HEADS, RELATIONS, np.array([0] * 5 + [1] * 3 + [2] * 3), starts, ends,
        ("",) * len(WORDS),
    )  # fmt: skip
    mentions = Mentions(np.array([0, 2, 5, 8]), np.array([3, 3, 6, 9]), np.array([0, 2, 5, 8]))
    candidates = np.array([NEW, 0, NEW, 0, 1, NEW, 0, 1, 2, NEW])
    logits = np.array([0, -9, 0, -9, -9, 0, 2, -9, 0, 0.0])
    antecedents = Antecedents(np.array([0, 1, 3, 6, 10]), candidates, logits)
    annotation = Annotation(date(1990, 1, 1), "T", TEXT, document, mentions, np.zeros(4, np.int64), antecedents)
    return explain_document(annotation, RunSettings(Query.from_yaml("attack"), None, 200, 0))


def test_agent_and_the_mention_that_names_the_country_are_key(explained: ExplainedDocument) -> None:
    assert {0, 3} <= set(key_mentions(explained))
    assert mention_text(explained.annotation, 0) == "Saddam of Iraq"  # two blanks in the text are one


def test_sentence_without_key_mention_is_left_out(explained: ExplainedDocument) -> None:
    passage = key_passage(explained)
    texts = ["".join(text for text, _ in sentence) if sentence else None for sentence in passage.sentences]
    if 2 not in key_mentions(explained):
        assert texts == ["Saddam of Iraq spoke.", None, "He attacked."]
    agents = {mark.text for mark in passage.marks if mark.agent}
    assert agents == {"He"}
    assert {mark.text for mark in passage.marks if mark.mention < 0} == {"attacked"}


def test_marks_lie_inside_each_other_and_cover_their_words(explained: ExplainedDocument) -> None:
    passage = whole_passage(explained, range(4))
    first = passage.sentences[0]
    assert first is not None
    assert [text for text, _ in first] == ["Saddam of ", "Iraq", " spoke."]
    inside = [[passage.marks[number].text for number in marks] for _, marks in first]
    assert inside == [["Saddam of Iraq"], ["Saddam of Iraq", "Iraq"], []]


def test_reasons_say_which_link_carries_the_country(explained: ExplainedDocument) -> None:
    (one,) = explained.countries
    names = {"IRQ": "Iraq"}
    assert chain_sentence(explained, one, one.chains[0], names) == (
        "the agent “He”, which is “Saddam of Iraq”, which names Iraq"
    )
    assert failure_sentences(explained, one, names)[0][1] == "no agent is the same entity as a mention of Iraq"
