"""Real processes: a Dask scheduler, workers and clients of their own, which tests may kill at any moment."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PRELOAD = Path(__file__).parent / "faults.py"
STARTUP = 60.0


class Machines:
    """Processes by name; whatever is left at the end is killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return f"tcp://127.0.0.1:{self.port}"

    def start(self, name: str, *command: str, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a process in a group of its own, its output in a file."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", *command], stdout=log, stderr=log, cwd=ROOT, start_new_session=True,
                env={**os.environ, **(env or {})},
            )  # fmt: skip
        return self.running[name]

    def scheduler(self, *, allowed_failures: int = 3) -> None:
        """Start the scheduler and wait until it listens."""
        env = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(allowed_failures)}
        command = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.start("scheduler", *command, env=env)
        end = time.monotonic() + STARTUP
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise AssertionError(self.log("scheduler"))

    def worker(self, name: str, *, env: dict[str, str] | None = None, memory: str = "4GiB") -> None:
        """Start a worker with its nanny; it waits for the scheduler by itself."""
        folder = self.folder / name
        self.start(
            name, "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--nworkers", "1", "--no-dashboard",
            "--memory-limit", memory, "--local-directory", str(folder), "--preload", str(PRELOAD), env=env,
        )  # fmt: skip

    def client(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `credence`."""
        return self.start(name, "flows", *arguments)

    def kill(self, name: str) -> None:
        """Kill -9, children and all."""
        process = self.running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def is_running(self, name: str) -> bool:
        """Whether it was started and lives."""
        return name in self.running and self.running[name].poll() is None

    def log(self, name: str) -> str:
        """What it printed."""
        return (self.folder / f"{name}.log").read_text(errors="replace")


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    found = Machines(tmp_path)
    yield found
    for name in list(found.running):
        found.kill(name)
