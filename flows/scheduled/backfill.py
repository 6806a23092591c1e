"""A range of days, quarter by quarter: after a new model or query, or for years that arrive late.

Covers: which quarters, and their order.
Not here: the work on each quarter (`workers.propagate.prepare`).

Each quarter is a step of its own, so progress is visible and a failure costs one quarter. What is finished stays
finished. The run published at the end covers the whole archive, so `latest` never shrinks to the range.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any

from prefect import flow

from flows.scheduled import parameters as given
from flows.scheduled.checks import check_days
from flows.scheduled.notices import TOLD
from flows.scheduled.published import Job, publish_and_show
from flows.scheduled.steps import archive_quarters, check, flow_lock, ingest_step, prepare_step
from workers.quarters import quarter_days


@flow(name="backfill", **TOLD)
def backfill(
    warehouse: given.Address,
    since: date,
    until: date,
    sources: list[given.Address] = [],  # noqa: B006  Prefect shows the default; nothing changes it
    intake: given.Intake = given.INTAKE,
    question: given.Question = given.QUESTION,
    cluster: given.Cluster = given.CLUSTER,
    patience: given.Patience = given.PATIENCE,
    publish: bool = True,
    report_url: str | None = None,
    notice: given.Notice = given.NOTICE,  # noqa: ARG001  read by the hook
) -> list[dict[str, Any]] | None:
    """Do the quarters of a range of days one by one, then publish the whole archive (or nothing)."""
    check_days(since, until)
    check(warehouse, cluster, question, sources)
    patient = patience.options()
    with flow_lock(warehouse) as opened:
        ingested = ingest_step.with_options(**patient)(warehouse, sources, intake) if sources else None
        job = Job(warehouse, question, cluster, patience, report_url)
        for first, last in quarters_between(since, until, archive_quarters(opened)):
            prepare_step.with_options(**patient)(job.request(str(first), str(last)))
        return publish_and_show(opened, job, ingested) if publish else None


def quarters_between(since: date, until: date, present: list[str]) -> Iterator[tuple[date, date]]:
    """First and last day of each quarter of the archive that the range touches; whole quarters, oldest first.

    Whole quarters, because the published run counts whole quarters; half of one would be done twice.
    """
    for quarter in present:
        first, last = quarter_days(quarter)
        if first <= until and since <= last:
            yield first, last
