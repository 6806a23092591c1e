"""A PostgreSQL server for tests, in a process of its own on a free port of this machine."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.harness.servers import free_port, wait_until


@dataclass(frozen=True)
class Postgres:
    """A server with one user and one database, both called prefect."""

    port: int
    password: str


def programs() -> Path | None:
    """Where the server's programs are; None where PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))  # Debian does not put them on the path
    path = shutil.which("initdb") or (found and found[-1])
    return Path(path).resolve().parent if path else None


def owner() -> str | None:
    """PostgreSQL refuses to run as root: then the user that its package made; None where there is none."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid()).pw_name
    return "postgres" if any(user.pw_name == "postgres" for user in pwd.getpwall()) else None


@contextmanager
def postgres_server(password: str) -> Iterator[Postgres]:
    """A server with data of its own, gone after the block."""
    place, user, port = programs(), owner(), free_port()
    assert place is not None
    assert user is not None
    with tempfile.TemporaryDirectory() as name:  # not below pytest's folder, which other users cannot enter
        folder = Path(name)
        (folder / "password").write_text(password)
        for path in (folder, folder / "password"):
            shutil.chown(path, user)
        as_owner: dict[str, Any] = {"user": user, "cwd": folder} if os.geteuid() == 0 else {"cwd": folder}
        first = ["-D", "data", "-U", "prefect", "--auth=scram-sha-256", "--pwfile=password", "--no-sync", "--no-locale"]
        subprocess.run([place / "initdb", *first], check=True, capture_output=True, **as_owner)
        options = ["-D", "data", "-p", str(port), "-h", "127.0.0.1", "-k", str(folder), "-F"]
        with (folder / "log").open("wb") as log, subprocess.Popen(
            [place / "postgres", *options], stdout=log, stderr=log, **as_owner
        ) as started:  # fmt: skip
            try:
                ready = [place / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
                wait_until(lambda: subprocess.run(ready, check=False).returncode == 0, "PostgreSQL")
                create = [place / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "prefect", "prefect"]
                subprocess.run(create, check=True, env=os.environ | {"PGPASSWORD": password})
                yield Postgres(port, password)
            finally:
                started.send_signal(signal.SIGINT)  # does not wait for its clients
