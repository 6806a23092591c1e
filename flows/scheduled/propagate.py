"""On request: bring the counts of a warehouse up to date, without reading new files."""

from datetime import date
from typing import Any

from prefect import flow

from flows.scheduled import parameters as given
from flows.scheduled.checks import check_days
from flows.scheduled.notices import TOLD
from flows.scheduled.published import Job, publish_and_show
from flows.scheduled.steps import check, flow_lock


@flow(name="propagate", **TOLD)
def propagate(
    warehouse: given.Address,
    question: given.Question = given.QUESTION,
    since: date | None = None,
    until: date | None = None,
    cluster: given.Cluster = given.CLUSTER,
    patience: given.Patience = given.PATIENCE,
    report_url: str | None = None,
    notice: given.Notice = given.NOTICE,  # noqa: ARG001  read by the hook
) -> list[dict[str, Any]]:
    """Gate, annotate, sample, count and publish; only what changed is redone."""
    check_days(since, until)
    check(warehouse, cluster, question)
    with flow_lock(warehouse) as opened:
        days = (str(since) if since else None, str(until) if until else None)
        return publish_and_show(opened, Job(warehouse, question, cluster, patience, report_url), days=days)
