"""What Prefect shows of a run: a few small tables and a link.

Covers: the tables as rows, bounded, and handing them to Prefect.
Not here: the figures themselves (`workers.runs`, `workers.run_changes`, `workers.calibration.published`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from prefect.artifacts import create_link_artifact, create_table_artifact

from flows.jobs.calibration_summary import HEADLINE
from workers.calibration.published import latest_calibration
from workers.ingest import IngestReport
from workers.labelling import frame_ids, read_frame, read_labels, verdicts
from workers.layout import CalibrationFolder
from workers.propagate import RunReport
from workers.run_changes import Change
from workers.runs import Run
from workers.schemas import CALIBRATION_METRICS, SchemaError
from workers.storage import Warehouse

MOST = 50
"""Most rows shown of a long table; the tables in the warehouse have all."""
FIGURES = ("mode", "query", "slice", "metric", "recalibrated", "value", "lo", "hi", "n")
"""Columns shown of a calibration."""
Table = list[dict[str, Any]]


def summary_rows(run: RunReport, ingested: IngestReport | None = None) -> Table:
    """The balance of the run, and what came in before it."""
    came_in = ingested.total if ingested else None
    read: dict[str, int | str] = {} if came_in is None else {
        "records read": came_in.read, "articles added": came_in.kept, "known already": came_in.known,
        "duplicate ids left out": came_in.duplicates, "records quarantined": came_in.quarantined,
    }  # fmt: skip
    published: dict[str, int | str] = {
        "documents": run.documents, "counted": run.counted, "gated out": run.gated_out,
        "quarantined": run.quarantined, "rows of counts": run.rows,
        "published": run.path if run.new else f"{run.path} (as before)",
    }  # fmt: skip
    return [{"what": name, "value": _figure(value)} for name, value in {**read, **published}.items()]


def change_rows(changes: Sequence[Change]) -> Table:
    """Quarters and countries whose counts moved most."""
    return [
        {
            "quarter": change.quarter,
            "country": change.country,
            "mean before": _mean(change.before),
            "mean now": _mean(change.after),
            "change": f"{change.difference:+.2f}",
        }
        for change in changes[:MOST]
    ]


def quarantine_rows(run: Run) -> Table:
    """The first documents that failed, and why."""
    table = run.quarantine().select(["doc_id", "stage", "value", "file"])
    return table.slice(0, MOST).to_pylist()


def calibration_rows(warehouse: Warehouse) -> Table:
    """The headline figures of the latest calibration; empty if the warehouse has none."""
    found = latest_calibration(warehouse)
    if found is None:
        return []
    path = CalibrationFolder(found).table("metrics")
    if not warehouse.exists(path):
        return []
    try:
        rows = warehouse.read_table(path, CALIBRATION_METRICS, ["genre", *FIGURES]).to_pylist()
    except SchemaError as error:  # of an earlier version: no reason to fail a run that is already published
        return [{"": str(error)}]
    wanted = [row for row in rows if row["genre"] == "all" and (row["query"], row["slice"], row["metric"]) in HEADLINE]
    return [{name: _rounded(row[name]) for name in FIGURES} for row in wanted[:MOST]]


def label_rows(run: Run) -> Table:
    """How many labels each quarter still wants, the latest first; a quarter outside the sample wants a draw."""
    ids = frame_ids(run.warehouse, run.manifest["query"]["fingerprint"])
    if not ids:
        return [{"quarter": "all", "labels wanted": "no sample yet: credence sample"}]
    frame = read_frame(run.warehouse, ids[-1])
    answered = set(verdicts(read_labels(run.warehouse, frame).labels))
    columns = [frame.drawn.column(name).to_pylist() for name in ("doc_id", "quarter")]
    waiting = Counter(quarter for doc_id, quarter in zip(*columns, strict=True) if doc_id not in answered)
    return [
        {
            "quarter": name,
            "labels wanted": f"{waiting[name]:,}" if name in frame.quarters else "not in the sample: draw again",
        }
        for name in sorted(run.manifest["quarters"], reverse=True)
    ][:MOST]


def show_table(key: str, rows: Table, description: str) -> None:
    """Give Prefect a table; an empty one says so."""
    create_table_artifact(rows or [{"": "none"}], key=key, description=description)


def show_report(place: str, url: str | None) -> None:
    """Give Prefect a link to the report: where it is served, otherwise its file."""
    link = url or (place if "://" in place else Path(place).absolute().as_uri())
    create_link_artifact(link, link_text="report.html", key="report", description="What this run found, on one page.")


def run_artifacts(
    run: Run, report: RunReport, changes: Sequence[Change], ingested: IngestReport | None, marks: Mapping[str, str],
    *, suffix: str = "",
) -> None:  # fmt: skip
    """Everything about a published run except the report; `suffix` tells the keys of several queries apart."""
    notes = " ".join(f"{name}: {value}." for name, value in marks.items())
    show_table(f"run-summary{suffix}", summary_rows(report, ingested), f"Run {report.run_id}. {notes}".strip())
    shown = f"{len(changes):,} rows of counts differ from the run before; the first {min(len(changes), MOST)} are here."
    show_table(f"changed-counts{suffix}", change_rows(changes), shown)
    failed = f"{report.quarantined:,} documents failed; all are in {report.path}/quarantine.parquet."
    show_table(f"quarantine{suffix}", quarantine_rows(run), failed)
    show_table(
        f"labels-wanted{suffix}", label_rows(run), "Articles of the newest sample that nobody has answered, by quarter."
    )
    if not suffix:
        figures = calibration_rows(run.warehouse)
        show_table("calibration", figures, "Figures of the latest calibration in this warehouse.")


def _figure(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else value


def _mean(value: float | None) -> str:
    return "no row" if value is None else f"{value:.2f}"


def _rounded(value: Any) -> Any:
    return f"{value:.4g}" if isinstance(value, float) else value
