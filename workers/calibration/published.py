"""Calibrations of a warehouse: which there are, which is the latest, and the recalibration that each published.

Covers: the files under `calibration/`, and choosing the recalibration that a run applies.
Not here: measuring and fitting (`workers.calibration`), the forms of recalibration (`calib_core.coref.recalibration`).

`calibration/latest.json` is written last, so what it names is complete. It names the latest calibration overall and of
each model, because a recalibration only fits the model it was fitted to.
"""

import json
from collections.abc import Mapping
from typing import Any

from calib_core.coref.recalibration.forms import SHIPPED, Recalibration, read_recalibration
from workers.layout import CALIBRATIONS, LATEST_CALIBRATION, CalibrationFolder, calibration_of
from workers.storage import Warehouse

LATEST, NO_RECALIBRATION = "latest", "none"


class CalibrationError(ValueError):
    """A requested calibration is missing, damaged, or belongs to another model."""

    def __init__(self, which: str, problem: str) -> None:
        super().__init__(which, problem)
        self.which, self.problem = which, problem

    def __str__(self) -> str:
        return f"calibration {self.which!r} {self.problem}"


def calibration_ids(warehouse: Warehouse) -> list[str]:
    """Ids of the calibrations whose recalibration is published, in alphabetical order."""
    names = warehouse.names(CALIBRATIONS, "/recalibration.json") if warehouse.exists(CALIBRATIONS) else []
    return [calibration_of(name) for name in names]


def latest_calibration(warehouse: Warehouse, *, model_id: str | None = None) -> str | None:
    """Id of the last published calibration, overall or of one model; None if there is none."""
    if not warehouse.exists(LATEST_CALIBRATION):
        return None
    pointer = warehouse.read_json(LATEST_CALIBRATION)
    if not isinstance(pointer, Mapping) or not isinstance(pointer.get("by_model"), Mapping):
        raise CalibrationError(
            LATEST, f"cannot be told: {warehouse.path(LATEST_CALIBRATION)} lacks by_model; calibrate again"
        )
    found = pointer.get("latest") if model_id is None else pointer["by_model"].get(model_id)
    return None if found is None else str(found)


def point_to(warehouse: Warehouse, calibration_id: str, *, model_id: str) -> None:
    """Make a complete calibration the latest one; the caller holds the writer's lock."""
    pointer = warehouse.read_json(LATEST_CALIBRATION) if warehouse.exists(LATEST_CALIBRATION) else {}
    by_model = {**pointer.get("by_model", {}), model_id: calibration_id}
    warehouse.write_json(LATEST_CALIBRATION, {"latest": calibration_id, "by_model": by_model})


def load_recalibration(
    warehouse: Warehouse, which: str = LATEST, *, model_id: str | None = None
) -> Recalibration | None:
    """The recalibration to apply to the antecedents of a run; None to leave them as they are.

    Parameters
    ----------
    warehouse : Warehouse
    which : str
        "latest", "none" or a calibration id. "latest" is the warehouse's, otherwise the one shipped with the model,
        otherwise none.
    model_id : str, optional
        `fingerprint` of the coreference model to recalibrate; a recalibration of another model is refused, and
        "latest" looks only at calibrations of this one.
    """
    if which == NO_RECALIBRATION:
        return None
    if which == LATEST:
        found = latest_calibration(warehouse, model_id=model_id)
        return shipped_recalibration(model_id=model_id) if found is None else _load(warehouse, found, model_id)
    return _load(warehouse, which, model_id)


def shipped_recalibration(*, model_id: str | None = None) -> Recalibration | None:
    """The recalibration that ships with the embedded model; None if there is none or the model is another."""
    if not SHIPPED.exists():
        return None
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return read_recalibration(content) if model_id in (None, content.get("model_id")) else None


def _load(warehouse: Warehouse, calibration_id: str, model_id: str | None) -> Recalibration:
    name = CalibrationFolder(calibration_id).recalibration
    if "/" in calibration_id or not warehouse.exists(name):
        known = ", ".join(calibration_ids(warehouse)) or "there is none yet"
        raise CalibrationError(calibration_id, f"is not in the warehouse {warehouse.root}; known: {known}")
    content = warehouse.read_json(name)
    try:
        recalibration = read_recalibration(content)
    except ValueError as error:
        raise CalibrationError(calibration_id, f"cannot be read from {warehouse.path(name)}: {error}") from error
    _check_model(content, calibration_id, model_id)
    return recalibration


def _check_model(content: Mapping[str, Any], calibration_id: str, model_id: str | None) -> None:
    fitted_to = content.get("model_id")
    if model_id is not None and fitted_to != model_id:
        raise CalibrationError(
            calibration_id, f"recalibrates model {fitted_to}, not {model_id}; calibrate this model, or use `none`"
        )
