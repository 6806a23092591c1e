"""A Dask cluster of real processes, and clients of it, all of which tests may kill at any moment."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness.servers import free_port, wait_until

ROOT = Path(__file__).resolve().parents[2]
TOY, FAULTS = (Path(__file__).parent / f"{name}.py" for name in ("toy_annotator", "faults"))
"""What workers may load beside the product: models that take no time, and ways to die."""


@dataclass
class Machines:
    """Processes by name, each in a group of its own, its output in a file.

    Attributes
    ----------
    folder : Path
        For logs and the workers' own files.
    tls : tuple of str
        Options of scheduler and worker for encryption.
    preload : tuple of Path
        What every worker loads first.
    """

    folder: Path
    tls: tuple[str, ...] = ()
    preload: tuple[Path, ...] = ()
    port: int = field(default_factory=free_port)
    running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return f"{'tls' if self.tls else 'tcp'}://127.0.0.1:{self.port}"

    def run(self, name: str, *command: str, env: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
        """Start `python -m` something."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", *command], stdout=log, stderr=log, cwd=ROOT, start_new_session=True,
                env={**os.environ, "OMP_NUM_THREADS": "1", **(env or {})},
            )  # fmt: skip
        return self.running[name]

    def scheduler(self, *, allowed_failures: int = 3) -> None:
        """Start the scheduler and wait until it listens."""
        env = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(allowed_failures)}
        host = ("--host", self.address.rpartition(":")[0], "--port", str(self.port))
        self.run("scheduler", "distributed.cli.dask_scheduler", *self.tls, *host, "--no-dashboard", env=env)
        wait_until(self._listens, "the Dask scheduler")

    def worker(self, name: str, *, env: dict[str, str] | None = None) -> None:
        """Start a worker with its nanny; it waits for the scheduler by itself."""
        preload = [option for path in self.preload for option in ("--preload", str(path))]
        limits = ("--nthreads", "1", "--nworkers", "1", "--memory-limit", "4GiB", "--no-dashboard")
        folder = ("--local-directory", str(self.folder / name))
        self.run(
            name, "distributed.cli.dask_worker", self.address, *self.tls, *limits, *folder, *preload, env=env
        )  # fmt: skip

    def client(self, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
        """Start `credence`."""
        return self.run(name, "flows", *arguments)

    def start(self) -> None:
        """Start a scheduler and one worker."""
        self.scheduler()
        self.worker("worker")

    def kill(self, name: str) -> None:
        """Kill -9, children and all."""
        process = self.running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """Kill whatever runs."""
        for name in list(self.running):
            self.kill(name)

    @contextmanager
    def killed(self) -> Iterator[None]:
        """All die at once, as a lost machine would; after the block scheduler and worker are back."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    def is_running(self, name: str) -> bool:
        """Whether it was started and lives."""
        return name in self.running and self.running[name].poll() is None

    def log(self, name: str) -> str:
        """What it printed."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0
