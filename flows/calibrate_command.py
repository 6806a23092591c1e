"""`credence calibrate`, seen from the terminal.

Covers: options to settings, progress, the summary, exit codes.
Not here: the work (`workers.calibration`).
Exit codes are those of `flows.failures`; 5: measured and published, but the error is above --fail-above.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table

from calib_core.coref import AntecedentModel
from flows.failures import exit_codes
from flows.pace import Pace
from workers.calibration.drive import UNREPAIRED, CalibrateConfig, CalibrationReport, calibrate
from workers.calibration.folds import FoldConfig
from workers.calibration.inputs import read_annotated
from workers.calibration.measure import MeasureConfig
from workers.calibration.tasks import Report
from workers.cluster import ClusterConfig, open_cluster
from workers.parsing.choice import ParserConfig
from workers.storage import Warehouse

MISCALIBRATED = 5


@dataclass(frozen=True, slots=True)
class CalibrateRequest:
    """What was typed."""

    data: tuple[Path, ...]
    out: str
    folds: int = 0
    modes: tuple[str, ...] = ()
    coref: str = "default"
    parser: str = "default"
    samples: int = 1000
    paper_samples: int = 0
    seed: int = 0
    dataset: str | None = None
    split: str | None = None
    allow_training_data: bool = False
    keep_models: str | None = None
    fail_above: float | None = None
    charts: Path | None = None
    demonstration: bool = False


Cluster = Callable[[], ClusterConfig] | None
"""Where to run; None: in this process."""


def run_calibrate(request: CalibrateRequest, cluster: Cluster, *, as_json: bool) -> None:
    """Calibrate, tell, and exit with a code that a scheduler can use."""
    console = Console(stderr=True)
    with exit_codes(console, "calibrate"):
        report = calibrate_request(request, cluster, console)
        if request.charts is not None:
            from flows.calibration_charts import write_charts

            write_charts(report.tables, report.fit_mode, report.form, request.charts)
    if as_json:
        sys.stdout.write(json.dumps(summary(report)) + "\n")
    else:
        show(Console(soft_wrap=True, highlight=False), report)
    error = report.metric("calibration_error", recalibrated=report.form)
    if request.fail_above is not None and error is not None and error > request.fail_above:
        console.print(f"credence calibrate: pair CalibErr {error:.4f} is above {request.fail_above}.", style="red")
        raise typer.Exit(MISCALIBRATED)


def calibrate_request(request: CalibrateRequest, cluster: Cluster, console: Console) -> CalibrationReport:
    """Run it; shared by the command line and scheduled flows."""
    if request.demonstration:
        return _judge_demonstration(request, console)
    annotated = read_annotated(request.data, dataset=request.dataset, split=request.split)
    model = _model(request)
    config = CalibrateConfig(
        modes=request.modes,
        folds=FoldConfig(request.folds, keep=request.keep_models),
        measure=MeasureConfig(request.samples, request.paper_samples, seed=request.seed),
        parser=ParserConfig(request.parser),
        allow_training_data=request.allow_training_data,
    )
    warehouse = Warehouse.open(request.out, writer="calibrate")
    created = datetime.now(UTC).replace(microsecond=0)
    with warehouse.single_writer(), progress_view(console) as report:
        if cluster is None:
            return calibrate(annotated, model, config, warehouse, created=created, report=report)
        with open_cluster(cluster()) as client:
            return calibrate(annotated, model, config, warehouse, created=created, client=client, report=report)


def _model(request: CalibrateRequest) -> AntecedentModel:
    return AntecedentModel.load(None if request.coref == "default" else request.coref)


def _judge_demonstration(request: CalibrateRequest, console: Console) -> CalibrationReport:
    from flows.demonstration_coverage import judge_demonstration

    warehouse = Warehouse.open(request.out, writer="calibrate")
    settings = MeasureConfig(request.samples, seed=request.seed)
    with warehouse.single_writer(), progress_view(console) as report:
        return judge_demonstration(
            warehouse, _model(request), ParserConfig(request.parser), settings,
            created=datetime.now(UTC).replace(microsecond=0), report=report,
        )  # fmt: skip


@contextmanager
def progress_view(console: Console) -> Iterator[Report]:
    """A bar on a terminal; elsewhere a plain line at each stage and every ten seconds."""
    if not console.is_terminal:
        yield _plain_lines(console)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda stage, done, total: bar.update(task, description=stage, completed=done, total=total)


def _plain_lines(console: Console) -> Report:
    pace = Pace(at_once=True)

    def show_line(stage: str, done: int, total: int) -> None:
        if pace.due(whatever=done in (0, total)):
            console.print(f"{stage}: {done} of {total}", soft_wrap=True, highlight=False)

    return show_line


def summary(report: CalibrationReport) -> dict[str, Any]:
    """The report as JSON shows it: the headline figures; all others are in the tables."""
    return {
        "calibration_id": report.calibration_id,
        "model_id": report.model_id,
        "dataset": report.dataset,
        "split": report.split,
        "documents": report.documents,
        "recalibration": report.form,
        "fitted_in_mode": report.fit_mode,
        "gains": {name: {"per_pair": gain, "standard_error": error} for name, (gain, error) in report.gains.items()},
        "figures": headline(report),
        "coverage_95": [row for row in report.tables.coverage if row["nominal"] == 0.95],
    }


HEADLINE = (
    ("pairs", "all", "calibration_error"),
    ("pairs", "all", "chance_error_95"),
    ("pairs", "q > 0.01", "calibration_error"),
    ("pairs", "all", "log_loss"),
    ("antecedents", "all", "calibration_error"),
    ("antecedents", "all", "right_antecedent_log_loss"),
    ("new", "all", "calibration_error"),
    ("entities", "all", "bias"),
    ("chains", "all", "bias"),
    ("events", "q > 0.01", "calibration_error"),
    ("events", "q > 0.01", "log_loss"),
    ("query attack", "all", "calibration_error"),
    ("query attack", "q > 0.01", "calibration_error"),
    ("query attack", "all", "expected_events_per_true"),
    ("query attack", "all", "best_events_per_true"),
    ("scores", "all", "conll_f1"),
)
"""Query, slice and metric of the figures that are printed."""


def headline(report: CalibrationReport) -> list[dict[str, Any]]:
    """The figures that are printed, before and after repair, by mode."""
    modes = list(dict.fromkeys(row["mode"] for row in report.tables.metrics))
    found = []
    for mode in modes:
        for query, part, metric in HEADLINE:
            before, after = (
                report.metric(metric, mode=mode, query=query, slice=part, recalibrated=form)
                for form in (UNREPAIRED, report.form)
            )
            if before is None:
                continue
            row = {"mode": mode, "query": query, "slice": part, "metric": metric, "before": before, "after": after}
            found.append(row)
    return found


def show(console: Console, report: CalibrationReport) -> None:
    """Two tables for a reader: figures, and coverage of 95 % intervals."""
    console.print(
        f"{report.documents} documents of {report.dataset} ({report.split}); repair: {report.form}, fitted in mode "
        f"{report.fit_mode}; calibration {report.calibration_id}"
    )
    table = Table("mode", "about", "which", "figure", "before", "after repair")
    for row in headline(report):
        values = ["" if row[when] is None else f"{row[when]:.4f}" for when in ("before", "after")]
        table.add_row(row["mode"], row["query"], row["slice"], row["metric"], *values)
    console.print(table)
    table = Table("mode", "counts of", "over", "interval", "repair", "covered", "a right model would", "intervals")
    for row in report.tables.coverage:
        if row["nominal"] == 0.95:
            table.add_row(
                row["mode"], f"{row['query']}, {row['slice']}", row["level"], row["interval"], row["recalibrated"],
                f"{100 * row['covered']:.1f} %", f"{100 * row['expected']:.1f} %", str(row["n"]),
            )  # fmt: skip
    console.print(table)
