"""The steps of the flows as Prefect tasks: each is one call of what the command line runs.

Covers: names, retries and timeouts of the steps, and what is worth retrying.
Not here: the order of steps (`nightly`, `propagate`, `calibrate`, `backfill`), any work.

A step is a whole ingest or a whole run. Dask handles the documents, and the warehouse remembers what is finished, so a
retried step continues where it stopped.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from prefect import get_run_logger, task

from flows.jobs.calibrate import calibrate
from flows.jobs.ingest import ingest
from flows.jobs.propagate import prepare, propagate
from flows.jobs.report import report_into_warehouse
from flows.jobs.requests import CalibrateRequest, IngestRequest, PropagateRequest
from flows.scheduled.checks import check_cluster, check_question, check_sources, check_warehouse
from flows.scheduled.logged import log_progress
from flows.scheduled.parameters import Cluster, Intake, Question
from workers.calibration.drive import CalibrationReport
from workers.ingest import IngestReport, archive_chunks
from workers.propagate import RunProgress, RunReport
from workers.propagation.together import runs_together
from workers.run_changes import Change, changed_counts
from workers.runs import open_run, run_ids
from workers.storage import Warehouse

FLOW = "flow"
"""Writer of the lock that a flow holds from its first step to its last."""


def worth_retrying(_task: Any, _run: Any, state: Any) -> bool:
    """Whether a retry can succeed: a cluster or a store may come back; a wrong value stays wrong."""
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
    """Find problems before the flow starts to work."""
    opened = check_warehouse(warehouse)
    check_sources(sources)
    if question is not None:
        check_question(opened, question)
    check_cluster(cluster)


@task(name="ingest", retry_condition_fn=worth_retrying)
def ingest_step(warehouse: str, sources: Sequence[str], intake: Intake) -> IngestReport:
    """Bring in what is new."""
    request = IngestRequest(sources=tuple(sources), warehouse=warehouse, **intake.model_dump())
    report = ingest(request, on_progress=log_progress())
    total = report.total
    get_run_logger().info(
        "%s records read, %s articles added, %s known already, %s quarantined",
        *(f"{count:,}" for count in (total.read, total.kept, total.known, total.quarantined)),
    )
    return report


@task(name="propagate", retry_condition_fn=worth_retrying)
def propagate_step(request: PropagateRequest) -> list[RunReport]:
    """Gate, annotate, sample, count and publish, once for all queries."""
    reports = propagate(request, on_progress=log_progress())
    for report in reports:
        get_run_logger().info("%s: %s (%s)", "published" if report.new else "up to date", report.path, report.query)
    return reports


@task(name="prepare", task_run_name="prepare {request.since} to {request.until}", retry_condition_fn=worth_retrying)
def prepare_step(request: PropagateRequest) -> RunProgress:
    """Do everything but publish, for some days."""
    return prepare(request, on_progress=log_progress())


@task(name="compare")
def compare_step(warehouse: str, before: str | None, after: str) -> list[Change]:
    """What changed since the run before."""
    opened = Warehouse.open(warehouse)
    old = None if before is None else open_run(opened, before).counts()
    return changed_counts(old, open_run(opened, after).counts())


@task(name="report", retries=2, retry_delay_seconds=10, retry_condition_fn=worth_retrying)
def report_step(warehouse: str, run_ids: Sequence[str]) -> str:
    """Write the report of some runs into the warehouse; return its path."""
    page = report_into_warehouse(warehouse, run_ids, on_progress=log_progress()).page
    get_run_logger().info("report: %s", page)
    return page


@task(name="calibrate", retry_condition_fn=worth_retrying)
def calibrate_step(request: CalibrateRequest) -> CalibrationReport:
    """Measure, choose a recalibration, publish both."""
    report = calibrate(request, on_progress=log_progress())
    for error in report.left_out:
        get_run_logger().warning("left out: %s", error)
    return report


def newest_runs(warehouse: Warehouse) -> dict[str, str]:
    """Id of the newest run of each query, by the query's name; the latest run and those with it count as newest."""
    ids = [*run_ids(warehouse), *runs_together(warehouse)]
    return {open_run(warehouse, run_id).manifest["query"]["name"]: run_id for run_id in ids}


def archive_quarters(warehouse: Warehouse) -> list[str]:
    """Quarters of which the archive has articles, in order."""
    return sorted({chunk.quarter for chunk in archive_chunks(warehouse)})
