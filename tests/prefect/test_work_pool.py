"""The deployments of deploy/prefect.yaml, taken by a real Prefect server and run by a real worker of a process pool."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.harness.machines import Machines
from tests.harness.prefect_api import PrefectApi
from tests.harness.servers import prefect_environment, process
from tests.prefect.news import ARTIFACTS, write_news

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
POOL = ("work-pool", "create", "credence", "--type", "process")
DEPLOY = ("--no-prompt", "deploy", "--all", "--prefect-file", "deploy/prefect.yaml")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty warehouse and some news."""
    folder = tmp_path_factory.mktemp("pool")
    for name in ("in", "warehouse"):
        (folder / name).mkdir()
    write_news(folder / "in" / "day1.jsonl", range(24))
    return folder


@pytest.fixture(scope="module")
def environment(place: Path, api: str, dask: Machines) -> dict[str, str]:
    """What deploy/README.md exports; flows are found as where credence is installed."""
    return prefect_environment(place, api) | {
        "CREDENCE_WAREHOUSE": str(place / "warehouse"),
        "CREDENCE_SOURCES": str(place / "in"),
        "CREDENCE_SCHEDULER": dask.address,
        "COLUMNS": "200",
        "PREFECT_WORKER_QUERY_SECONDS": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }


@pytest.fixture(scope="module")
def deployed(environment: dict[str, str], api: str) -> PrefectApi:
    """The work pool and the deployments, made as deploy/README.md says."""
    for words in (POOL, DEPLOY):
        command = [sys.executable, "-m", "prefect", *words]
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    found = PrefectApi(api)
    found.pause("nightly")  # its hour may come while the tests run
    return found


def test_prefect_takes_the_deployments(deployed: PrefectApi, place: Path) -> None:
    for flow in ("nightly", "propagate", "backfill", "calibrate"):
        found = deployed.deployment(flow)
        assert found["entrypoint"] == f"flows.scheduled.{flow}.{flow}"
        assert found["work_pool_name"] == "credence"
        assert found["parameters"]["warehouse"] == str(place / "warehouse")
        assert found["concurrency_options"]["collision_strategy"] == "CANCEL_NEW"
    schedules = deployed.deployment("nightly")["schedules"]
    assert [schedule["schedule"]["cron"] for schedule in schedules] == ["30 2 * * *"]


@pytest.fixture(scope="module")
def night(deployed: PrefectApi, environment: dict[str, str], place: Path) -> Iterator[dict[str, Any]]:
    """A run that a worker of the pool took, when it is over."""
    command = ("-m", "prefect", "worker", "start", "--pool", "credence")
    with process(*command, log=place / "worker.log", env=environment):
        yield deployed.wait(deployed.start("nightly", question={"samples": 20}))


def test_worker_of_the_pool_completes_the_night(night: dict[str, Any], place: Path) -> None:
    assert night["state_type"] == "COMPLETED", (place / "worker.log").read_text()
    assert night["work_pool_name"] == "credence"
    counts = pq.read_table(place / "warehouse" / "latest" / "counts.parquet").to_pylist()
    iraq = [(row["quarter"], row["n_docs"], row["n_possible"]) for row in counts if row["country"] == "IRQ"]
    assert iraq == [("1987Q1", 6, 1), ("1987Q2", 6, 1), ("1987Q3", 6, 1), ("1987Q4", 6, 1)]


def test_worker_of_the_pool_leaves_artifacts_and_a_log(night: dict[str, Any], deployed: PrefectApi) -> None:
    artifacts = deployed.artifacts(night["id"])
    assert sorted(artifacts) == ARTIFACTS
    summary = {row["what"]: row["value"] for row in json.loads(artifacts["run-summary"]["data"])}
    assert (summary["articles added"], summary["documents"], summary["counted"]) == ("24", "24", "4")
    logged = deployed.ask("logs/filter", {"logs": {"flow_run_id": {"any_": [night["id"]]}}})
    assert any(line["message"].startswith("published: runs/") for line in logged)
