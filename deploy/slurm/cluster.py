"""A Dask cluster of Slurm jobs that grows and shrinks with the work, for as long as this script runs.

Covers: the jobs, the scheduler's address in a file once the first of them works, TLS.
Not here: what runs on it (`credence propagate --scheduler`, or `cluster.scheduler` of `credence serve`).

    pip install dask-jobqueue==0.9.0
    python cluster.py --partition normal --maximum 40 --address scheduler.txt
"""

import argparse
import signal
from pathlib import Path
from threading import Event
from typing import Any


def options() -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description="A Dask cluster of Slurm jobs.")
    parser.add_argument("--partition", required=True)
    parser.add_argument("--account")
    parser.add_argument("--processes", type=int, default=8, help="worker processes in one job")
    parser.add_argument("--memory", type=int, default=3, help="GiB of each worker process")
    parser.add_argument("--walltime", default="04:00:00")
    parser.add_argument("--interface", help="network between the nodes, such as ib0")
    parser.add_argument("--minimum", type=int, default=1, help="jobs to keep running without work")
    parser.add_argument("--maximum", type=int, default=20, help="most jobs at a time")
    parser.add_argument("--address", type=Path, default=Path("scheduler.txt"), help="file for the scheduler's address")
    parser.add_argument(
        "--tls", type=Path, help="folder with ca.pem, dask.pem and dask.key, on a disk that all nodes see"
    )
    parser.add_argument("--show", action="store_true", help="print the job script and stop")
    chosen = parser.parse_args()
    if not 1 <= chosen.minimum <= chosen.maximum:
        parser.error(f"--minimum must be 1 to --maximum; got {chosen.minimum} and {chosen.maximum}")
    return chosen


def certificates(folder: Path | None) -> Any:
    """TLS as Dask wants it; None without a folder."""
    if folder is None:
        return None
    from distributed import Security

    files = {
        f"tls_{who}_{what}": str(folder.resolve() / f"dask.{end}")
        for who in ("client", "scheduler", "worker")
        for what, end in (("cert", "pem"), ("key", "key"))
    }
    return Security(tls_ca_file=str(folder.resolve() / "ca.pem"), require_encryption=True, **files)


def told_to_stop() -> Event:
    """Set by an interrupt or a SIGTERM, so that jobs are cancelled before this process ends."""
    stop = Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    return stop


def keep(cluster: Any, chosen: argparse.Namespace) -> None:
    """Let jobs come and go; write the scheduler's address as soon as one of them works."""
    stop = told_to_stop()
    chosen.address.unlink(missing_ok=True)  # left over from a killed process
    cluster.adapt(minimum_jobs=chosen.minimum, maximum_jobs=chosen.maximum)
    # A run without workers is refused, and Slurm may take a while.
    while not cluster.scheduler_info["workers"] and not stop.wait(1):
        pass
    if stop.is_set():
        return
    chosen.address.write_text(f"{cluster.scheduler_address}\n")
    try:
        stop.wait()
    finally:
        chosen.address.unlink(missing_ok=True)


def main() -> None:
    """Start the cluster, write its address, wait."""
    chosen = options()
    import dask
    from dask_jobqueue import SLURMCluster

    dask.config.set({"distributed.scheduler.allowed-failures": 0, "distributed.scheduler.worker-saturation": 1.0})
    tls = certificates(chosen.tls)
    with SLURMCluster(
        queue=chosen.partition, account=chosen.account, cores=chosen.processes, processes=chosen.processes,
        memory=f"{chosen.processes * chosen.memory}GiB", walltime=chosen.walltime, interface=chosen.interface,
        job_script_prologue=["export OMP_NUM_THREADS=1"], protocol="tls://" if tls else "tcp://",
        security=tls, shared_temp_directory=str(Path.cwd()) if tls else None,
    ) as cluster:  # fmt: skip
        if chosen.show:
            print(cluster.job_script())  # noqa: T201
        else:
            keep(cluster, chosen)


if __name__ == "__main__":
    main()
