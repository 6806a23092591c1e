"""Anchor: a run's counts combined with the labels of a sample.

Covers: anchoring, the table for the R package `dsl`, a chart.
Not here: the estimates (`workers.anchoring`).
"""

from flows.jobs.choosing import existing_warehouse
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import AnchorRequest
from workers.anchoring import AnchorReport, anchor_run
from workers.anchoring.dsl import write_dsl
from workers.runs import open_run


def anchor(request: AnchorRequest, *, on_progress: OnProgress = quiet) -> AnchorReport:
    """Combine and publish; the raw counts stay as they are.

    Raises
    ------
    FrameError
        When no frame of the run's query has labels, or too few of its articles were answered.
    """
    run = open_run(existing_warehouse(request.warehouse), request.run_id)
    on_progress(Progress("anchoring"))
    report = anchor_run(run, request.frame, seed=request.seed)
    if request.dsl is not None:
        write_dsl(run, report.frame_id, request.dsl)
    if request.chart is not None:
        from flows.charts.anchored import write_anchored_chart  # drawing takes long to import

        write_anchored_chart(report.rows, request.chart)
    return report
