"""Real servers for tests, each in a process of its own on a free port of this machine."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 600.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(true: Callable[[], object], what: str, patience: float = PATIENCE, *, pause: float = 0.1) -> None:
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not come in {patience:.0f} s")
        time.sleep(pause)


@contextmanager
def process(*command: str, log: Path, env: dict[str, str] | None = None) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that is ended with the block; what it says goes to the log."""
    with log.open("ab") as output, subprocess.Popen(
        [sys.executable, *command], stdout=output, stderr=subprocess.STDOUT, env=env
    ) as started:  # fmt: skip
        try:
            yield started
        finally:
            started.terminate()
            try:
                started.wait(20)
            except subprocess.TimeoutExpired:
                started.kill()


def prefect_environment(folder: Path, api: str | None = None) -> dict[str, str]:
    """The environment of a process that uses Prefect: nothing of the user's own, nothing sent anywhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    own = {
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "1",
        "PREFECT_SERVER_SERVICES_SCHEDULER_MAX_RUNS": "5",  # runs planned ahead: a hundred keep the SQLite file busy
        "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
        "PREFECT_CLIENT_MAX_RETRIES": "20",
        "PREFECT_RUNNER_POLL_FREQUENCY": "1",
        "DO_NOT_TRACK": "1",
        "OMP_NUM_THREADS": "1",
    }
    return kept | own | ({"PREFECT_API_URL": api} if api else {})


@contextmanager
def prefect_server(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of the API of a Prefect server with a SQLite file of its own, unless settings say otherwise."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/api"
    command = ("-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port))
    with process(*command, log=folder / "server.log", env=prefect_environment(folder) | dict(settings or {})):
        wait_until(lambda: answers(f"{address}/health"), "the Prefect server")
        yield address


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
