"""Fitted recalibration methods as JSON text: readable, comparable, and loaded without running any code."""

import json
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from calib_core.calibration.grouped import GroupedCalibration
from calib_core.calibration.histogram import HistogramBinning, ScalingBinning
from calib_core.calibration.recalibrator import Recalibrator
from calib_core.calibration.scaling import IsotonicCalibration, PlattScaling, TemperatureScaling

VERSION = 1
KINDS: dict[str, type[Recalibrator]] = {
    kind.__name__: kind
    for kind in (HistogramBinning, IsotonicCalibration, ScalingBinning, PlattScaling, TemperatureScaling)
}


def calibrator_to_json(calibrator: Recalibrator | GroupedCalibration) -> str:
    """Everything that `predict` needs, floats to the last bit; not the scaler behind a `ScalingBinning`."""
    return json.dumps({"credence.calibrator": VERSION, **_to_dict(calibrator)}, indent=1)


def calibrator_from_json(text: str) -> Recalibrator | GroupedCalibration:
    """Read back a method that predicts exactly as the one that was written."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"recalibration is not JSON: {error}") from error
    version = content.get("credence.calibrator") if isinstance(content, dict) else None
    if version != VERSION:
        raise ValueError(f"credence.calibrator must be {VERSION}; got {version!r}")
    try:
        return _from_dict(content)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"recalibration JSON is incomplete: {type(error).__name__} {error}") from error


def _to_dict(calibrator: Recalibrator | GroupedCalibration) -> dict[str, Any]:
    if isinstance(calibrator, GroupedCalibration):
        return {
            "kind": "GroupedCalibration",
            "groups": np.asarray(calibrator.groups).tolist(),
            "shared": _to_dict(calibrator.shared_),
            "by_group": {str(number): _to_dict(one) for number, one in calibrator.by_group_.items()},
        }
    kind = type(calibrator).__name__
    if kind not in KINDS:
        raise ValueError(f"calibrator must be one of {', '.join(KINDS)}; got {kind}")
    check_is_fitted(calibrator, calibrator.learned)
    learned = {name: np.asarray(getattr(calibrator, name)).tolist() for name in calibrator.learned}
    options = {name: _plain(value) for name, value in calibrator.get_params(deep=False).items() if name != "scaler"}
    return {"kind": kind, "options": options, "learned": learned}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _from_dict(content: dict[str, Any]) -> Recalibrator | GroupedCalibration:
    if content["kind"] == "GroupedCalibration":
        return _grouped_from_dict(content)
    if content["kind"] not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}; got {content['kind']!r}")
    kind = KINDS[content["kind"]]
    calibrator = kind(**content["options"])
    for name in kind.learned:
        value = np.array(content["learned"][name], dtype=np.float64)
        if value.ndim > 1 or not np.isfinite(value).all():
            raise ValueError(f"{content['kind']}: {name} must be finite numbers")
        setattr(calibrator, name, value if value.ndim else float(value))
    _check_by_use(calibrator)
    return calibrator


def _check_by_use(calibrator: Recalibrator) -> None:
    """Refuse learned values that fit in shape and type but yield no probabilities."""
    try:
        predicted = calibrator.predict(np.linspace(0, 1, 1001))
    except (IndexError, ValueError) as error:
        raise ValueError(f"{type(calibrator).__name__}: its learned values do not fit together: {error}") from error
    if not ((predicted >= 0) & (predicted <= 1)).all():
        raise ValueError(f"{type(calibrator).__name__}: its learned values yield {predicted.max()} as a probability")


def _grouped_from_dict(content: dict[str, Any]) -> GroupedCalibration:
    shared = _from_dict(content["shared"])
    by_group = {int(number): _from_dict(one) for number, one in content["by_group"].items()}
    if not all(isinstance(one, Recalibrator) for one in (shared, *by_group.values())):
        raise ValueError("a grouped recalibration must hold ungrouped ones")
    grouped = GroupedCalibration(shared, np.array(content["groups"], dtype=np.int64))
    grouped.shared_, grouped.by_group_ = shared, by_group
    return grouped
