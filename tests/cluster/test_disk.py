"""Disks that are full or read-only: real ones, of a megabyte or two, mounted for the test where that is allowed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from flows.cli import app
from workers.cluster import ClusterConfig, open_cluster
from workers.ingest import IngestConfig, ingest
from workers.storage import Warehouse

pytestmark = pytest.mark.slow
Articles = list[dict[str, str]]
PAGE = 4096


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with open_cluster(ClusterConfig(workers=1)) as client:
        yield str(client.scheduler.address)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={512 * PAGE}", "tmpfs", str(folder)]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("mounting a disk is not permitted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)  # a task that was cancelled may still hold a file


@pytest.fixture
def root(disk: Path, make_archive: Callable[..., Path], articles: Articles, tmp_path: Path) -> Path:
    """A warehouse on that disk with the archive of `quiet`, which is elsewhere."""
    make_archive("quiet", articles[:6], chunk_docs=3)
    ingest([str(tmp_path / "quiet.jsonl")], Warehouse.open(disk / "w"), IngestConfig(chunk_docs=3))
    return disk / "w"


def leave(disk: Path, pages: int) -> None:
    """Fill the disk but for some pages."""
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(PAGE))
        except OSError:
            file.truncate(file.tell() - PAGE * pages)


def credence(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def run(scheduler: str, root: Path, *more: str) -> Result:
    return credence("propagate", root, "--scheduler", scheduler, "--samples", "20", "--calibration", "none", *more)


def sentence(result: Result) -> str:
    """The one line of an error after those of the progress."""
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit), result.exception
    *_, last = result.stderr.strip().split("\n")
    assert last.startswith("credence ")
    return last


def whole_files(root: Path) -> set[Path]:
    return {path for path in root.rglob("*") if path.is_file() and path.suffix != ".lock"}


def test_full_disk_stops_a_run_anywhere_and_the_next_one_goes_on(
    disk: Path, root: Path, scheduler: str, tmp_path: Path
) -> None:
    assert run(scheduler, tmp_path / "quiet").exit_code == 0
    stopped_at = set()
    for pages in (0, 2, 4, 7, 12, 24, 36, 96):
        leave(disk, pages)
        result = run(scheduler, root)
        if result.exit_code == 0:
            break
        assert sentence(result).endswith(": the disk is full; free some space and run the command again.")
        stopped_at.add(sentence(result).partition(f"{root}/")[2].partition("/")[0])
        assert not (root / "latest").exists()
        assert not [path for path in whole_files(root) if ".aside" in path.parts]
    assert stopped_at >= {"ledger", "runs"}
    for name in ("counts.parquet", "quarantine.parquet"):
        assert (root / "latest" / name).read_bytes() == (tmp_path / "quiet" / "latest" / name).read_bytes()


def test_full_disk_keeps_old_results_readable_and_can_be_pruned(
    disk: Path, root: Path, scheduler: str, tmp_path: Path
) -> None:
    for seed in ("0", "1"):
        assert run(scheduler, root, "--seed", seed).exit_code == 0
    page = disk / "report.html"
    page.write_text("the old page")
    for lock in (root / ".aside").glob("*.lock"):
        lock.unlink()
    leave(disk, 0)
    assert "the disk is full" in sentence(run(scheduler, root, "--seed", "2"))
    assert credence("counts", root).exit_code == 0
    assert f"{page}: the disk is full" in sentence(credence("report", root, "--out", page))
    assert page.read_text() == "the old page"
    elsewhere = ("--out", tmp_path / "report.html", "--figures", disk / "figures")
    assert "counts.svg: the disk is full" in sentence(credence("report", root, *elsewhere))
    assert list((disk / "figures").iterdir()) == []
    assert "1 runs" in credence("prune", root, "--keep", "1").stdout
    assert credence("counts", root).exit_code == 0


def test_read_only_warehouse_is_read_and_refused_for_writing(
    disk: Path, root: Path, scheduler: str, tmp_path: Path
) -> None:
    for seed in ("0", "1"):
        assert run(scheduler, root, "--seed", seed).exit_code == 0
    before = whole_files(root)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    refused = "cannot be written (read-only); choose another folder or change its rights."
    for result in (
        run(scheduler, root, "--seed", "2"),
        credence("prune", root, "--keep", "1"),
        credence("report", root, "--out", disk / "report.html"),
    ):
        assert sentence(result).endswith(refused)
    assert credence("counts", root).exit_code == 0
    assert "1 runs" in credence("prune", root, "--keep", "1", "--dry-run").stdout
    assert credence("report", root, "--out", tmp_path / "report.html").exit_code == 0
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    assert whole_files(root) == before
    assert run(scheduler, root, "--seed", "2").exit_code == 0


def test_no_output_at_all_is_no_failure() -> None:
    command = f'"{sys.executable}" -m flows --version >&-'
    assert subprocess.run(command, shell=True, check=False).returncode == 0  # noqa: S602


def test_output_to_a_full_disk_is_told_in_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "flows", "--version"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"credence: standard output: the disk is full; free some space and run the command again.\n"
