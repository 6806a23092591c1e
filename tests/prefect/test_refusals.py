"""Flows that must fail before they start work, run against a real Prefect server."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.scheduled.backfill import backfill
from flows.scheduled.nightly import nightly
from flows.scheduled.parameters import Cluster, Patience
from flows.scheduled.propagate import propagate
from tests.harness.prefect_api import PrefectApi
from tests.harness.servers import free_port
from tests.prefect.news import write_news
from workers.cluster import ClusterError
from workers.storage import StorageError, Warehouse

pytestmark = pytest.mark.slow

AT_ONCE = Patience(retries=0)


@pytest.fixture(autouse=True)
def server(api: str) -> Iterator[PrefectApi]:
    with temporary_settings({PREFECT_API_URL: api}):
        yield PrefectApi(api)


@pytest.fixture
def warehouse(tmp_path: Path) -> str:
    (tmp_path / "w").mkdir()
    write_news(tmp_path / "news.jsonl", range(3))
    return str(tmp_path / "w")


def untouched(warehouse: str) -> bool:
    """Whether nothing was written, locks aside."""
    return [path.name for path in Path(warehouse).iterdir() if path.name != ".aside"] == []


def test_warehouse_that_does_not_exist(tmp_path: Path, server: PrefectApi) -> None:
    with pytest.raises(StorageError, match="there is no warehouse; check the address, or make one with"):
        nightly(str(tmp_path / "none"), [str(tmp_path)], patience=AT_ONCE)
    assert not (tmp_path / "none").exists()
    last = server.ended("nightly")[-1]
    assert last["state_type"] == "FAILED"
    assert "there is no warehouse" in last["state"]["message"]
    assert [run["name"].partition("-")[0] for run in server.task_runs(last["id"])] == ["check"]


def test_scheduler_that_does_not_answer(tmp_path: Path, warehouse: str) -> None:
    cluster = Cluster(scheduler=f"tcp://127.0.0.1:{free_port()}", timeout=1)
    with pytest.raises(ClusterError, match="no Dask scheduler answers at tcp"):
        nightly(warehouse, [str(tmp_path / "news.jsonl")], cluster=cluster, patience=AT_ONCE)
    assert untouched(warehouse)


def test_days_the_wrong_way_round(warehouse: str) -> None:
    with pytest.raises(ValueError, match="since must not be after until; got 1987-04-01 and 1987-03-31: exchange them"):
        backfill(warehouse, date(1987, 4, 1), date(1987, 3, 31), patience=AT_ONCE)
    assert untouched(warehouse)


def test_warehouse_that_another_flow_writes_to(tmp_path: Path, warehouse: str) -> None:
    holder = Warehouse.open(warehouse, writer="flow")
    with holder.single_writer(), pytest.raises(StorageError, match=r"another flow is writing here \(process \d+ on"):
        nightly(warehouse, [str(tmp_path / "news.jsonl")], cluster=Cluster(workers=1), patience=AT_ONCE)
    assert untouched(warehouse)


def test_parameters_that_cannot_be(warehouse: str) -> None:
    with pytest.raises(Exception, match="greater than or equal to 2"):
        propagate(warehouse, question={"samples": 1})  # type: ignore[arg-type]
    with pytest.raises(Exception, match="an address must not carry keys"):
        propagate("s3://key:secret@bucket/w")
    assert untouched(warehouse)
