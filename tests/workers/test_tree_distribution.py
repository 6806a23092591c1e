"""What the parser keeps of its own doubt."""

import json
from pathlib import Path

import numpy as np
import pytest

from calib_core.syntax import ArcTemperatures, arc_marginals, sample_trees
from workers.parser import Parser, ParserConfig
from workers.parsing.choice import SHIPPED, ModelError
from workers.parsing.distribution import (
    MOST_HEADS,
    TEMPERATURES,
    Temperatures,
    likely_arcs,
    likely_relations,
    load_temperatures,
    write_temperatures,
)

SENTENCES = [["Iraqi", "troops", "attacked", "the", "village", "near", "the", "border", "."], ["They", "fled", "."]]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser(ParserConfig())


def log_rows(weights: list[list[float]]) -> np.ndarray:
    rows = np.array([[1.0] * len(weights[0]), *weights])
    return np.log(rows / rows.sum(axis=1, keepdims=True) + 1e-12).astype(np.float32)


def test_unlikely_arcs_are_left_out_and_the_best_tree_is_not() -> None:
    scores = log_rows([[0.999, 0, 0.001], [0.6, 0.4, 0]])
    kept = likely_arcs(scores, np.array([0, 2, 0]), Temperatures(least=0.01))
    assert list(zip(kept.words, kept.heads, strict=True)) == [(1, 0), (1, 2), (2, 0), (2, 1)]
    assert np.exp(kept.scores) == pytest.approx([0.999, 0.001, 0.6, 0.4], abs=1e-4)


def test_a_word_keeps_so_many_heads_at_most() -> None:
    n = 3 * MOST_HEADS
    scores = np.random.default_rng(0).normal(scale=0.1, size=(n + 1, n + 1)).astype(np.float32) - np.log(n)
    chain = np.arange(-1, n)
    chain[:2] = 0
    kept = likely_arcs(scores, chain, Temperatures(least=1e-9))
    assert np.diff(kept.offsets).max() <= MOST_HEADS + 1  # and one of the best tree


def test_relations_are_kept_by_their_probability_together_with_the_arc() -> None:
    arcs = likely_arcs(log_rows([[1.0, 0]]), np.array([0, 0]), Temperatures())
    logs = np.log(np.array([[0.7, 0.2985, 0.0015]], dtype=np.float32))
    kept = likely_relations(arcs, logs, Temperatures(least=0.002))
    assert kept.labels.tolist() == [0, 1]


def test_the_parser_is_sure_where_there_is_nothing_to_doubt(parser: Parser) -> None:
    first, second = parser.parse_words(SENTENCES)
    assert first.trees is not None
    assert second.trees is not None
    arcs = second.trees.arcs
    p = arc_marginals(arcs)[[arcs.offsets[0] + int(np.flatnonzero(arcs.heads[: arcs.offsets[1]] == 2)[0])]]
    assert p > 0.9  # They <- fled
    assert {"nsubj", "root", "obl:agent"} <= set(first.trees.names)


def test_every_sample_is_a_tree_of_the_sentence(parser: Parser) -> None:
    trees = parser.parse_words(SENTENCES)[0].trees
    assert trees is not None
    heads = trees.arcs.heads[sample_trees(trees.arcs, 200, key=0)]
    assert ((heads == 0).sum(axis=1) == 1).all()
    troops = heads[:, 1]
    assert (troops == 3).mean() > 0.9  # troops <- attacked


def test_doubt_depends_on_the_document_alone(parser: Parser) -> None:
    again = parser.parse_words(SENTENCES)
    for one, other in zip(parser.parse_words(SENTENCES), again, strict=True):
        assert one.trees is not None
        assert other.trees is not None
        assert one.trees.arcs.scores.tobytes() == other.trees.arcs.scores.tobytes()
        assert one.trees.relations.scores.tobytes() == other.trees.relations.scores.tobytes()


def test_the_shipped_model_has_temperatures_in_its_manifest() -> None:
    assert TEMPERATURES in json.loads((SHIPPED / "manifest.json").read_text())
    found = load_temperatures(SHIPPED)
    assert found.arcs.near > 1
    assert found.relations > 1


def test_temperatures_come_back_as_they_were_written(tmp_path: Path) -> None:
    written = Temperatures(ArcTemperatures(1.4, 3.0, 0.08), 1.3)
    write_temperatures(tmp_path, written)
    assert load_temperatures(tmp_path) == written


def test_a_folder_without_temperatures_leaves_scores_as_they_are(tmp_path: Path) -> None:
    assert load_temperatures(tmp_path) == Temperatures()


@pytest.mark.parametrize(
    "content", ["{}", "no", '{"arcs": {"near": 0}, "relations": 1}', '{"arcs": 1, "relations": 1}']
)
def test_temperatures_that_are_none_are_refused_with_their_file(tmp_path: Path, content: str) -> None:
    (tmp_path / TEMPERATURES).write_text(content)
    with pytest.raises(ModelError, match=r"temperatures\.json"):
        load_temperatures(tmp_path)
