"""One annotated document as the model sees it."""

from pathlib import Path

import numpy as np
import pytest

from calib_core.coref import AntecedentModel, read_conll
from tests.workers.calibration.corpus import write_corpus
from workers.calibration.inputs import read_annotated
from workers.calibration.prepare import PrepareTask, prepare
from workers.parsing.choice import ParserConfig
from workers.reparse import spaced

CONLL = (
    "#begin document (nw/a); part 000\n"
    "a 0 0 Ann (0)\na 0 1 met -\na 0 2 the (1\na 0 3 army 1)\na 0 4 . -\n\n"
    "a 0 0 She (0)\na 0 1 liked -\na 0 2 it (1)\na 0 3 . -\n\n#end document\n"
)


def test_words_without_places_stand_one_blank_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(CONLL)
    document = spaced(next(read_conll(path)))
    assert document.starts[:4].tolist() == [0, 4, 8, 12]
    assert document.ends[:4].tolist() == [3, 7, 11, 16]


def test_gold_mentions_are_those_of_the_annotators(tmp_path: Path) -> None:
    document = read_annotated([write_corpus(tmp_path, 1)]).documents[0]
    shared = ([AntecedentModel.load()], ParserConfig())
    gold, own = (prepare(PrepareTask(document, mode, 0), shared) for mode in ("gold_mentions", "gold_trees"))
    assert len(gold.mentions) == 6
    assert len(own.mentions) > 6
    assert (gold.held_out.entities >= 0).all()
    assert gold.on_gold_trees is None
    assert np.array_equal(own.held_out.entities >= 0, own.events.entities < 2)


@pytest.mark.slow
def test_a_corpus_without_trees_is_parsed_and_its_entities_found_again(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(CONLL)
    annotated = read_annotated([path])
    assert annotated.has_trees is False
    shared = ([AntecedentModel.load()], ParserConfig())
    found = prepare(PrepareTask(annotated.documents[0], "raw_text", 0), shared)
    assert found.genre == "news"
    assert sorted(np.bincount(found.held_out.entities[found.held_out.entities >= 0]).tolist()) == [2, 2]
    assert found.on_gold_trees is None
