"""Prune: delete old runs of a warehouse and what only they needed.

Covers: finding the warehouse, deleting or only planning to.
Not here: what may be deleted (`workers.pruning`).
"""

from flows.jobs.choosing import existing_warehouse
from flows.jobs.progress import OnProgress, quiet
from flows.jobs.requests import PruneRequest
from workers.pruning import Pruning, plan_pruning
from workers.pruning import prune as delete_unneeded


def prune(request: PruneRequest, *, on_progress: OnProgress = quiet) -> Pruning:  # noqa: ARG001  takes no time
    """Delete what no kept run needs; in a dry run only list it."""
    decide = plan_pruning if request.dry_run else delete_unneeded
    return decide(existing_warehouse(request.warehouse), keep=request.keep, annotations=request.annotations)
