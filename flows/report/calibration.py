"""The calibrations of a warehouse, as the page and the figures show them.

Covers: reading metrics, reliability bins and coverage; which calibration belongs to the run; bounded in size.
Not here: measuring (`credence calibrate`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from workers.layout import CALIBRATIONS, CalibrationFolder, calibration_of
from workers.runs import Run
from workers.schemas import CALIBRATION_BINS, CALIBRATION_COVERAGE, CALIBRATION_METRICS
from workers.storage import Warehouse

MAX_CALIBRATIONS, MAX_ROWS = 24, 6000
TABLES = {"metrics": CALIBRATION_METRICS, "bins": CALIBRATION_BINS, "coverage": CALIBRATION_COVERAGE}
WHOLE = {"genre": "all", "slice": "all"}
"""Where a table tells parts of a corpus apart, the whole comes first."""
MODES = ("raw_text", "gold_trees", "gold_mentions")
"""How close to a run a measurement is, the closest first."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Calibration:
    """One calibration: rows of its tables, and when it was made (empty where unknown)."""

    id: str
    created: str
    metrics: Sequence[Row]
    bins: Sequence[Row]
    coverage: Sequence[Row]


def read_calibrations(warehouse: Warehouse) -> list[Calibration]:
    """Every calibration of the warehouse, the latest last."""
    if not warehouse.exists(CALIBRATIONS):
        return []
    ids = sorted({calibration_of(name) for name in warehouse.names(CALIBRATIONS, "/metrics.parquet")})
    found = [_read(warehouse, calibration_id) for calibration_id in ids]
    return sorted(found, key=lambda one: (one.created, one.id))[-MAX_CALIBRATIONS:]


def shown_calibration(run: Run, calibrations: Sequence[Calibration]) -> tuple[Calibration | None, bool]:
    """The calibration whose recalibration the run applied, otherwise the latest; and whether it is the run's."""
    said = run.manifest.get("calibration")
    for one in calibrations:
        if one.id == said:
            return one, True
    return (calibrations[-1] if calibrations else None), False


def calibration_data(run: Run, calibrations: Sequence[Calibration]) -> dict[str, Any] | None:
    """What the page shows; None if there is nothing."""
    one, used = shown_calibration(run, calibrations)
    if one is None:
        return None
    return {
        "id": one.id,
        "created": one.created,
        "used": used,
        "metrics": _columns(one.metrics),
        "bins": _columns(one.bins),
        "coverage": _columns(one.coverage),
        "history": history(calibrations),
    }


def history(calibrations: Sequence[Calibration]) -> list[Row]:
    """The calibration error of pairs, before and after recalibration, for each calibration in turn."""
    found = []
    for order, one in enumerate(calibrations):
        rows = [row for row in one.metrics if row["metric"] == "calibration_error" and row["query"] == "pairs"]
        rows = [row for row in rows if all(row.get(name, whole) == whole for name, whole in WHOLE.items())]
        best = min((_closeness(row) for row in rows), default=0)
        label = one.created[:10] or one.id
        for row in rows:
            if _closeness(row) == best:
                figures = {name: row[name] for name in ("value", "lo", "hi")}
                found.append({"label": label, "order": order, "series": series_name(row), **figures})
    return found


def series_name(row: Mapping[str, Any]) -> str:
    """Whether a figure is of the model as it is, or recalibrated."""
    recalibration = row.get("recalibrated", "none")
    return "as the model says" if recalibration == "none" else f"recalibrated ({recalibration})"


def _closeness(row: Mapping[str, Any]) -> int:
    mode = row.get("mode")
    return MODES.index(mode) if mode in MODES else len(MODES)


def _read(warehouse: Warehouse, calibration_id: str) -> Calibration:
    folder = CalibrationFolder(calibration_id)
    tables: dict[str, list[Row]] = {}
    created = ""
    for name, schema in TABLES.items():
        path = folder.table(name)
        table = warehouse.read_table(path, schema) if warehouse.exists(path) else schema.empty_table()
        if name == "metrics" and "created" in table.column_names and table.num_rows:
            created = str(table["created"][0].as_py())
        tables[name] = _plain(table)
    return Calibration(calibration_id, created, **tables)


def _plain(table: pa.Table) -> list[Row]:
    """Rows with short numbers, the whole corpus first; columns that JSON cannot hold are passed over."""
    simple = [
        field.name
        for field in table.schema
        if pa.types.is_integer(field.type) or pa.types.is_floating(field.type) or pa.types.is_string(field.type)
    ]
    rows = table.select(simple).to_pylist()
    short = [{k: round(v, 5) if isinstance(v, float) else v for k, v in row.items()} for row in rows]
    return sorted(short, key=lambda row: sum(row.get(name, whole) != whole for name, whole in WHOLE.items()))


def _columns(rows: Sequence[Row]) -> dict[str, Any]:
    """Names once, then values, which makes a page half as large; at most `MAX_ROWS`."""
    kept = rows[:MAX_ROWS]
    names = [name for name in (kept[0] if kept else {}) if name not in ("model_id", "calibration_id")]
    return {"names": names, "rows": [[row[name] for name in names] for row in kept], "left": len(rows) - len(kept)}
