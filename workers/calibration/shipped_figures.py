"""The calibration of the shipped models, as a small table that comes with them.

Covers: making the table from the calibrations of a warehouse, and reading it.
Not here: measuring (`workers.calibration.drive`), showing it (`flows.report.calibration`).

A warehouse that has measured nothing can then still say how its models did on annotated text.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calib_core.calibration import label_interval
from workers.layout import CALIBRATIONS, CalibrationFolder, calibration_of
from workers.schemas import CALIBRATION_BINS, CALIBRATION_COVERAGE, CALIBRATION_METRICS
from workers.storage import StorageError, Warehouse

Row = dict[str, Any]

SHIPPED_FIGURES = Path(__file__).parents[1] / "models" / "calibration.json"
VERSION = 1
NOT_RECALIBRATED, MODES = "none", ("raw_text", "gold_trees", "gold_words")
"""As in the tables; the modules that measure would load the parser."""
QUERIES = ("pairs", "antecedents", "new", "events", "arcs", "labelled_arcs")
SLICES = ("all", "q > 0.01", "chosen")
METRICS = (
    "calibration_error", "debiased_calibration_error", "chance_error_95", "log_loss", "expected_events_per_true",
    "best_events_per_true",
)  # fmt: skip
BIN_EDGES = np.linspace(0, 1, 13)
DIGITS = 5
IDENTITY = ("model_id", "dataset", "split", "folds")


@dataclass(frozen=True, slots=True)
class Measurement:
    """One calibration, small.

    Attributes
    ----------
    calibration_id, created : str
    model_id : str
        Fingerprint of the coreference model.
    dataset, split : str
    folds : int
        Models of a cross-validation; 0: the model itself was measured on text it has not seen.
    documents : int
    metrics, bins, coverage : sequence of dict
        Rows as in the tables of a calibration; neighbouring bins are joined.
    """

    calibration_id: str
    created: str
    model_id: str
    dataset: str
    split: str
    folds: int
    documents: int
    metrics: Sequence[Row]
    bins: Sequence[Row]
    coverage: Sequence[Row]


def read_shipped_figures(path: Path = SHIPPED_FIGURES) -> list[Measurement]:
    """All measurements, the one of the most documents first; none if no table came with the models."""
    if not path.exists():
        return []
    content = json.loads(path.read_text(encoding="utf-8"))
    if content.get("version") != VERSION:
        raise StorageError(str(path), f"version must be {VERSION}; got {content.get('version')!r}", "upgrade credence")
    found = [Measurement(**one) for one in content["measurements"]]
    return sorted(found, key=lambda one: -one.documents)


def small_figures(warehouse: Warehouse, *, model_id: str) -> list[Measurement]:
    """The latest calibration of a model on each corpus, small.

    Raises
    ------
    StorageError
        If the warehouse has none of this model.
    """
    names = warehouse.names(CALIBRATIONS, "/metrics.parquet") if warehouse.exists(CALIBRATIONS) else []
    latest: dict[tuple[Any, ...], Measurement] = {}
    for calibration_id in sorted(map(calibration_of, names)):
        found = _small(warehouse, CalibrationFolder(calibration_id), model_id)
        if found is not None:
            latest[found.dataset, found.split, found.folds] = found
    if not latest:
        problem = f"has no calibration of the model {model_id}"
        raise StorageError(warehouse.root, problem, "run `credence calibrate DATA --out W` with that model first")
    return list(latest.values())


def write_figures(measurements: Iterable[Measurement], path: Path) -> None:
    """Write the table."""
    content = {"version": VERSION, "measurements": [asdict(one) for one in measurements]}
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


def _small(warehouse: Warehouse, folder: CalibrationFolder, model_id: str) -> Measurement | None:
    tables = {
        name: warehouse.read_table(folder.table(name), schema).to_pylist()
        for name, schema in (
            ("metrics", CALIBRATION_METRICS), ("bins", CALIBRATION_BINS), ("coverage", CALIBRATION_COVERAGE),
        )
    }  # fmt: skip
    first = next((row for row in tables["metrics"] if row["model_id"] == model_id), None)
    if first is None:
        return None
    kept = {name: [row for row in rows if _wanted(row)] for name, rows in tables.items()}
    metrics = [row for row in kept["metrics"] if row["metric"] in METRICS]
    coverage = [row for row in kept["coverage"] if row["level"] == "5 documents"]
    return Measurement(
        calibration_id=first["calibration_id"], created=first["created"].isoformat(timespec="seconds"),
        **{name: first[name] for name in IDENTITY}, documents=max(row["documents"] for row in metrics),
        metrics=[_short(row, ("metric", "value", "lo", "hi", "n", "documents")) for row in metrics],
        bins=list(_joined(kept["bins"])),
        coverage=[_short(row, ("level", "interval", "nominal", "covered", "lo", "hi", "expected", "n"))
                  for row in coverage],
    )  # fmt: skip


def _wanted(row: Mapping[str, Any]) -> bool:
    """Whether a row is of the whole corpus, of a mode like that of a run, and of the models as they are."""
    return (
        row["genre"] == "all"
        and row["mode"] in MODES
        and row["recalibrated"] == NOT_RECALIBRATED
        and row["query"] in QUERIES
        and (row["slice"] in SLICES or ("interval" in row and "level" in row))
    )


def _short(row: Mapping[str, Any], names: Sequence[str]) -> Row:
    values = {name: row[name] for name in ("mode", "query", "slice", "genre", "recalibrated", *names)}
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in values.items()}


def _joined(rows: Sequence[Row]) -> Iterator[Row]:
    """At most a dozen bins for each kind of prediction: enough for a chart."""
    kinds = dict.fromkeys((row["mode"], row["query"], row["slice"], row["bin_size"]) for row in rows)
    for kind in kinds:
        bins = [row for row in rows if (row["mode"], row["query"], row["slice"], row["bin_size"]) == kind]
        size, pred, label = (np.array([row[name] for row in bins]) for name in ("size", "mean_pred", "mean_label"))
        group = np.digitize(pred, BIN_EDGES[1:-1])
        for number, place in enumerate(np.unique(group)):
            inside = group == place
            n = int(size[inside].sum())
            mean_pred, mean_label = (float((size * column)[inside].sum() / n) for column in (pred, label))
            low, high = label_interval(np.array([mean_label]), np.array([n]))
            figures = {"mean_pred": mean_pred, "mean_label": mean_label, "label_lo": low[0], "label_hi": high[0]}
            yield _short(
                bins[0] | {"bin": number, "size": n} | {name: float(value) for name, value in figures.items()},
                ("dataset", "split", "bin_size", "bin", "size", *figures),
            )
