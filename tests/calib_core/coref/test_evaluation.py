"""Measuring a model on annotated documents."""

from dataclasses import replace

import pytest

from calib_core.coref import TrainConfig, train_antecedent_model
from calib_core.coref.metrics.evaluation import evaluate
from calib_core.document import Document


@pytest.fixture
def reports(story: Document):
    model = train_antecedent_model(
        [story], TrainConfig(bits=14, epochs=30, rate=0.1, penalty=0.001, members=1, folds=0)
    )
    return evaluate(model, [replace(story, doc_id=f"GUM_{genre}_{n}") for genre in ("news", "bio") for n in range(2)])


def test_a_fitted_document_scores_one(reports) -> None:
    interval = reports.conll(n_samples=20)
    assert (interval.value, interval.lo, interval.hi) == (1.0, 1.0, 1.0)


def test_links_are_counted_by_type(reports) -> None:
    links = reports.links()
    assert links["definite"].recall_den == 8  # "the army" and "the king" come back, in each of four documents
    assert links["it"].recall == 1.0


def test_pairs_carry_probability_label_and_type(reports) -> None:
    report = reports.reports[0]
    assert len(report.pred) == len(report.label) == len(report.kinds) == 7 * 6 // 2
    assert report.label.sum() == 6
    assert reports.calibration(bin_size=10).value < 0.2


def test_genres_are_split_by_document_id(reports) -> None:
    genres = reports.by(lambda doc_id: doc_id.split("_")[1])
    assert {name: len(part.reports) for name, part in genres.items()} == {"bio": 2, "news": 2}


def test_detection_is_reported_against_gold(reports) -> None:
    detected = reports.reports[0].detected
    assert detected.recall == reports.reports[0].heads.recall == 1.0
    assert detected.precision == pytest.approx(6 / 7)
