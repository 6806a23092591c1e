"""The last steps of nightly, propagate and backfill: publish a run and show it.

Covers: propagate, compare with the run before, artifacts, report.
Not here: each of them (`flows.scheduled.steps`, `flows.scheduled.artifacts`).
"""

from dataclasses import dataclass

from flows.jobs.requests import PropagateRequest
from flows.scheduled.artifacts import run_artifacts, show_report
from flows.scheduled.parameters import Cluster, Patience, Question
from flows.scheduled.steps import compare_step, latest_run, propagate_step, report_step
from workers.ingest import IngestReport
from workers.propagate import RunReport
from workers.runs import open_run
from workers.storage import Warehouse


@dataclass(frozen=True, slots=True)
class Job:
    """What is counted, where, and how patiently."""

    address: str
    question: Question
    cluster: Cluster
    patience: Patience
    report_url: str | None = None

    def request(self, since: str | None = None, until: str | None = None) -> PropagateRequest:
        """The question about some days, as the jobs take it."""
        return PropagateRequest(
            warehouse=self.address, since=since, until=until, cluster=self.cluster.request(),
            **self.question.model_dump(),
        )  # fmt: skip


def publish_and_show(
    warehouse: Warehouse, job: Job, ingested: IngestReport | None = None,
    days: tuple[str | None, str | None] = (None, None),
) -> RunReport:  # fmt: skip
    """Bring the counts up to date, say what changed, and write the report."""
    before = latest_run(warehouse)
    request = job.request(*days)
    report = propagate_step.with_options(**job.patience.options())(request)
    changes = compare_step(job.address, before.run_id if before else None, report.run_id)
    marks = {"Query": request.query, "Samples": str(request.samples), "Calibration": request.calibration}
    run_artifacts(open_run(warehouse, report.run_id), report, changes, ingested, marks)
    show_report(report_step(job.address, report.run_id), job.report_url)
    return report
