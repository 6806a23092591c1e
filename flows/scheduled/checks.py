"""What is checked before a flow starts work, each with a sentence that says what to do.

Covers: the warehouse, the sources, the days, the question with its models, the cluster.
Not here: the form of the parameters (`flows.scheduled.parameters`), the lock (taken by the flow itself).
"""

from collections.abc import Sequence
from datetime import date

from flows.jobs.cluster import cluster_config
from flows.jobs.propagate import read_settings
from flows.jobs.requests import PropagateRequest
from flows.scheduled.parameters import Cluster, Question
from workers.cluster import open_cluster
from workers.ingest.sources import find_sources
from workers.storage import StorageError, Warehouse, public_name


def check_warehouse(address: str) -> Warehouse:
    """The warehouse; it must exist."""
    warehouse = Warehouse.open(address)
    if not warehouse.exists(""):
        raise StorageError(
            public_name(address),
            "there is no warehouse",
            f"check the address, or make one with `credence ingest SRC... --out {public_name(address)}`",
        )
    return warehouse


def check_sources(sources: Sequence[str]) -> None:
    """Every source must exist."""
    for source in sources:
        find_sources(source)


def check_days(since: date | None, until: date | None) -> None:
    """A range of days, which must be the right way round."""
    if since and until and since > until:
        raise ValueError(f"since must not be after until; got {since} and {until}: exchange them")


def check_question(warehouse: Warehouse, question: Question) -> None:
    """Queries, models and calibration must exist."""
    read_settings(PropagateRequest(warehouse=warehouse.root, **question.model_dump()), warehouse)


def check_cluster(cluster: Cluster) -> None:
    """A named scheduler must answer and have workers; one of our own is started later."""
    config = cluster_config(cluster.request())
    if config.scheduler:
        with open_cluster(config):
            pass
