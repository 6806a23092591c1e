"""Where a job runs: the cluster that its request asks for."""

import os

from flows.jobs.requests import ClusterRequest
from workers.cluster import ClusterConfig


def cluster_config(request: ClusterRequest) -> ClusterConfig:
    """Check the request; without a number of workers, take one per core that this process may use."""
    return ClusterConfig(
        workers=request.workers or _cores(),
        memory=request.memory,
        scheduler=request.scheduler,
        ca=request.ca,
        cert=request.cert,
        key=request.key,
        timeout=request.timeout,
        verbose=request.verbose,
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
