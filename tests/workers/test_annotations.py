from datetime import date

import numpy as np
import pytest

from calib_core.coref import AntecedentModel, Antecedents
from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.properties import mention_arrays
from workers.annotations import Annotation, annotation_row, annotations_table, failed_row, read_annotations
from workers.parser import Parser
from workers.schemas import ANNOTATIONS

TEXT = "Café owners in Iraq — said they\u2019d leave.  President Saddam Hussein of Iraq spoke. He might attack it."


@pytest.fixture(scope="module")
def annotation(parser: Parser) -> Annotation:
    document, model = parser.parse("a/b", TEXT), AntecedentModel.load()
    mentions = model.mentions(document)
    arrays = mention_arrays(document, mentions)
    return Annotation(date(1990, 8, 2), "Title", TEXT, document, mentions, arrays.props[:, TYPE], model.score(arrays))


def test_annotation_comes_back_as_it_was(annotation: Annotation) -> None:
    table = annotations_table([annotation_row(annotation)])
    assert table.schema.equals(ANNOTATIONS, check_metadata=True)
    (back,) = read_annotations(table)
    assert (back.published, back.title, back.text) == (annotation.published, annotation.title, annotation.text)
    for name in ("words", "upos", "xpos", "feats", "deprels", "heads", "sentences", "starts", "ends"):
        assert np.array_equal(getattr(back.document, name), getattr(annotation.document, name)), name
    assert back.mentions.spans() == annotation.mentions.spans()
    assert np.array_equal(back.kinds, annotation.kinds)
    assert np.array_equal(back.antecedents.offsets, annotation.antecedents.offsets)
    assert np.array_equal(back.antecedents.candidates, annotation.antecedents.candidates)
    assert np.array_equal(back.antecedents.logits, annotation.antecedents.logits.astype(np.float32))


def test_second_reading_of_a_sliced_table_gives_the_right_row(annotation: Annotation) -> None:
    row = annotation_row(annotation)
    table = annotations_table([failed_row("x", date(1990, 1, 1), "", "", "no"), row, row | {"doc_id": "c"}])
    assert [found.doc_id for found in read_annotations(table)] == ["a/b", "c"]
    (last,) = read_annotations(table.slice(2))
    assert last.document.words == annotation.document.words


def test_candidates_that_leave_a_gap_are_refused(annotation: Annotation) -> None:
    odd = Antecedents(np.array([0, 1, 2, 4]), np.array([-1, -1, 0, -1]), np.zeros(4))
    wrong = Annotation(date(1990, 1, 1), "", TEXT, annotation.document, annotation.mentions, annotation.kinds, odd)
    with pytest.raises(ValueError, match="document 'a/b': candidates must be the nearest earlier mentions, then NEW"):
        annotation_row(wrong)


def test_document_without_mentions_comes_back(parser: Parser) -> None:
    document = parser.parse("empty", "")
    nothing = AntecedentModel.load().antecedents(document)
    mentions = AntecedentModel.load().mentions(document)
    row = annotation_row(Annotation(date(1990, 1, 1), "", "", document, mentions, np.zeros(0, np.int64), nothing))
    (back,) = read_annotations(annotations_table([row]))
    assert len(back.document) == len(back.mentions) == len(back.antecedents) == 0
