"""`credence propagate` as users run it: real processes, real deaths, always the same bytes."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import dask
import pyarrow.parquet as pq
import pytest
from distributed import Client

from calib_core.events import Query
from tests.harness.machines import FAULTS, TOY, Machines
from tests.harness.servers import PATIENCE, wait_until
from tests.harness.turnstile import Turnstile
from workers.cluster import ClusterConfig, open_cluster
from workers.propagate import PropagateOptions, Settings, propagate
from workers.propagation import drive
from workers.propagation.outcome import Outcome
from workers.propagation.tasks import sum_outcomes
from workers.runs import open_run
from workers.storage import Warehouse

pytestmark = pytest.mark.slow
Articles = list[dict[str, str]]


def credence(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    done = subprocess.run([sys.executable, "-m", "flows", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done


def counts(root: Path) -> bytes:
    return (root / "latest" / "counts.parquet").read_bytes()


def balance(root: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads((root / "latest" / "manifest.json").read_text())["balance"]
    return found


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A cluster that stays, with the toy models."""
    with (
        dask.config.set({"distributed.worker.preload": [str(TOY)]}),
        open_cluster(ClusterConfig(workers=2)) as client,
    ):
        yield client


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    found = Machines(tmp_path, preload=(TOY, FAULTS))
    yield found
    found.stop()


def run(client: Client, root: Path) -> bytes:
    """What `credence propagate --samples 20` does, on a cluster that stays."""
    settings = Settings(Query.from_yaml("attack"), n_samples=20)
    propagate(client, Warehouse.open(root), settings, PropagateOptions(created="2026-01-01"))
    return counts(root)


def test_same_bytes_for_workers_chunk_sizes_and_order(make_archive: Callable[..., Path], articles: Articles) -> None:
    """With the shipped models."""
    one = make_archive("one", articles[:18])
    credence("propagate", str(one), "--workers", "1", "--samples", "20", "--calibration", "none")
    shuffled = random.Random(0).sample(articles[:18], 18)  # noqa: S311
    with open_cluster(ClusterConfig(workers=2)) as client:
        for name, order, size in [("two", articles[:18], 1000), ("small", shuffled, 3), ("single", shuffled, 1)]:
            assert run(client, make_archive(name, order, chunk_docs=size)) == counts(one), name
    table = pq.read_table(one / "latest" / "counts.parquet")
    assert any(mean % 1 > 0 for mean in table["mean"].to_pylist())


def revive(machines: Machines, command: tuple[str, ...], turnstile: Turnstile) -> None:
    """Start whatever does not run, as a service manager would."""
    if not machines.is_running("scheduler"):
        machines.scheduler()
    for name in ("worker-0", "worker-1"):
        if not machines.is_running(name):
            machines.worker(name, env={"TEST_TURNSTILE": str(turnstile.folder)})
    if not machines.is_running("client"):
        machines.client("client", *command)


def test_eight_kills_lose_nothing_and_change_nothing(
    client: Client, machines: Machines, make_archive: Callable[..., Path], articles: Articles, tmp_path: Path
) -> None:
    """Each falls while a document is being annotated."""
    quiet, root = make_archive("quiet", articles), make_archive("harsh", articles, chunk_docs=5)
    expected = run(client, quiet)
    turnstile = Turnstile(tmp_path / "turnstile")
    turnstile.folder.mkdir()
    command = ("propagate", str(root), "--scheduler", machines.address, "--samples", "20", "--calibration", "none")
    rng = random.Random(1987)  # noqa: S311
    kills = ["worker-0", "worker-1", "scheduler", "client"] * 2
    rng.shuffle(kills)
    for victim in kills:
        wait_until(lambda: revive(machines, command, turnstile) or turnstile.waits(), "a document")
        if machines.is_running(victim):
            machines.kill(victim)
        turnstile.let(turnstile.arrived() + rng.randint(0, 2))
    turnstile.let(10**6)
    revive(machines, command, turnstile)
    while machines.running["client"].wait(timeout=PATIENCE) != 0:  # it lost its scheduler, or found no worker yet
        assert machines.running["client"].returncode in (1, 4), machines.log("client")
        revive(machines, command, turnstile)
    assert counts(root) == expected
    assert balance(root) == balance(quiet)
    assert pq.read_table(root / "latest" / "quarantine.parquet").num_rows == 0
    assert "Traceback" not in machines.log("client")


def test_documents_that_kill_their_worker_are_isolated(
    client: Client, make_archive: Callable[..., Path], articles: Articles, tmp_path: Path
) -> None:
    chosen = articles[:2]
    expected = make_archive("without", chosen)
    run(client, expected)
    deadly = [
        {**articles[0], "doc_id": name, "text": f"Iraq attacked. {word}."}
        for name, word in [("segfault", "SEGFAULT"), ("memory", "OUTOFMEMORY"), ("unsampled", "UNSAMPLABLE")]
    ]
    root = make_archive("with", [*chosen, *deadly])
    preload = json.dumps([str(TOY), str(FAULTS)])
    env = {**os.environ, "DASK_DISTRIBUTED__WORKER__PRELOAD": preload, "TEST_DIARY": str(tmp_path)}
    command = [sys.executable, "-m", "flows", "propagate", str(root), "--samples", "20", "--calibration", "none"]
    done = subprocess.run(
        [*command, "--workers", "2", "--memory", "700MiB"], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3, done.stderr
    rows = pq.read_table(root / "latest" / "quarantine.parquet").to_pylist()
    found = sorted((row["doc_id"], row["stage"]) for row in rows)
    assert found == [("memory", "annotate"), ("segfault", "annotate"), ("unsampled", "sample")]
    assert all("this document alone crashed the worker twice" in row["error"] for row in rows)
    diary = [json.loads(line) for line in (tmp_path / "diary.jsonl").read_text().splitlines()]
    suspects = [task for task in diary if task["deaths"]]
    assert {task["stage"] for task in suspects} == {"annotate", "sample", "try_sample"}
    assert all(task["others"] == [] for task in suspects), "run alone, so that whatever dies, dies of this"
    assert all(deaths == "0" for task in diary for deaths in task["others"])
    assert balance(root)["quarantined"] == 3
    assert not list(root.glob("ledger/**/*.unsampled"))
    names = ["quarter", "country", "samples"]
    tables = [pq.read_table(path / "latest" / "counts.parquet", columns=names) for path in (root, expected)]
    assert tables[0].equals(tables[1])
    settings = Settings(Query.from_yaml("attack"), n_samples=20)
    options = PropagateOptions(created="2026-01-02", retry_quarantined=True)
    propagate(client, Warehouse.open(root), settings, options)
    assert balance(root)["quarantined"] == 0


def test_sums_are_begun_again_when_the_worker_that_holds_parts_of_them_dies(
    client: Client, make_archive: Callable[..., Path], articles: Articles, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_archive("w", articles[:9], chunk_docs=2)
    expected = run(client, root)
    marker = root / "died"

    def sum_or_die(outcomes: list[Outcome]) -> Outcome:
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return sum_outcomes(outcomes)

    monkeypatch.setattr(drive, "FAN_IN", 2)
    monkeypatch.setattr(drive, "sum_outcomes", sum_or_die)
    (root / "latest").unlink()
    shutil.rmtree(root / "runs")
    assert run(client, root) == expected
    assert marker.exists()
    assert balance(root)["documents"] == 9


def test_interrupted_run_says_so_and_goes_on_later(
    client: Client, machines: Machines, make_archive: Callable[..., Path], articles: Articles, tmp_path: Path
) -> None:
    root = make_archive("w", articles, chunk_docs=4)
    turnstile = Turnstile(tmp_path / "turnstile")
    turnstile.folder.mkdir()
    env = {"DASK_DISTRIBUTED__WORKER__PRELOAD": json.dumps([str(TOY), str(FAULTS)])}
    env["TEST_TURNSTILE"] = str(turnstile.folder)
    interrupted = machines.run("client", "flows", "propagate", str(root), "--workers", "1", "--samples", "20", env=env)

    def finished() -> bool:
        if turnstile.waits():  # one document at a time: the only worker may have begun the next chunk
            turnstile.let(turnstile.open() + 1)
        return bool(list(root.glob("ledger/samples/*/*.parquet")))

    wait_until(finished, "a finished chunk")
    interrupted.send_signal(signal.SIGINT)
    assert interrupted.wait(timeout=PATIENCE) == 130, machines.log("client")
    assert "interrupted; finished work is kept" in machines.log("client")
    assert not (root / "latest").exists()
    kept = {path: path.stat().st_mtime_ns for path in root.glob("ledger/samples/*/*.parquet")}
    assert kept
    run(client, root)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_worker_with_another_version_is_refused(
    machines: Machines, make_archive: Callable[..., Path], articles: Articles, tmp_path: Path
) -> None:
    root = make_archive("w", articles[:3])
    other = tmp_path / "other.py"
    other.write_text("import workers.annotate as a\na.PACKAGES = ('numpy',)\n")
    machines.scheduler()
    odd = ("--nthreads", "1", "--no-dashboard", "--preload", str(other))
    machines.run("odd", "distributed.cli.dask_worker", machines.address, *odd)
    with Client(machines.address) as waiting:
        waiting.wait_for_workers(1, timeout=PATIENCE)
    done = subprocess.run(
        [sys.executable, "-m", "flows", "propagate", str(root), "--scheduler", machines.address],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "has another version of credence or of its models; install the same version everywhere" in done.stderr
    assert "Traceback" not in done.stderr
    checked = credence("doctor", "--scheduler", machines.address, code=1).stdout
    assert "it has another version of credence" in checked


def test_cluster_that_is_not_there_is_told_in_one_sentence(
    make_archive: Callable[..., Path], articles: Articles
) -> None:
    root = make_archive("w", articles[:3])
    done = credence("propagate", str(root), "--scheduler", "tcp://127.0.0.1:9", code=4)
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (root / "latest").exists()


def test_two_queries_killed_half_way_give_the_bytes_of_two_runs(
    client: Client, machines: Machines, make_archive: Callable[..., Path], articles: Articles, tmp_path: Path
) -> None:
    """The client dies twice while documents are being annotated, a worker once."""
    quiet, root = make_archive("quiet", articles), make_archive("harsh", articles, chunk_docs=5)
    names = ("attack-dyads", "attack")
    for name in names:
        settings = Settings(Query.from_yaml(name), n_samples=20)
        propagate(client, Warehouse.open(quiet), settings, PropagateOptions(created="2026-01-01"))
    turnstile = Turnstile(tmp_path / "turnstile")
    turnstile.folder.mkdir()
    options = ("--samples", "20", "--calibration", "none", "--query", names[0], "--query", names[1])
    command = ("propagate", str(root), "--scheduler", machines.address, *options)
    for victim in ("client", "worker-0", "client"):
        wait_until(lambda: revive(machines, command, turnstile) or turnstile.waits(), "a document")
        machines.kill(victim)
        turnstile.let(turnstile.arrived() + 2)
    turnstile.let(10**6)
    revive(machines, command, turnstile)
    assert machines.running["client"].wait(timeout=PATIENCE) == 0, machines.log("client")
    for name in names:
        ours, theirs = (open_run(Warehouse.open(place), name).folder.counts for place in (root, quiet))
        assert (root / ours).read_bytes() == (quiet / theirs).read_bytes()
    assert open_run(Warehouse.open(root)).manifest["query"]["name"] == names[0]
    assert "known" not in credence("counts", str(root), "--run", names[1], "--csv").stdout


def test_two_queries_of_one_name_are_refused(make_archive: Callable[..., Path], tmp_path: Path) -> None:
    root = make_archive("w", [{"doc_id": "a", "published": "1987-01-01", "text": "Iraq attacked."}])
    (tmp_path / "mine.yaml").write_text("name: attack\nverbs: [raid]\n")
    told = credence("propagate", str(root), "--query", "attack", "--query", str(tmp_path / "mine.yaml"), code=1).stderr
    assert "mine.yaml: name: two queries of one run must not have the same name; got 'attack'" in " ".join(told.split())
