from dataclasses import replace
from datetime import date
from itertools import pairwise

import numpy as np
import pytest

from calib_core.coref import AntecedentModel, Antecedents
from calib_core.syntax import tree_log_probability
from workers.annotation_table import Annotation, annotation_row, annotations_table, failed_row, read_annotations
from workers.parser import Parser
from workers.schemas import ANNOTATIONS, check_schema

TEXT = "Café owners in Iraq — said they\u2019d leave.  President Saddam Hussein of Iraq spoke. He might attack it."


@pytest.fixture(scope="module")
def annotation(parser: Parser) -> Annotation:
    document, trees = parser.parse_with_doubt("a/b", TEXT)
    linked = AntecedentModel.load().link(document)
    of = (linked.mentions, linked.kinds, linked.antecedents, trees)
    return Annotation(date(1990, 8, 2), "Title", TEXT, document, *of)


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


def pruned(full: Antecedents) -> Antecedents:
    """Of each mention every second candidate, the likeliest first, and NEW."""
    kept = []
    for start, end in pairwise(full.offsets.tolist()):
        order = start + np.argsort(-full.logits[start : end - 1], kind="stable")
        kept.append(np.append(order[::2], end - 1))
    entries = np.concatenate(kept)
    offsets = np.cumsum([0, *map(len, kept)])
    return Antecedents(offsets, full.candidates[entries], full.logits[entries])


def test_a_pruned_list_of_candidates_comes_back_beside_a_full_one(annotation: Annotation) -> None:
    few = replace(annotation, antecedents=pruned(annotation.antecedents))
    assert len(few.antecedents.candidates) < len(annotation.antecedents.candidates)
    rows = [annotation_row(annotation), annotation_row(few)]
    assert rows[0]["candidates"] is None
    for one, back in zip((annotation, few), read_annotations(annotations_table(rows)), strict=True):
        assert np.array_equal(back.antecedents.offsets, one.antecedents.offsets)
        assert np.array_equal(back.antecedents.candidates, one.antecedents.candidates)
        assert np.array_equal(back.antecedents.logits, one.antecedents.logits.astype(np.float32))


def test_a_table_of_version_1_is_read_without_candidates(annotation: Annotation) -> None:
    table = annotations_table([annotation_row(annotation)]).drop_columns(["candidates"])
    older = table.replace_schema_metadata({**table.schema.metadata, b"credence.version": b"1"})
    check_schema(older.schema, ANNOTATIONS, "f")
    (back,) = read_annotations(older)
    assert np.array_equal(back.antecedents.candidates, annotation.antecedents.candidates)


def test_distributions_over_trees_come_back_where_they_are_asked_for(annotation: Annotation) -> None:
    table = annotations_table([annotation_row(annotation)])
    (without,), (back,) = read_annotations(table), read_annotations(table, trees=True)
    assert without.trees is None
    assert annotation.trees is not None
    assert back.trees is not None
    assert len(back.trees) == len(annotation.document)
    for name in ("n_heads", "heads", "n_relations"):
        assert np.array_equal(getattr(back.trees, name), getattr(annotation.trees, name)), name
    assert np.abs(back.trees.scores - annotation.trees.scores).max() <= 0.0005
    assert np.abs(back.trees.label_scores - annotation.trees.label_scores).max() <= 0.0005
    said = [[trees.names[label] for label in trees.labels] for trees in (back.trees, annotation.trees)]
    assert said[0] == said[1]


def test_the_best_tree_is_among_the_possible_ones(annotation: Annotation) -> None:
    (back,) = read_annotations(annotations_table([annotation_row(annotation)]), trees=True)
    assert back.trees is not None
    for number in range(int(back.document.sentences[-1]) + 1):
        tokens = np.flatnonzero(back.document.sentences == number)
        arcs, relations = back.trees.sentence(int(tokens[0]), int(tokens[-1]) + 1)
        assert len(relations) == len(arcs.heads)
        heads = back.document.heads[tokens]
        best = np.where(heads < 0, 0, heads - tokens[0] + 1)
        assert tree_log_probability(arcs, best) > np.log(1e-3)


def test_a_parser_that_does_not_tell_leaves_the_columns_empty(annotation: Annotation) -> None:
    table = annotations_table([annotation_row(replace(annotation, trees=None))])
    (back,) = read_annotations(table, trees=True)
    assert back.trees is None


def test_document_without_mentions_comes_back(parser: Parser) -> None:
    document = parser.parse("empty", "")
    nothing = AntecedentModel.load().antecedents(document)
    mentions = AntecedentModel.load().mentions(document)
    row = annotation_row(Annotation(date(1990, 1, 1), "", "", document, mentions, np.zeros(0, np.int64), nothing))
    (back,) = read_annotations(annotations_table([row]))
    assert len(back.document) == len(back.mentions) == len(back.antecedents) == 0
