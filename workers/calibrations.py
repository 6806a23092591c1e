"""Calibrations that a warehouse holds: which there are, which is the latest, and the repair that each published.

Covers: the files under `calibration/`, and choosing the recalibration that a run applies.
Not here: measuring and fitting (`workers.calibration`), the forms of recalibration (`calib_core.coref.recalibration`).

    calibration/<calibration_id>/{metrics,bins,coverage}.parquet, recalibration.json
    calibration/latest.json                                         written last: what names it is complete

`latest.json` has the latest calibration of all, and of each model: a repair fits only the model it was fitted to.
"""

import json
from collections.abc import Mapping
from typing import Any

from calib_core.coref.recalibration.forms import SHIPPED, Recalibration, read_recalibration
from workers.storage import Warehouse

FOLDER = "calibration"
POINTER = f"{FOLDER}/latest.json"
LATEST, NO_REPAIR = "latest", "none"


class CalibrationError(ValueError):
    """A calibration that was asked for is not there, is damaged, or belongs to another model."""

    def __init__(self, which: str, problem: str) -> None:
        super().__init__(which, problem)
        self.which, self.problem = which, problem

    def __str__(self) -> str:
        return f"calibration {self.which!r} {self.problem}"


def recalibration_name(calibration_id: str) -> str:
    """Path in the warehouse of a calibration's repair."""
    return f"{FOLDER}/{calibration_id}/recalibration.json"


def calibration_ids(warehouse: Warehouse) -> list[str]:
    """Ids of the calibrations whose repair has been published, in alphabetical order."""
    names = warehouse.names(FOLDER, "/recalibration.json") if warehouse.exists(FOLDER) else []
    return [name.split("/")[1] for name in names]


def latest_calibration(warehouse: Warehouse, *, model_id: str | None = None) -> str | None:
    """Id of the calibration that was published last, of all or of one model; None if there is none."""
    if not warehouse.exists(POINTER):
        return None
    pointer = warehouse.read_json(POINTER)
    if not isinstance(pointer, Mapping) or not isinstance(pointer.get("by_model"), Mapping):
        raise CalibrationError(LATEST, f"cannot be told: {warehouse.path(POINTER)} lacks by_model; calibrate again")
    found = pointer.get("latest") if model_id is None else pointer["by_model"].get(model_id)
    return None if found is None else str(found)


def point_to(warehouse: Warehouse, calibration_id: str, *, model_id: str) -> None:
    """Make a calibration, complete by now, the latest one; the caller holds the writer's lock."""
    pointer = warehouse.read_json(POINTER) if warehouse.exists(POINTER) else {}
    by_model = {**pointer.get("by_model", {}), model_id: calibration_id}
    warehouse.write_json(POINTER, {"latest": calibration_id, "by_model": by_model})


def load_recalibration(
    warehouse: Warehouse, which: str = LATEST, *, model_id: str | None = None
) -> Recalibration | None:
    """The repair to apply to the antecedents of a run; None to leave them as they are.

    Parameters
    ----------
    warehouse : Warehouse
    which : str
        "latest", "none" or a calibration id. "latest" is that of the warehouse, else the one shipped with the model,
        else none.
    model_id : str, optional
        `AntecedentModel.fingerprint` of the model whose logits will be repaired; a repair of another model is refused,
        and "latest" looks only at calibrations of this one.
    """
    if which == NO_REPAIR:
        return None
    if which == LATEST:
        found = latest_calibration(warehouse, model_id=model_id)
        return shipped_recalibration(model_id=model_id) if found is None else _load(warehouse, found, model_id)
    return _load(warehouse, which, model_id)


def shipped_recalibration(*, model_id: str | None = None) -> Recalibration | None:
    """The repair that ships with the embedded model; None if there is none, or the model is another one."""
    if not SHIPPED.exists():
        return None
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return read_recalibration(content) if model_id in (None, content.get("model_id")) else None


def _load(warehouse: Warehouse, calibration_id: str, model_id: str | None) -> Recalibration:
    name = recalibration_name(calibration_id)
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
            calibration_id, f"repairs model {fitted_to}, not {model_id}; calibrate this model, or use `none`"
        )
