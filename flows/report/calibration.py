"""The calibrations of a warehouse, as the page and the figures show them.

Covers: reading metrics, reliability bins and coverage; which calibration belongs to the run; for a warehouse that has
none, what was measured elsewhere; bounded in size.
Not here: measuring (`credence calibrate`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from workers.calibration.shipped_figures import Measurement, read_shipped_figures
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

HEADLINE = (
    ("pairs", "all", "Are two mentions the same entity?"),
    ("pairs", "q > 0.01", "The same, where it is at all likely"),
    ("new", "all", "Is it a new entity?"),
    ("events", "all", "Does the event hold?"),
    ("events", "q > 0.01", "Does the event hold, where it is at all likely?"),
    ("arcs", "q > 0.01", "Does a word depend on this one, where it is at all likely?"),
)
"""Query and slice of the figures that matter most, as questions."""

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
        return measured_elsewhere(run, read_shipped_figures())
    return {
        "id": one.id,
        "created": one.created,
        "used": used,
        "elsewhere": None,
        "plain": plain_figures(one.metrics, one.coverage),
        "metrics": _columns(one.metrics),
        "bins": _columns(one.bins),
        "coverage": _columns(one.coverage),
        "history": history(calibrations),
    }


def measured_elsewhere(run: Run, measurements: Sequence[Measurement]) -> dict[str, Any] | None:
    """What was measured of the shipped models, for a warehouse that has measured nothing; None without such figures."""
    if not measurements:
        return None
    own = [one for one in measurements if one.model_id == _coreference_of(run)]
    one = (own or measurements)[0]
    return {
        "id": one.calibration_id,
        "created": one.created,
        "used": False,
        "elsewhere": elsewhere_sentences(one, same_model=bool(own)),
        "plain": plain_figures(one.metrics, one.coverage),
        "metrics": _columns(one.metrics),
        "bins": _columns(one.bins),
        "coverage": _columns(one.coverage),
        "history": [],
    }


def elsewhere_sentences(one: Measurement, *, same_model: bool) -> list[str]:
    """What a reader must know about figures that are not of this archive."""
    how = f"by cross-validation with {one.folds} models" if one.folds else "which the models had not seen"
    model = "These models" if same_model else "The models that ship with Credence, which are not those of this run,"
    text = f"{one.documents:,} annotated documents of {one.dataset} ({one.split})"
    return [
        f"{model} were measured elsewhere: on {text}, {how}.",
        "Your archive is another kind of text, so take these figures as what to expect, not as what holds here.",
    ]


def plain_figures(metrics: Sequence[Row], coverage: Sequence[Row]) -> list[list[str]]:
    """The few figures that matter most: what was asked, what was found, what perfect probabilities would show.

    Of the mode that is closest to a run; arcs are measured in a mode of their own.
    """
    found = []
    for query, part, question in HEADLINE:
        rows = _of_closest_mode([row for row in metrics if (row["query"], row["slice"]) == (query, part)])
        figures = {row["metric"]: row["value"] for row in rows}
        if "calibration_error" in figures:
            chance = figures.get("chance_error_95")
            perfect = "" if chance is None else f"up to {chance:.3f}"
            found.append([question, f"off by {figures['calibration_error']:.3f}", perfect])
        if "expected_events_per_true" in figures:
            best = f"; the 1-best: {figures['best_events_per_true']:.2f}" if "best_events_per_true" in figures else ""
            said = f"{figures['expected_events_per_true']:.2f}{best}"
            found.append(["Events expected for each true one", said, "1.00"])
    wanted = {"query": "events", "slice": "all events together", "level": "5 documents", "interval": "exact"}
    for row in _of_closest_mode(coverage):
        if row["nominal"] == 0.95 and all(row.get(name) == value for name, value in wanted.items()):
            question = "95 % intervals of the events in 5 documents that held the truth"
            found.append([question, f"{row['covered'] * 100:.0f} %", f"{row['expected'] * 100:.0f} %"])
    return found


def _of_closest_mode(rows: Sequence[Row]) -> list[Row]:
    """Rows as the model states them, of the whole corpus, in the mode that is closest to a run."""
    whole = [row for row in rows if row.get("recalibrated", "none") == "none" and row.get("genre", "all") == "all"]
    best = min((_closeness(row) for row in whole), default=0)
    return [row for row in whole if _closeness(row) == best]


def _coreference_of(run: Run) -> str | None:
    """Fingerprint of the run's coreference model."""
    described = (run.manifest.get("annotator") or {}).get("coref") or {}
    return described.get("id")


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
