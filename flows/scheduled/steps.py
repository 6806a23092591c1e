"""The steps of the flows as Prefect tasks: each is one call of what the command line runs.

Covers: names, retries and timeouts of the steps, and what is worth trying again.
Not here: the order of steps (`nightly`, `propagate`, `calibrate`, `backfill`), any work.

A step is all of an ingest or all of a run: Dask carries the fine grain, and the warehouse remembers what is finished,
so a step that is tried again goes on where it stopped.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from prefect import get_run_logger, task

from flows.calibrate_command import CalibrateRequest, calibrate_request
from flows.ingest_command import ingest_config, ingest_sources
from flows.propagate_command import Request, prepare_request, propagate_request
from flows.report.writing import write_report
from flows.scheduled.checks import check_cluster, check_question, check_sources, check_warehouse
from flows.scheduled.log_console import log_console
from flows.scheduled.parameters import Cluster, Intake, Question
from workers.calibration.drive import CalibrationReport
from workers.cluster import ClusterConfig
from workers.explanations import RunSettings
from workers.ingest import IngestReport, archive_chunks
from workers.propagate import Progress, RunReport
from workers.run_changes import Change, changed_counts
from workers.runs import Run, open_run
from workers.storage import Warehouse, public_name

FLOW = "flow"
"""Writer of the lock that a flow holds from its first step to its last."""
REPORT = "report.html"
ARTICLES_SHOWN = 1000
"""Articles with text in the report, at most: as `credence report` has it."""


def worth_retrying(_task: Any, _run: Any, state: Any) -> bool:
    """Whether the same call can end otherwise: a cluster or a store may come back, a wrong value stays wrong."""
    error = state.result(raise_on_failure=False)
    return not isinstance(error, (ValueError, FileNotFoundError))


@contextmanager
def flow_lock(warehouse: str) -> Iterator[Warehouse]:
    """Be the only flow that writes to the warehouse."""
    opened = Warehouse.open(warehouse, writer=FLOW)
    with opened.single_writer():
        yield opened


@task(name="check", timeout_seconds=600)
def check(warehouse: str, cluster: Cluster, question: Question | None = None, sources: Sequence[str] = ()) -> None:
    """Find what would stop the flow before it starts to work."""
    opened = check_warehouse(warehouse)
    check_sources(sources)
    if question is not None:
        check_question(opened, question)
    check_cluster(cluster)


@task(name="ingest", retry_condition_fn=worth_retrying)
def ingest_step(warehouse: str, sources: Sequence[str], intake: Intake) -> IngestReport:
    """Bring in what is new."""
    config = ingest_config(intake.format, intake.duplicates, intake.fields)
    return ingest_sources(sources, warehouse, config, log_console())


@task(name="propagate", retry_condition_fn=worth_retrying)
def propagate_step(request: Request, cluster: Cluster) -> RunReport:
    """Gate, annotate, sample, count and publish."""
    report = propagate_request(request, cluster.config(), log_console())
    get_run_logger().info("%s: %s", "published" if report.new else "up to date", report.path)
    return report


@task(name="prepare", task_run_name="prepare {request.since} to {request.until}", retry_condition_fn=worth_retrying)
def prepare_step(request: Request, cluster: Cluster) -> Progress:
    """Do all but publish, for some days."""
    return prepare_request(request, cluster.config(), log_console())


@task(name="compare")
def compare_step(warehouse: str, before: str | None, after: str) -> list[Change]:
    """What changed since the run before."""
    opened = Warehouse.open(warehouse)
    old = None if before is None else open_run(opened, before).counts()
    return changed_counts(old, open_run(opened, after).counts())


@task(name="report", retries=2, retry_delay_seconds=10, retry_condition_fn=worth_retrying)
def report_step(warehouse: str, run_id: str) -> str:
    """Write the report into the warehouse; returns where."""
    opened = Warehouse.open(warehouse)
    run = open_run(opened, run_id)
    with TemporaryDirectory() as folder:
        page = Path(folder) / REPORT
        write_report(run, RunSettings.of(run), warehouse, page, None, (), ARTICLES_SHOWN)
        opened.write_bytes(REPORT, page.read_bytes())
    return f"{public_name(warehouse).rstrip('/')}/{REPORT}"


@task(name="calibrate", retry_condition_fn=worth_retrying)
def calibrate_step(request: CalibrateRequest, cluster: ClusterConfig) -> CalibrationReport:
    """Measure, choose a repair, publish both."""
    return calibrate_request(request, lambda: cluster, log_console())


def latest_run(warehouse: Warehouse) -> Run | None:
    """The run that is published now."""
    return open_run(warehouse) if warehouse.latest() else None


def archive_quarters(warehouse: Warehouse) -> list[str]:
    """Quarters of which the archive has articles, in order."""
    return sorted({chunk.quarter for chunk in archive_chunks(warehouse)})
