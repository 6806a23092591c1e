"""Sentences go into a document and come out as they were."""

import numpy as np
import pytest

from calib_core.syntax import Arcs, DocumentTrees, Relations
from tests.calib_core.syntax.trees import random_scores


def sentence(seed: int, n: int) -> tuple[Arcs, Relations]:
    arcs = Arcs.of_matrix(random_scores(seed, n, missing=0.4))
    counts = np.random.default_rng(seed).integers(1, 4, len(arcs.heads))
    size = int(counts.sum())
    return arcs, Relations(np.append(0, np.cumsum(counts)), np.arange(size) % 5, np.linspace(-1, 0, size))


def test_sentences_come_out_as_they_went_in() -> None:
    sentences = [sentence(seed, n) for seed, n in enumerate((3, 1, 7))]
    trees = DocumentTrees.of(sentences, ("a", "b", "c", "d", "e"))
    first = 0
    for arcs, relations in sentences:
        out_arcs, out_relations = trees.sentence(first, first + len(arcs))
        for name in ("offsets", "heads", "scores"):
            assert getattr(out_arcs, name).tolist() == getattr(arcs, name).tolist()
        for name in ("offsets", "labels", "scores"):
            assert getattr(out_relations, name).tolist() == getattr(relations, name).tolist()
        first += len(arcs)
    assert len(trees) == first


def test_a_document_without_sentences_is_empty() -> None:
    assert len(DocumentTrees.of([], ())) == 0


def test_counts_that_do_not_add_up_are_refused() -> None:
    one, two = np.ones(1, dtype=np.int64), np.zeros(2)
    with pytest.raises(ValueError, match=r"heads must have 1 entries in every array; got \[1, 2\]"):
        DocumentTrees(one, one, two, one, one, np.zeros(1), ("root",))
