"""A Prefect server and a Dask cluster, started once for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.machines import Machines
from tests.harness.servers import prefect_server


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prefect")


@pytest.fixture(scope="session")
def dask(home: Path) -> Iterator[Machines]:
    cluster = Machines(home)
    cluster.start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def api(home: Path) -> Iterator[str]:
    with prefect_server(home) as address:
        yield address
