"""Options about the cluster, as the commands take them."""

import os

from workers.cluster import ClusterConfig


def cluster_config(
    workers: int | None, memory: str, scheduler: str | None, *, tls: tuple[str | None, str | None, str | None]
) -> ClusterConfig:
    """Where to run; by default a process on each core that this one may use."""
    ca, cert, key = tls
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return ClusterConfig(workers or cores, memory, scheduler, ca, cert, key)
