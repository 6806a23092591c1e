"""The calibrations of a warehouse, as the page and the figures show them.

Covers: reading metrics, reliability bins and coverage; which calibration belongs to the run; bounded in size.
Not here: measuring (`credence calibrate`).
"""

from typing import Any

import pyarrow as pa

from workers.runs import Run
from workers.schemas import CALIBRATION_BINS, CALIBRATION_COVERAGE, CALIBRATION_METRICS
from workers.storage import Warehouse

MAX_CALIBRATIONS, MAX_BINS = 12, 4000
TABLES = {"metrics": CALIBRATION_METRICS, "bins": CALIBRATION_BINS, "coverage": CALIBRATION_COVERAGE}


def read_calibrations(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Every calibration of the warehouse, the latest last: id, rows of its three tables, and when it was made."""
    if not warehouse.exists("calibration"):
        return []
    ids = sorted({name.split("/")[1] for name in warehouse.names("calibration", "/metrics.parquet")})
    found = [_calibration(warehouse, calibration_id) for calibration_id in ids]
    return sorted(found, key=lambda one: (one["created"], one["id"]))[-MAX_CALIBRATIONS:]


def used_by(run: Run, calibrations: list[dict[str, Any]]) -> str | None:
    """Id of the calibration whose repair the run applied, where the warehouse holds it."""
    said = run.manifest.get("calibration")
    name = said.get("id") if isinstance(said, dict) else said
    return str(name) if name in {one["id"] for one in calibrations} else None


def _calibration(warehouse: Warehouse, calibration_id: str) -> dict[str, Any]:
    folder = f"calibration/{calibration_id}"
    content: dict[str, Any] = {"id": calibration_id, "created": _created(warehouse, folder)}
    for name, schema in TABLES.items():
        path = f"{folder}/{name}.parquet"
        table = warehouse.read_table(path, schema) if warehouse.exists(path) else schema.empty_table()
        content[name] = _plain(table)[: MAX_BINS if name == "bins" else None]
    return content


def _created(warehouse: Warehouse, folder: str) -> str:
    """When it was made, if its own files say so; they sort as text."""
    for name in ("manifest.json", "recalibration.json"):
        if warehouse.exists(f"{folder}/{name}"):
            said = warehouse.read_json(f"{folder}/{name}")
            if isinstance(said, dict) and said.get("created"):
                return str(said["created"])
    return ""


def _plain(table: pa.Table) -> list[dict[str, Any]]:
    """Rows with short numbers, so that a page stays small; columns that JSON cannot hold are passed over."""
    simple = [f.name for f in table.schema if pa.types.is_primitive(f.type) or pa.types.is_string(f.type)]
    rows = table.select(simple).to_pylist()
    return [{key: round(value, 5) if isinstance(value, float) else value for key, value in row.items()} for row in rows]
