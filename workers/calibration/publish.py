"""Write what a calibration found into the warehouse: beside earlier ones, never over them.

Covers: a calibration's id, its three tables, its recalibration, the pointer to the latest.
Not here: what earlier runs published (`workers.calibration.published`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from workers.calibration.published import CalibrationError, point_to
from workers.calibration.rows import Row, Tables
from workers.layout import CalibrationFolder
from workers.schemas import CALIBRATION_BINS, CALIBRATION_COVERAGE, CALIBRATION_METRICS
from workers.storage import Warehouse, content_hash


@dataclass(frozen=True, slots=True)
class Stamp:
    """Columns that all rows of a run share."""

    calibration_id: str
    created: datetime
    model_id: str
    dataset: str
    split: str
    folds: int

    def columns(self) -> Row:
        """As table columns; times are UTC without a time zone."""
        return {
            "calibration_id": self.calibration_id, "created": self.created.astimezone(UTC).replace(tzinfo=None),
            "model_id": self.model_id, "dataset": self.dataset, "split": self.split, "folds": self.folds,
        }  # fmt: skip


def calibration_id(created: datetime, *parts: str) -> str:
    """Time, then a hash of the content: sorts by time, and separates two runs in the same second."""
    return f"{created.astimezone(UTC):%Y%m%dT%H%M%SZ}-{content_hash(*(part.encode() for part in parts))[:12]}"


def refuse_replacement(warehouse: Warehouse, stamp: Stamp) -> None:
    """Refuse to replace a calibration."""
    if warehouse.exists(CalibrationFolder(stamp.calibration_id).recalibration):
        raise CalibrationError(stamp.calibration_id, f"is in {warehouse.root} already; calibrations are not replaced")


def publish(
    warehouse: Warehouse, stamp: Stamp, tables: Tables, recalibration: Mapping[str, Any], *, is_latest: bool = True
) -> None:
    """Write the tables, then the recalibration, then move the pointer, so a reader of `latest` finds everything.

    A run that fitted no recalibration writes the one it used and leaves the pointer alone.
    """
    refuse_replacement(warehouse, stamp)
    folder = CalibrationFolder(stamp.calibration_id)
    for name, schema, rows in (
        ("metrics", CALIBRATION_METRICS, tables.metrics),
        ("bins", CALIBRATION_BINS, tables.bins),
        ("coverage", CALIBRATION_COVERAGE, tables.coverage),
    ):
        warehouse.write_table(folder.table(name), stamped(rows, stamp, schema))
    warehouse.write_json(folder.recalibration, dict(recalibration))
    if is_latest:
        point_to(warehouse, stamp.calibration_id, model_id=stamp.model_id)


def stamped(rows: Sequence[Row], stamp: Stamp, schema: pa.Schema) -> pa.Table:
    """Rows with the run's columns, as a table."""
    return pa.Table.from_pylist([{**stamp.columns(), **row} for row in rows], schema=schema)
