"""Figures that set two coreference models side by side."""

from pathlib import Path

import numpy as np
import pytest

from calib_core.coref import AntecedentModel, read_conllu
from calib_core.document import Document
from reproductions.context.gap import Snippet, answer_probabilities, read_gap
from reproductions.context.paired import conll, gain, judge, likelihood
from tests.workers.context.conftest import STORY

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
TEXT = "The army left Harold. It saw him."


@pytest.fixture
def story(tmp_path: Path) -> Document:
    (tmp_path / "s.conllu").write_text(STORY.format(name="s", army="army", king="Harold"))
    return next(iter(read_conllu(tmp_path / "s.conllu")))


def test_answer_is_the_name_that_is_meant_or_neither(tmp_path: Path) -> None:
    rows = [("TRUE", "FALSE"), ("FALSE", "TRUE"), ("FALSE", "FALSE")]
    lines = [f"v-{n}\t{TEXT}\tIt\t22\tarmy\t4\t{a}\tHarold\t14\t{b}\tu\n" for n, (a, b) in enumerate(rows)]
    (tmp_path / "gap.tsv").write_text(HEADER + "".join(lines))
    assert [snippet.answer for snippet in read_gap(tmp_path / "gap.tsv")] == [0, 1, 2]


def test_wrong_offset_is_named(tmp_path: Path) -> None:
    (tmp_path / "gap.tsv").write_text(f"{HEADER}v-1\t{TEXT}\tIt\t21\tarmy\t4\tTRUE\tHarold\t14\tFALSE\tu\n")
    with pytest.raises(ValueError, match="v-1: Pronoun-offset must be where 'It' stands; got 21"):
        list(read_gap(tmp_path / "gap.tsv"))


def test_three_answers_share_one(story: Document) -> None:
    p = answer_probabilities(AntecedentModel.load(), story, Snippet("v", TEXT, (22, 24), ((4, 8), (14, 20)), 0))
    assert p.sum() == pytest.approx(1)
    assert p[0] > p[1]


def test_name_that_is_no_mention_has_no_probability(story: Document) -> None:
    p = answer_probabilities(AntecedentModel.load(), story, Snippet("v", TEXT, (22, 24), ((9, 13), (14, 20)), 2))
    assert p[0] == 0


def test_model_gains_nothing_over_itself(story: Document) -> None:
    judged = [judge(AntecedentModel.load(), story)] * 3
    for figure in (conll, likelihood):
        by = gain(figure, judged, judged)
        np.testing.assert_allclose([by.value, by.lo, by.hi], 0.0, atol=1e-12)
