"""The nightly flow with a real Prefect server and real Dask processes."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from prefect import get_client
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.states import Running, Scheduled

from flows.scheduled.backfill import backfill
from flows.scheduled.parameters import Cluster, Question
from flows.scheduled.serving import release_dead_runs
from tests.harness.machines import Machines
from tests.harness.prefect_api import PrefectApi
from tests.harness.servers import prefect_environment, process, wait_until
from tests.prefect.news import ARTIFACTS, write_news

pytestmark = pytest.mark.slow

ARTICLES = 48


class Mailbox(HTTPServer):
    """Keeps what is posted to it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Letter)
        self.letters: list[dict[str, Any]] = []


class Letter(BaseHTTPRequestHandler):
    """Takes one letter in."""

    server: Mailbox

    def do_POST(self) -> None:
        """Keep it."""
        self.server.letters.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def served(home: Path, dask: Machines, api: str, mailbox: Mailbox) -> Iterator[PrefectApi]:
    """`credence serve` with a nightly that fires every few seconds; its warehouse is empty so far."""
    (home / "in").mkdir()
    (home / "warehouse").mkdir()
    write_news(home / "in" / "day1.jsonl", range(ARTICLES))
    config = {
        "warehouse": str(home / "warehouse"),
        "sources": [str(home / "in")],
        "nightly": {"every": 15},
        "question": {"samples": 20},
        "cluster": {"scheduler": dask.address},
        "patience": {"retries": 10, "wait": 1, "timeout": 300},
        "notice": {"webhook": "${CREDENCE_WEBHOOK}"},
        "report_url": "https://news.example/report.html",
    }
    (home / "credence.yaml").write_text(yaml.safe_dump(config))
    env = prefect_environment(home, api) | {"CREDENCE_WEBHOOK": f"http://127.0.0.1:{mailbox.server_port}/"}
    command = ("-c", "from flows.cli import main; main()", "serve", str(home / "credence.yaml"))
    with process(*command, log=home / "serve.log", env=env):
        yield PrefectApi(api)


@pytest.fixture(scope="module")
def first_night(served: PrefectApi) -> dict[str, Any]:
    """The first run that the schedule fired, when it has ended; the schedule is paused then."""

    def nights() -> list[dict[str, Any]]:
        return [run for run in served.ended("nightly") if run["auto_scheduled"]]

    wait_until(nights, "the first night")
    served.pause("nightly")
    return nights()[0]


def test_schedule_fires_and_the_night_completes(first_night: dict[str, Any]) -> None:
    assert first_night["state"]["message"] is None or "exception" not in first_night["state"]["message"]
    assert first_night["state_type"] == "COMPLETED"
    assert first_night["auto_scheduled"]


def test_log_has_what_an_operator_needs_and_no_internals(first_night: dict[str, Any], home: Path) -> None:
    assert first_night
    log = (home / "serve.log").read_text()
    assert "48 articles added" in log
    assert "published: runs/" in log
    assert f"report: {home / 'warehouse' / 'report.html'}" in log
    assert "distributed." not in log


def test_run_that_a_killed_server_left_behind_is_released(first_night: dict[str, Any], served: PrefectApi) -> None:
    assert first_night
    with temporary_settings({PREFECT_API_URL: served.address}), get_client(sync_client=True) as client:
        deployment = client.read_deployment_by_name("propagate/credence")
        later = Scheduled(scheduled_time=datetime.now(UTC) + timedelta(days=1))
        run = client.create_flow_run_from_deployment(deployment.id, state=later)
        client.set_flow_run_state(run.id, Running(), force=True)
        release_dead_runs()
        assert client.read_flow_run(run.id).state.is_crashed()


def test_counts_are_published(first_night: dict[str, Any], home: Path) -> None:
    assert first_night
    counts = pq.read_table(home / "warehouse" / "latest" / "counts.parquet").to_pylist()
    iraq = [row for row in counts if row["country"] == "IRQ"]
    assert [row["quarter"] for row in iraq] == ["1987Q1", "1987Q2", "1987Q3", "1987Q4"]
    assert [row["n_docs"] for row in iraq] == [12] * 4
    assert all(row["n_possible"] == 2 and row["mean"] > 1 for row in iraq)


def test_artifacts_show_the_run(first_night: dict[str, Any], served: PrefectApi) -> None:
    artifacts = served.artifacts(first_night["id"])
    assert sorted(artifacts) == ARTIFACTS
    summary = {row["what"]: row["value"] for row in json.loads(artifacts["run-summary"]["data"])}
    assert (summary["articles added"], summary["documents"], summary["counted"]) == ("48", "48", "8")
    changes = json.loads(artifacts["changed-counts"]["data"])
    assert {row["mean before"] for row in changes} == {"no row"}
    assert "https://news.example/report.html" in artifacts["report"]["data"]


def test_few_task_runs_and_none_per_document(first_night: dict[str, Any], served: PrefectApi) -> None:
    names = sorted(run["name"].rpartition("-")[0] for run in served.task_runs(first_night["id"]))
    assert names == ["check", "compare", "ingest", "propagate", "report"]


def test_backfill_takes_quarters_one_by_one_and_finds_the_work_done(
    first_night: dict[str, Any], served: PrefectApi, home: Path, dask: Machines
) -> None:
    latest = (home / "warehouse" / "latest").readlink()
    with temporary_settings({PREFECT_API_URL: served.address}):
        published = backfill(
            str(home / "warehouse"), date(1987, 2, 1), date(1987, 4, 1), question=Question(samples=20),
            cluster=Cluster(scheduler=dask.address),
        )  # fmt: skip
    assert published is not None
    assert [(run["new"], run["path"]) for run in published] == [(False, str(latest))]
    names = sorted(run["name"] for run in served.task_runs(served.ended("backfill")[0]["id"]))
    assert [name for name in names if name.startswith("prepare")] == [
        "prepare 1987-01-01 to 1987-03-31",
        "prepare 1987-04-01 to 1987-06-30",
    ]
    assert first_night


@pytest.fixture(scope="module")
def disturbed(first_night: dict[str, Any], served: PrefectApi, home: Path, dask: Machines) -> dict[str, Any]:
    """A night on another warehouse: the Dask scheduler dies, two other runs want to write, the scheduler comes back."""
    assert first_night
    other = home / "other"
    other.mkdir()
    night = served.start("nightly", warehouse=str(other))
    wait_until(lambda: list(other.glob("ledger/gates/*/*.json")), "work on the second warehouse")
    with dask.killed():
        assert not (other / "latest").is_symlink(), "the night was over before the scheduler could be killed"
        meanwhile = {
            "again": served.start("nightly", warehouse=str(other)),
            "propagate": served.start("propagate", warehouse=str(other), cluster={"workers": 1}),
        }
        runs = {name: served.wait(run) for name, run in meanwhile.items()}
    return runs | {"night": served.wait(night)}


def test_second_night_meanwhile_is_refused_by_prefect(disturbed: dict[str, Any]) -> None:
    assert disturbed["again"]["state_type"] == "CANCELLED"


def test_other_flow_meanwhile_is_refused_by_the_lock(disturbed: dict[str, Any]) -> None:
    assert disturbed["propagate"]["state_type"] == "FAILED"
    assert "another flow is writing here (process" in disturbed["propagate"]["state"]["message"]


def test_failure_is_told_to_the_webhook(disturbed: dict[str, Any], mailbox: Mailbox) -> None:
    told = [letter for letter in mailbox.letters if letter["run"] == disturbed["propagate"]["name"]]
    assert len(told) == 1
    assert (told[0]["flow"], told[0]["state"]) == ("propagate", "Failed")
    assert "another flow is writing here" in told[0]["message"]


def test_lost_scheduler_is_survived_with_the_same_counts(
    disturbed: dict[str, Any], served: PrefectApi, home: Path
) -> None:
    assert disturbed["night"]["state_type"] == "COMPLETED"
    tries = {run["name"].rpartition("-")[0]: run["run_count"] for run in served.task_runs(disturbed["night"]["id"])}
    assert tries["propagate"] > 1
    one, two = (home / name / "latest" / "counts.parquet" for name in ("warehouse", "other"))
    assert one.read_bytes() == two.read_bytes()
