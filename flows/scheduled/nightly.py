"""Every night: bring in what is new, count, publish, report.

Covers: the order of the steps.
Not here: the steps (`flows.scheduled.steps`), the schedule (`deploy/credence.yaml`, `deploy/prefect.yaml`).
"""

from typing import Any

from prefect import flow

from flows.scheduled import parameters as given
from flows.scheduled.notices import TOLD
from flows.scheduled.published import Job, publish_and_show
from flows.scheduled.steps import check, flow_lock, ingest_step


@flow(name="nightly", **TOLD)
def nightly(
    warehouse: given.Address,
    sources: list[given.Address],
    intake: given.Intake = given.INTAKE,
    question: given.Question = given.QUESTION,
    cluster: given.Cluster = given.CLUSTER,
    patience: given.Patience = given.PATIENCE,
    report_url: str | None = None,
    notice: given.Notice = given.NOTICE,  # noqa: ARG001  read by the hook
) -> list[dict[str, Any]]:
    """Bring in what is new, and bring the counts of one warehouse up to date."""
    check(warehouse, cluster, question, sources)
    with flow_lock(warehouse) as opened:
        ingested = ingest_step.with_options(**patience.options())(warehouse, sources, intake)
        job = Job(warehouse, question, cluster, patience, report_url)
        return publish_and_show(opened, job, ingested)
