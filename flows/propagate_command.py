"""`credence propagate`: an archive's posterior counts brought up to date, seen from the terminal.

Covers: options to settings, the live view, the summary, exit codes.
Not here: the work (`workers.propagate`).
Exit codes are those of `flows.failures`; 3: published, but documents were quarantined.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TypeVar

import typer
from distributed import Client
from rich.console import Console
from rich.markup import escape

from calib_core.coref import AntecedentModel
from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import Query
from flows.failures import INCOMPLETE, exit_codes
from flows.live_view import run_view
from workers.annotate import AnnotatorConfig, annotator_id
from workers.calibrations import latest_calibration, load_recalibration
from workers.cluster import ClusterConfig, open_cluster
from workers.parsing.choice import ParserConfig
from workers.propagate import Progress, PropagateOptions, RunReport, Settings, prepare, propagate
from workers.storage import Warehouse, public_name

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Request:
    """The question, as it was typed."""

    warehouse: str
    query: str = "attack"
    samples: int = 100
    seed: int = 0
    calibration: str = "latest"
    since: str | None = None
    until: str | None = None
    parser: str = "default"
    coref: str = "default"
    titles: bool = False
    retry_quarantined: bool = False


def run_propagate(request: Request, cluster: Callable[[], ClusterConfig], *, as_json: bool) -> None:
    """Propagate, tell, and exit with a code that a scheduler can use."""
    console = Console(stderr=True)
    with exit_codes(console, "propagate"):
        report = propagate_request(request, cluster(), console)
    if as_json:
        sys.stdout.write(json.dumps(report.to_dict()) + "\n")
    else:
        show_report(Console(soft_wrap=True, highlight=False), report, request.warehouse)
    if report.quarantined:
        raise typer.Exit(INCOMPLETE)


def propagate_request(request: Request, cluster: ClusterConfig, console: Console) -> RunReport:
    """Run it; shared by the command line, the demonstration and the scheduled flows."""
    return _run(propagate, request, cluster, console)


def prepare_request(request: Request, cluster: ClusterConfig, console: Console) -> Progress:
    """Do all but publish."""
    return _run(prepare, request, cluster, console)


def _run(
    work: Callable[[Client, Warehouse, Settings, PropagateOptions], Done],
    request: Request,
    cluster: ClusterConfig,
    console: Console,
) -> Done:
    warehouse = Warehouse.open(request.warehouse)
    settings = read_settings(request, warehouse)
    with run_view(console) as show, open_cluster(cluster) as client:
        created = datetime.now(UTC).isoformat(timespec="milliseconds")  # runs are told apart by age
        return work(client, warehouse, settings, PropagateOptions(created, request.retry_quarantined, show))


def read_settings(request: Request, warehouse: Warehouse) -> Settings:
    """The request, checked.

    Raises
    ------
    ValueError
        For a date, a query or a number that cannot be; before any work.
    """
    annotator = AnnotatorConfig(ParserConfig(request.parser), request.coref, request.titles)
    annotator_id(annotator)  # refuses models that are not there
    calibration, recalibration = _calibration(request, warehouse, annotator)
    return Settings(
        query=Query.from_yaml(request.query),
        n_samples=request.samples,
        seed=request.seed,
        annotator=annotator,
        calibration=calibration,
        recalibration=recalibration,
        since=_day("since", request.since),
        until=_day("until", request.until),
    )


def _calibration(
    request: Request, warehouse: Warehouse, annotator: AnnotatorConfig
) -> tuple[str, Recalibration | None]:
    """Where the repair comes from, and the repair."""
    model_id = AntecedentModel.load(annotator.coref_folder).fingerprint
    found = load_recalibration(warehouse, request.calibration, model_id=model_id)
    if found is None or request.calibration != "latest":
        return "none" if found is None else request.calibration, found
    return latest_calibration(warehouse, model_id=model_id) or "shipped", found


def _day(name: str, text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{name} must be a day such as 1987-03-31; got {text!r}") from error


def show_report(console: Console, report: RunReport, warehouse: str) -> None:
    """What was published, and where to look next."""
    console.print(
        f"{report.documents:,} documents: {report.counted:,} counted, {report.gated_out:,} gated out, "
        f"{report.quarantined:,} quarantined. {report.rows:,} rows of counts."
    )
    name = escape(public_name(warehouse))
    folder = f"{name}/{report.path if '://' in warehouse else 'latest'}"  # object stores have no links
    console.print(f"{'Published' if report.new else 'Up to date'}: {folder}/counts.parquet")
    if report.quarantined:
        console.print(f"Why documents were quarantined: {folder}/quarantine.parquet")
    console.print(f"Next: credence counts {name}")
