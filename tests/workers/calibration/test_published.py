"""Which recalibration a run applies."""

import json
import pickle
from pathlib import Path

import pytest

from calib_core.coref.recalibration.forms import Recalibration, Temperature
from workers.calibration import published
from workers.calibration.published import (
    CalibrationError,
    calibration_ids,
    latest_calibration,
    load_recalibration,
    point_to,
)
from workers.layout import CalibrationFolder
from workers.storage import Warehouse


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse.open(tmp_path / "w")


def publish(warehouse: Warehouse, calibration_id: str, recalibration: Recalibration, model_id: str) -> None:
    warehouse.write_json(
        CalibrationFolder(calibration_id).recalibration, {**recalibration.to_json(), "model_id": model_id}
    )
    point_to(warehouse, calibration_id, model_id=model_id)


def test_none_asks_for_no_repair(warehouse: Warehouse) -> None:
    publish(warehouse, "c1", Temperature(2.0), "m")
    assert load_recalibration(warehouse, "none") is None


def test_latest_is_what_was_published_last_and_an_id_still_finds_the_first(warehouse: Warehouse) -> None:
    publish(warehouse, "c2", Temperature(2.0), "m")
    publish(warehouse, "c1", Temperature(3.0), "m")
    assert load_recalibration(warehouse) == Temperature(3.0)
    assert load_recalibration(warehouse, "c2", model_id="m") == Temperature(2.0)
    assert calibration_ids(warehouse) == ["c1", "c2"]


def test_latest_is_the_latest_of_the_same_model(warehouse: Warehouse) -> None:
    publish(warehouse, "c1", Temperature(2.0), "old")
    publish(warehouse, "c2", Temperature(3.0), "new")
    assert load_recalibration(warehouse, "latest", model_id="old") == Temperature(2.0)
    assert latest_calibration(warehouse, model_id="other") is None


def test_a_calibration_that_is_not_pointed_to_is_not_the_latest(warehouse: Warehouse) -> None:
    """A crash between writing the recalibration and moving the pointer leaves the older one in force."""
    publish(warehouse, "c1", Temperature(2.0), "m")
    warehouse.write_json(CalibrationFolder("c2").recalibration, {**Temperature(3.0).to_json(), "model_id": "m"})
    assert load_recalibration(warehouse) == Temperature(2.0)


def test_without_calibrations_the_shipped_repair_serves_its_own_model(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "recalibration.json"
    shipped.write_text(json.dumps({**Temperature(1.5).to_json(), "model_id": "m"}))
    monkeypatch.setattr(published, "SHIPPED", shipped)
    assert load_recalibration(warehouse, "latest", model_id="m") == Temperature(1.5)
    assert load_recalibration(warehouse, "latest", model_id="trained by a user") is None
    monkeypatch.setattr(published, "SHIPPED", tmp_path / "absent.json")
    assert load_recalibration(warehouse, "latest", model_id="m") is None


@pytest.mark.parametrize("which", ["c9", "../runs", ""])
def test_an_unknown_id_is_named_with_those_known(warehouse: Warehouse, which: str) -> None:
    publish(warehouse, "c1", Temperature(2.0), "m")
    with pytest.raises(CalibrationError, match=r"is not in the warehouse .*; known: c1"):
        load_recalibration(warehouse, which)


def test_a_repair_of_another_model_is_refused(warehouse: Warehouse) -> None:
    publish(warehouse, "c1", Temperature(2.0), "m")
    with pytest.raises(CalibrationError, match="recalibrates model m, not n; calibrate this model, or use `none`"):
        load_recalibration(warehouse, "c1", model_id="n")


def test_a_damaged_repair_is_named_with_its_file(warehouse: Warehouse) -> None:
    warehouse.write_json(CalibrationFolder("c1").recalibration, {"format": "other"})
    with pytest.raises(CalibrationError, match=r"cannot be read from .*c1/recalibration.json: .*got 'other'"):
        load_recalibration(warehouse, "c1")


def test_the_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(CalibrationError("c1", "is gone")))  # noqa: S301 - our own bytes
    assert str(error) == "calibration 'c1' is gone"
