"""The small table that comes with the models."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from flows.jobs.publish_models import publish_models
from flows.jobs.requests import PublishModelsRequest
from tests.report_warehouse import add_calibration
from workers.calibration.shipped_figures import Measurement, read_shipped_figures, small_figures, write_figures
from workers.layout import CalibrationFolder
from workers.schemas import CALIBRATION_BINS, CALIBRATION_METRICS
from workers.storage import StorageError, Warehouse


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    found = Warehouse.open(tmp_path / "w")
    add_calibration(found, "c1", created="2026-01-01")
    add_calibration(found, "c2", created="2026-01-02", seed=1)
    return found


def test_the_latest_calibration_of_a_corpus_is_kept_small(warehouse: Warehouse, tmp_path: Path) -> None:
    [found] = small_figures(warehouse, model_id="m")
    assert (found.calibration_id, found.dataset, found.documents) == ("c2", "drawn", 30)
    assert [row["metric"] for row in found.metrics] == ["calibration_error"]
    assert len(found.bins) <= 12
    assert sum(row["size"] for row in found.bins) == 20_000
    write_figures([found], tmp_path / "f.json")
    assert (tmp_path / "f.json").stat().st_size < 10_000
    assert read_shipped_figures(tmp_path / "f.json") == [found]


def test_joined_bins_keep_the_means(warehouse: Warehouse) -> None:
    [found] = small_figures(warehouse, model_id="m")
    table = warehouse.read_table(CalibrationFolder("c2").table("bins"), CALIBRATION_BINS).to_pylist()
    for name in ("mean_pred", "mean_label"):
        whole, small = (sum(row["size"] * row[name] for row in rows) / 20_000 for rows in (table, found.bins))
        assert small == pytest.approx(whole, abs=1e-4)
    assert all(row["label_lo"] <= row["mean_label"] <= row["label_hi"] for row in found.bins)


def test_other_models_parts_and_recalibrations_are_left_out(warehouse: Warehouse) -> None:
    path = CalibrationFolder("c2").table("metrics")
    rows = warehouse.read_table(path, CALIBRATION_METRICS).to_pylist()
    others: list[dict[str, Any]] = [{"genre": "news"}, {"recalibrated": "temperature"}, {"mode": "gold_mentions"}]
    table = pa.Table.from_pylist([*rows, *(rows[0] | other for other in others)], schema=CALIBRATION_METRICS)
    warehouse.write_table(path, table)
    [found] = small_figures(warehouse, model_id="m")
    assert len(found.metrics) == 1


def test_a_warehouse_without_figures_of_the_shipped_model_is_refused(warehouse: Warehouse, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="has no calibration of the model"):
        publish_models(PublishModelsRequest(warehouse=str(warehouse.root), out=tmp_path / "f.json"))
    assert not (tmp_path / "f.json").exists()


def test_what_ships_can_be_read_and_is_in_order(tmp_path: Path) -> None:
    assert all(isinstance(one, Measurement) and datetime.fromisoformat(one.created) for one in read_shipped_figures())
    assert read_shipped_figures(tmp_path / "none.json") == []
    (tmp_path / "f.json").write_text('{"version": 2}')
    with pytest.raises(StorageError, match="version must be 1; got 2"):
        read_shipped_figures(tmp_path / "f.json")
