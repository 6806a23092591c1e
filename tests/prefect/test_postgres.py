"""A Prefect server on PostgreSQL, with the settings of deploy/compose and deploy/kubernetes, and a night through it."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from prefect.logging.handlers import APILogHandler
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.scheduled.nightly import nightly
from flows.scheduled.parameters import Cluster, Question
from tests.harness.machines import Machines
from tests.harness.postgres import Postgres, owner, postgres_server, programs
from tests.harness.prefect_api import PrefectApi
from tests.harness.servers import prefect_server
from tests.prefect.news import ARTIFACTS, write_news

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
START = "PREFECT_SERVER_DATABASE_"


def compose_settings() -> dict[str, str]:
    content = yaml.safe_load((DEPLOY / "compose" / "docker-compose.yaml").read_text())
    settings = content["services"]["prefect-server"]["environment"]
    return {name: value for name, value in settings.items() if name.startswith(START)}


def kubernetes_settings() -> dict[str, Any]:
    manifests = yaml.safe_load_all((DEPLOY / "kubernetes" / "flows.yaml").read_text())
    names = {(manifest["kind"], manifest["metadata"]["name"]): manifest for manifest in manifests}
    container = names["Deployment", "prefect-server"]["spec"]["template"]["spec"]["containers"][0]
    return {item["name"]: item.get("value") for item in container["env"] if item["name"].startswith(START)}


def test_compose_and_kubernetes_reach_the_database_alike() -> None:
    one, two = compose_settings(), kubernetes_settings()
    assert sorted(one) == sorted(two)
    assert all(one[f"{START}{name}"] == two[f"{START}{name}"] for name in ("DRIVER", "USER", "NAME"))


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    if programs() is None or owner() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres_server("p@ss/w:rd#1%") as server:
        yield server


@pytest.fixture(scope="module")
def server(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectApi]:
    settings = compose_settings() | {
        f"{START}HOST": "127.0.0.1", f"{START}PORT": str(postgres.port), f"{START}PASSWORD": postgres.password,
    }  # fmt: skip
    with prefect_server(tmp_path_factory.mktemp("server"), settings) as address:
        yield PrefectApi(address)


@pytest.mark.slow
def test_night_is_kept_in_postgresql(tmp_path: Path, server: PrefectApi, postgres: Postgres, dask: Machines) -> None:
    (tmp_path / "w").mkdir()
    write_news(tmp_path / "news.jsonl", range(24))
    with temporary_settings({PREFECT_API_URL: server.address}):
        nightly(
            str(tmp_path / "w"), [str(tmp_path / "news.jsonl")], question=Question(samples=20),
            cluster=Cluster(scheduler=dask.address),
        )  # fmt: skip
        APILogHandler().flush()  # else what is still to be logged is sent when the server is gone
    (run,) = server.ended("nightly")
    assert run["state_type"] == "COMPLETED"
    assert sorted(server.artifacts(run["id"])) == ARTIFACTS
    counts = pq.read_table(tmp_path / "w" / "latest" / "counts.parquet").to_pylist()
    assert {row["quarter"] for row in counts if row["country"] == "IRQ"} == {"1987Q1", "1987Q2", "1987Q3", "1987Q4"}
    assert kept(postgres, f"SELECT state_type FROM flow_run WHERE id = '{run['id']}'") == "COMPLETED"  # noqa: S608


def kept(postgres: Postgres, question: str) -> str:
    """What the database itself answers."""
    command = ["-h", "127.0.0.1", "-p", str(postgres.port), "-U", "prefect", "-At", "-c", question]
    env = {"PGPASSWORD": postgres.password}
    done = subprocess.run([f"{programs()}/psql", *command], check=True, capture_output=True, text=True, env=env)
    return done.stdout.strip()
