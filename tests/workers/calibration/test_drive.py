"""A whole calibration of a small corpus."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calib_core.coref import AntecedentModel, TrainConfig
from tests.workers.calibration.corpus import write_corpus
from workers.calibration.drive import CalibrateConfig, CalibrationReport, calibrate, usable_modes
from workers.calibration.folds import FoldConfig, fold_models, fold_of
from workers.calibration.inputs import AnnotatedSet, DataError, read_annotated
from workers.calibration.measure import MeasureConfig
from workers.calibration.published import CalibrationError, latest_calibration, load_recalibration
from workers.cluster import ClusterConfig, open_cluster
from workers.schemas import CALIBRATION_BINS, CALIBRATION_COVERAGE, CALIBRATION_METRICS
from workers.storage import Warehouse

pytestmark = pytest.mark.slow

NOW = datetime(2026, 11, 18, 7, 0, tzinfo=UTC)
LATER = datetime(2026, 11, 18, 8, 0, tzinfo=UTC)
QUICK = CalibrateConfig(modes=("gold_mentions", "gold_trees"), measure=MeasureConfig(samples=50, paper_samples=20),
                        parts=3)  # fmt: skip


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> AnnotatedSet:
    return read_annotated([write_corpus(tmp_path_factory.mktemp("toy") / "toy" / "dev", 12)])


@pytest.fixture(scope="module")
def model() -> AntecedentModel:
    return AntecedentModel.load()


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return Warehouse.open(tmp_path_factory.mktemp("w"))


@pytest.fixture(scope="module")
def report(annotated: AnnotatedSet, model: AntecedentModel, warehouse: Warehouse) -> CalibrationReport:
    return calibrate(annotated, model, QUICK, warehouse, created=NOW)


def test_tables_are_published_with_their_schemas(report: CalibrationReport, warehouse: Warehouse) -> None:
    for name, schema in (("metrics", CALIBRATION_METRICS), ("bins", CALIBRATION_BINS),
                         ("coverage", CALIBRATION_COVERAGE)):  # fmt: skip
        table = warehouse.read_table(f"calibration/{report.calibration_id}/{name}.parquet", schema)
        assert set(table["calibration_id"].to_pylist()) == {report.calibration_id}
        assert set(table["mode"].to_pylist()) == {"gold_mentions", "gold_trees"}
        assert set(table["recalibrated"].to_pylist()) == {"none", report.form}


def test_every_kind_of_figure_is_there(report: CalibrationReport) -> None:
    queries = {(row["query"], row["metric"]) for row in report.tables.metrics}
    assert queries >= {
        ("pairs", "calibration_error"), ("pairs", "debiased_calibration_error"), ("pairs", "chance_error_95"),
        ("pairs", "brier"), ("pairs", "log_loss"), ("pairs", "refinement"), ("pairs", "sharpness"),
        ("pairs", "calibration_error_20_samples"), ("pairs", "calibration_error_20_samples_sd"),
        ("antecedents", "calibration_error"), ("new", "calibration_error"), ("entities", "bias"), ("chains", "bias"),
        ("events", "calibration_error"), ("scores", "muc_f1"), ("scores", "bcub_f1"), ("scores", "ceafe_f1"),
        ("scores", "conll_f1"),
    }  # fmt: skip
    slices = {row["slice"] for row in report.tables.metrics if row["query"] == "pairs"}
    assert {"all", "q > 0.01", "distance 1", "types name, pronoun"} <= slices
    assert {row["genre"] for row in report.tables.metrics} == {"all", "news", "fiction"}


def test_figures_of_few_predictions_are_marked_with_the_reason(report: CalibrationReport) -> None:
    row = next(row for row in report.tables.metrics if row["metric"] == "calibration_error")
    assert row["reliable"] is False
    assert row["reason"].startswith("fewer predictions (")


def test_the_repair_is_published_and_found(report: CalibrationReport, warehouse: Warehouse,
                                           model: AntecedentModel) -> None:  # fmt: skip
    assert latest_calibration(warehouse, model_id=model.fingerprint) is not None
    content = warehouse.read_json(f"calibration/{report.calibration_id}/recalibration.json")
    assert content["fitted_on"]["mode"] == "gold_trees"
    assert load_recalibration(warehouse, report.calibration_id, model_id=model.fingerprint) is not None


def test_a_second_run_stands_beside_the_first_and_the_same_one_is_refused(
    annotated: AnnotatedSet, model: AntecedentModel, report: CalibrationReport, warehouse: Warehouse
) -> None:
    again = calibrate(annotated, model, QUICK, warehouse, created=LATER)
    assert again.calibration_id > report.calibration_id
    assert again.tables.metrics == report.tables.metrics
    assert warehouse.exists(f"calibration/{report.calibration_id}/metrics.parquet")
    with pytest.raises(CalibrationError, match="calibrations are not replaced"):
        calibrate(annotated, model, QUICK, warehouse, created=LATER)


def test_a_cluster_gives_the_same_figures(
    annotated: AnnotatedSet, model: AntecedentModel, report: CalibrationReport, tmp_path: Path
) -> None:
    with open_cluster(ClusterConfig(workers=1)) as client:
        there = calibrate(annotated, model, QUICK, Warehouse.open(tmp_path), created=NOW, client=client)
    assert there.calibration_id == report.calibration_id
    assert there.tables.metrics == report.tables.metrics
    assert there.tables.coverage == report.tables.coverage


def test_raw_text_is_parsed_and_events_are_judged_end_to_end(
    annotated: AnnotatedSet, model: AntecedentModel, tmp_path: Path
) -> None:
    raw = replace(QUICK, modes=("raw_text",))
    found = calibrate(annotated, model, raw, Warehouse.open(tmp_path), created=NOW)
    assert found.fit_mode == "raw_text"
    assert found.metric("expected_recall", query="events end to end", recalibrated="none") is not None
    assert found.metric("conll_f1", query="scores", recalibrated="none") is not None


def test_modes_that_need_trees_are_refused_without_them(annotated: AnnotatedSet) -> None:
    bare = AnnotatedSet("litbank", "all", annotated.documents, has_trees=False)
    assert usable_modes(bare, ()) == ("raw_text",)
    assert usable_modes(annotated, ()) == ("gold_mentions", "gold_trees", "raw_text")
    with pytest.raises(DataError, match="mode gold_trees: litbank has no dependency trees; use raw_text"):
        usable_modes(bare, ("gold_trees",))
    with pytest.raises(DataError, match="a mode must be one of gold_mentions, gold_trees, raw_text"):
        usable_modes(annotated, ("magic",))


def test_training_documents_are_refused_unless_asked_for(
    annotated: AnnotatedSet, model: AntecedentModel, tmp_path: Path
) -> None:
    trained = AntecedentModel(model.weights, about={"trained_on": annotated.hashes()})
    with pytest.raises(DataError, match="use --folds 5"):
        calibrate(annotated, trained, QUICK, Warehouse.open(tmp_path), created=NOW)
    allowed = replace(QUICK, modes=("gold_mentions",), allow_training_data=True)
    assert calibrate(annotated, trained, allowed, Warehouse.open(tmp_path), created=NOW).documents == 12


def test_each_fold_is_trained_without_its_documents(annotated: AnnotatedSet, tmp_path: Path) -> None:
    config = FoldConfig(3, TrainConfig(epochs=1, members=1, bits=12), keep=str(tmp_path))
    models, fold = fold_models(None, annotated.documents, config)
    hashes = annotated.hashes()
    for number, model in enumerate(models):
        assert set(model.about["trained_on"]) == {hashes[d] for d in range(12) if fold[d] != number}
    again, _ = fold_models(None, annotated.documents, config)
    assert [one.fingerprint for one in again] == [one.fingerprint for one in models]


def test_folds_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="folds must number at least 2 and at most the documents, 3; got 4"):
        fold_of(3, 4)


def test_folds_of_the_training_set_stand_for_the_model_itself(annotated: AnnotatedSet, tmp_path: Path) -> None:
    training = TrainConfig(epochs=1, members=1, bits=12)
    full = AntecedentModel(AntecedentModel.load().weights, about={"trained_on": sorted(annotated.hashes())})
    config = replace(QUICK, modes=("gold_trees",), folds=FoldConfig(3, training))
    assert calibrate(annotated, full, config, Warehouse.open(tmp_path), created=NOW).model_id == full.fingerprint
    other = calibrate(annotated, AntecedentModel.load(), config, Warehouse.open(tmp_path), created=LATER)
    assert other.model_id.startswith("cross-validated-")
