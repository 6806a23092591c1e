"""counts, prune and doctor on a small warehouse."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from tests.workers.propagation.running import ATTACK, run_stages
from workers.ingest import archive_chunks
from workers.propagation.publishing import publish_run
from workers.runs import open_run, run_ids
from workers.storage import Warehouse


@pytest.fixture
def warehouse(make_archive: Callable[..., Path], articles: list[dict[str, str]]) -> Path:
    root = make_archive("w", articles[:6])
    for seed in (0, 1, 2):
        settings = replace(ATTACK, seed=seed)
        opened, outcome = Warehouse.open(root), run_stages(root, settings)
        publish_run(opened, settings, archive_chunks(opened), outcome, created=f"2026-01-0{seed + 1}")
    return root


def credence(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.slow
def test_counts_are_printed_compared_and_written_for_machines(warehouse: Path) -> None:
    assert "1987Q1" in credence("counts", str(warehouse))
    found = json.loads(credence("counts", str(warehouse), "--country", "irn", "--country", "SYR", "--json"))
    assert {row["country"] for row in found["counts"]} <= {"IRN", "SYR"}
    assert all(row["p_above"] + row["p_equal"] + row["p_below"] == pytest.approx(1) for row in found["comparison"])
    lines = credence("counts", str(warehouse), "--csv").splitlines()
    assert lines[0].startswith("query,unit,quarter,country,mean,sd")
    assert "No rows: the count is exactly zero" in credence("counts", str(warehouse), "--country", "FRA")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--country", "IRQQ"], "is none of the"),
        (["--from", "1987-Q1"], "from must be a quarter such as 1995Q1; got '1987-Q1'"),
        (["--from", "1988Q1", "--to", "1987Q1"], "from must not be after to"),
        (["--json", "--csv"], "choose either --json or --csv"),
        (["--run", "nope"], "there is no such run"),
    ],
)
def test_wrong_counts_are_told_in_one_sentence(warehouse: Path, arguments: list[str], sentence: str) -> None:
    output = " ".join(credence("counts", str(warehouse), *arguments, code=1).split())
    assert sentence in output
    assert "Traceback" not in output


@pytest.mark.slow
def test_prune_keeps_the_newest_runs_and_what_they_need(warehouse: Path) -> None:
    assert "2 runs" in credence("prune", str(warehouse), "--keep", "1", "--dry-run")
    assert len(list((warehouse / "runs").iterdir())) == 3
    credence("prune", str(warehouse), "--keep", "1")
    assert len(list((warehouse / "runs").iterdir())) == 1
    assert len(list((warehouse / "ledger" / "samples").iterdir())) == 1
    assert (warehouse / "latest" / "counts.parquet").is_file()
    assert list(warehouse.glob("annotations/*/*.parquet"))
    assert "0 runs and 0 other entries" in credence("prune", str(warehouse), "--keep", "1")


@pytest.mark.slow
def test_prune_leaves_the_work_of_an_interrupted_run_alone(warehouse: Path) -> None:
    run_stages(warehouse, replace(ATTACK, seed=9))
    credence("prune", str(warehouse), "--keep", "1", "--annotations")
    assert len(list((warehouse / "ledger" / "samples").iterdir())) == 2
    assert list(warehouse.glob("annotations/*/*.parquet"))


KILLED = """
import os, signal, sys
from workers.pruning import prune
from workers.storage import Warehouse

left, steps = int(sys.argv[2]), [Warehouse.move, Warehouse.delete]

def counted(step):
    def run(self, *names):
        global left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return step(self, *names)
    return run

Warehouse.move, Warehouse.delete = map(counted, steps)
prune(Warehouse.open(sys.argv[1]), keep=1)
"""


@pytest.mark.slow
def test_prune_killed_half_way_leaves_whole_runs_and_is_finished_by_the_next(warehouse: Path, tmp_path: Path) -> None:
    for steps in (1, 4, 8, 11):
        root = tmp_path / f"killed-after-{steps}"
        shutil.copytree(warehouse, root, symlinks=True)
        done = subprocess.run([sys.executable, "-c", KILLED, str(root), str(steps)], check=False)
        assert done.returncode == -signal.SIGKILL
        opened = Warehouse.open(root)
        assert f"runs/{run_ids(opened)[-1]}" == opened.latest()
        for run_id in run_ids(opened):
            run = open_run(opened, run_id)
            assert run.counts().num_rows
            assert run.query().name == "attack"
            assert sum(table.num_rows for _, table in run.event_samples())
            assert run.quarantine().num_rows == 0
        credence("counts", str(root))
        credence("prune", str(root), "--keep", "1")
        assert len(list((root / "runs").iterdir())) == 1
        assert len(list((root / "ledger" / "samples").iterdir())) == 1
        assert "0 runs and 0 other entries" in credence("prune", str(root), "--keep", "1")


@pytest.mark.slow
def test_doctor_finds_a_good_and_a_damaged_warehouse(warehouse: Path) -> None:
    assert "BAD" not in credence("doctor", str(warehouse))
    next(warehouse.glob("archive/*/*.parquet")).unlink()
    found = json.loads(credence("doctor", str(warehouse), "--json", code=1))
    assert [check["name"] for check in found if not check["good"]] == ["warehouse"]
    assert "1 chunks of the archive are missing" in next(c["finding"] for c in found if c["name"] == "warehouse")


def test_warehouse_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    for command in (["counts"], ["prune", "--keep", "1"], ["propagate"]):
        output = " ".join(credence(command[0], str(tmp_path / "none"), *command[1:], code=1).split())
        assert "none" in output
        assert "Traceback" not in output


def test_wrong_request_is_refused_before_any_work(make_archive: Callable[..., Path]) -> None:
    root = make_archive("w", [{"doc_id": "a", "published": "1987-01-01", "text": "Iraq attacked."}])
    for arguments, sentence in [
        (["--since", "31.12.1987"], "since must be a day such as 1987-03-31; got '31.12.1987'"),
        (["--since", "1988-01-01", "--until", "1987-01-01"], "since must not be after until"),
        (["--samples", "1"], "samples must lie in [2, 100,000]; got 1"),
        (["--query", "nonsense"], "neither a file nor a bundled query"),
        (
            ["--coref", "nowhere"],
            "is none of `default`, `loglinear`, `accurate`, and not the folder of a trained coreference model",
        ),
        (["--parser", "nowhere"], "is neither `default`, `fast`, `stanza` nor a folder"),
        (["--calibration", "abc"], "calibration 'abc' is not in the warehouse"),
    ]:
        assert sentence in " ".join(credence("propagate", str(root), *arguments, code=1).split())
    assert not (root / "ledger").exists()
