"""The last steps of nightly, propagate and backfill: publish a run and show it.

Covers: propagate, compare with the run before, artifacts, report.
Not here: each of them (`flows.scheduled.steps`, `flows.scheduled.artifacts`).
"""

from dataclasses import dataclass
from typing import Any

from flows.jobs.requests import PropagateRequest
from flows.scheduled.artifacts import run_artifacts, show_report
from flows.scheduled.parameters import Cluster, Patience, Question
from flows.scheduled.steps import compare_step, newest_runs, propagate_step, report_step
from workers.ingest import IngestReport
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
) -> list[dict[str, Any]]:  # fmt: skip
    """Bring the counts of each query up to date, say what changed, and write the report; return what was published."""
    before = newest_runs(warehouse)
    request = job.request(*days)
    reports = propagate_step.with_options(**job.patience.options())(request)
    for number, report in enumerate(reports):
        changes = compare_step(job.address, before.get(report.query), report.run_id)
        marks = {"Query": report.query, "Samples": str(request.samples), "Calibration": request.calibration}
        run = open_run(warehouse, report.run_id)
        run_artifacts(run, report, changes, ingested, marks, suffix=f"-{number + 1}" if number else "")
    show_report(report_step(job.address, [report.run_id for report in reports]), job.report_url)
    return [report.to_dict() for report in reports]
