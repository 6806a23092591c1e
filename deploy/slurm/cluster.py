"""A Dask cluster of Slurm jobs that grows and shrinks with the work, for as long as this script runs.

Covers: the jobs, the scheduler's address in a file, TLS.
Not here: what runs on it (`credence propagate --scheduler`, or `cluster.scheduler` of `credence serve`).

    pip install dask-jobqueue
    python cluster.py --partition normal --maximum 40 --address scheduler.txt
"""

import argparse
import signal
from pathlib import Path


def options() -> argparse.Namespace:
    """What can be chosen."""
    parser = argparse.ArgumentParser(description="A Dask cluster of Slurm jobs.")
    parser.add_argument("--partition", required=True)
    parser.add_argument("--account")
    parser.add_argument("--processes", type=int, default=8, help="worker processes in one job")
    parser.add_argument("--memory", type=int, default=3, help="GiB of each worker process")
    parser.add_argument("--walltime", default="04:00:00")
    parser.add_argument("--interface", help="network between the nodes, such as ib0")
    parser.add_argument("--minimum", type=int, default=0, help="jobs kept though there is no work")
    parser.add_argument("--maximum", type=int, default=20, help="jobs at most")
    parser.add_argument("--address", type=Path, default=Path("scheduler.txt"), help="file for the scheduler's address")
    parser.add_argument(
        "--tls", type=Path, help="folder with ca.pem, dask.pem and dask.key, on a disk that all nodes see"
    )
    parser.add_argument("--show", action="store_true", help="print the job script and stop")
    return parser.parse_args()


def main() -> None:
    """Start, say where, wait."""
    chosen = options()
    import dask
    from dask_jobqueue import SLURMCluster
    from distributed import Security

    dask.config.set({"distributed.scheduler.allowed-failures": 0, "distributed.scheduler.worker-saturation": 1.0})
    tls = chosen.tls and Security(
        tls_ca_file=str(chosen.tls / "ca.pem"), require_encryption=True,
        **{f"tls_{who}_{what}": str(chosen.tls / f"dask.{end}")
           for who in ("client", "scheduler", "worker") for what, end in (("cert", "pem"), ("key", "key"))},
    )  # fmt: skip
    with SLURMCluster(
        queue=chosen.partition, account=chosen.account, cores=chosen.processes, processes=chosen.processes,
        memory=f"{chosen.processes * chosen.memory}GiB", walltime=chosen.walltime, interface=chosen.interface,
        job_script_prologue=["export OMP_NUM_THREADS=1"], protocol="tls://" if tls else "tcp://",
        security=tls or None, shared_temp_directory=str(Path.cwd()) if tls else None,
    ) as cluster:  # fmt: skip
        if chosen.show:
            print(cluster.job_script())  # noqa: T201
            return
        cluster.adapt(minimum_jobs=chosen.minimum, maximum_jobs=chosen.maximum)
        chosen.address.write_text(f"{cluster.scheduler_address}\n")
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
        chosen.address.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
