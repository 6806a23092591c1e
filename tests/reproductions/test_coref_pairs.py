"""Pairs of mentions: exact and sampled, by the shipped model and by cross-validation."""

from pathlib import Path

import numpy as np
import pytest

from calib_core.coref import AntecedentModel, read_corpus
from calib_core.document import Document
from reproductions.coref.experiment import findings, run
from reproductions.coref.measures import measured, repeat
from reproductions.coref.pair_sets import PairSet, corpus_pairs, cross_validated_pairs, with_offsets
from reproductions.findings import DataFolder, MissingDataError
from reproductions.stages import Stages

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def pairs_of(stories: list[Document], *, n_samples: int) -> PairSet:
    progress = Stages()
    return corpus_pairs(AntecedentModel.load(), stories, progress, n_samples=n_samples, seed=0)


def test_samples_come_close_to_the_exact_probabilities(stories: list[Document]) -> None:
    pairs = pairs_of(stories[:1], n_samples=4000)
    assert 0 < np.abs(pairs.sampled - pairs.pred).max() < 0.04
    assert pairs.label.sum() == 3 + 3 + 1
    assert pairs.annotated.sum() == 28
    assert not (pairs.label & ~pairs.annotated).any()


def test_without_samples_both_are_the_exact_ones(stories: list[Document]) -> None:
    pairs = pairs_of(stories[:2], n_samples=0)
    assert (pairs.sampled == pairs.pred).all()
    assert set(pairs.document.tolist()) == {0, 1}


def test_cross_validation_predicts_every_document_once(stories: list[Document]) -> None:
    progress = Stages()
    crossed = cross_validated_pairs(stories, progress, n_folds=2, seed=0)
    assert sorted(set(crossed.document.tolist())) == list(range(6))
    assert len(crossed.pred) == len(pairs_of(stories, n_samples=0).pred)


def test_measures_of_certain_and_right_predictions_are_zero() -> None:
    label = np.arange(100) % 4 == 0
    pairs = PairSet(label.astype(float), label.astype(float), label, label, np.arange(100) // 10)
    found = measured("sure", pairs.pred, pairs)
    assert found.error.value == found.gap == 0.0
    assert found.rate == found.mean_pred == 0.25


def test_page_from_small_documents(stories: list[Document]) -> None:
    pairs = pairs_of(stories, n_samples=100)
    crossed, repeated = repeat(stories, Stages(), seed=0, n_repeats=2)
    found = findings(pairs, crossed, repeated, pairs, (6, 6, 6))
    assert len(found.claims) == 6
    assert len(repeated.each) == 2
    assert sum(row.table == "CalibErr of pairs" for row in found.rows) == 5
    assert len(found.pictures[0].chart.to_dict()["concat"]) == 4


def test_words_without_offsets_get_those_of_a_text_with_blanks(stories: list[Document]) -> None:
    spaced = with_offsets(stories[0])
    text = " ".join(spaced.words)
    assert [text[start:end] for start, end in zip(spaced.starts, spaced.ends, strict=True)] == list(spaced.words)


def test_missing_documents_are_named(tmp_path: Path) -> None:
    progress = Stages()
    with pytest.raises(MissingDataError, match="ontogum"):
        run(DataFolder(tmp_path), progress, 0)


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "coref" / "litbank").exists(), reason="needs LitBank")
def test_a_novel_is_parsed_and_keeps_its_mentions() -> None:
    from workers.parser import Parser
    from workers.reparse import reparse

    novel = next(read_corpus([sorted((DATA / "coref" / "litbank").glob("*.conll"))[0]]))
    tree = reparse(with_offsets(novel), Parser())
    pairs = pairs_of([tree], n_samples=0)
    assert abs(len(tree) - len(novel)) < 0.05 * len(novel)
    assert pairs.label.sum() > 100
