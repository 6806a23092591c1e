"""What holds for the archive as a whole: same articles, same bytes; nothing lost, nothing half there."""

import json
import signal
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.harness.servers import wait_until
from tests.workers.ingest.inputs import article, faults, jsonl, nitf, rows, tar, tree, write
from workers.ingest import IngestConfig, IngestError, IngestReport, archive_chunks, ingest
from workers.schemas import ARCHIVE
from workers.storage import StorageError, Warehouse

SKIP = IngestConfig(duplicates="skip")


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse.open(tmp_path / "w")


days = st.dates(min_value=date(1986, 12, 25), max_value=date(1987, 7, 5))


@settings(max_examples=25, deadline=None)
@given(st.lists(days, min_size=1, max_size=40), st.randoms(use_true_random=False), st.integers(1, 5))
def test_order_and_split_of_the_input_do_not_matter(published: list[date], random: Random, n_files: int) -> None:
    records = [article(n, str(day)) for n, day in enumerate(published)]
    config = IngestConfig(chunk_docs=7, chunk_characters=100, sort_bytes=3000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ingest([write(folder / "all.jsonl", jsonl(*records))], Warehouse.open(folder / "one"), config)
        random.shuffle(records)
        paths = [
            write(folder / f"{i}.jsonl.gz", jsonl(*records[i::n_files])) for i in range(n_files) if records[i::n_files]
        ]
        ingest(paths, Warehouse.open(folder / "two"), config)
        assert tree(folder / "one", "archive") == tree(folder / "two", "archive")
        assert sum(chunk.docs for chunk in archive_chunks(Warehouse.open(folder / "two"))) == len(records)


def test_chunks_are_bounded_in_articles_and_characters_and_hold_one_quarter(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    records = [article(n, f"1987-{1 + n % 6:02}-10", text="x" * (n * 10)) for n in range(1, 60)]
    config = IngestConfig(chunk_docs=8, chunk_characters=2000, sort_bytes=5000)
    ingest([write(tmp_path / "a.jsonl", jsonl(*records))], warehouse, config)
    chunks = archive_chunks(warehouse)
    assert sum(chunk.docs for chunk in chunks) == 59
    assert all(chunk.docs <= 8 and chunk.characters <= 2000 for chunk in chunks)
    for chunk in chunks:
        table = warehouse.read_table(chunk.path, ARCHIVE).to_pylist()
        assert {row["published"].month in (1, 2, 3) for row in table} == {chunk.quarter == "1987Q1"}
        assert table == sorted(table, key=lambda row: (row["published"], row["doc_id"]))


def test_chunks_are_cut_by_characters_whatever_bytes_they_take(tmp_path: Path, warehouse: Warehouse) -> None:
    records = [article(n, "1987-01-10", text="伊" * 100) for n in range(10)]
    ingest([write(tmp_path / "a.jsonl", jsonl(*records))], warehouse, IngestConfig(chunk_characters=550))
    chunks = archive_chunks(warehouse)
    assert sorted(chunk.docs for chunk in chunks) == [5, 5]
    (manifest,) = (json.loads(path.read_text()) for path in (tmp_path / "w" / "ingests").glob("*.json"))
    assert {entry["path"]: entry["bytes"] for entry in manifest["chunks"]} == {c.path: c.characters for c in chunks}


def test_same_files_again_change_nothing(tmp_path: Path, warehouse: Warehouse) -> None:
    path = write(tmp_path / "a.jsonl", jsonl(article(1), b"broken", article(2), article(1, text="other")))
    first = ingest([path], warehouse, SKIP)
    before = tree(warehouse.root)
    again = ingest([path], warehouse, SKIP)
    assert tree(warehouse.root) == before
    assert (first.total.kept, first.total.known, first.total.duplicates, first.total.quarantined) == (2, 0, 1, 1)
    assert (again.total.kept, again.total.known, again.total.duplicates, again.total.quarantined) == (0, 2, 1, 1)


def test_one_more_day_adds_that_day(tmp_path: Path, warehouse: Warehouse) -> None:
    first = write(tmp_path / "1.jsonl", jsonl(article(1, "1987-01-01"), b"bad"))
    ingest([first], warehouse)
    before = tree(warehouse.root)
    report = ingest([first, write(tmp_path / "2.jsonl", jsonl(article(2, "1987-01-02")))], warehouse)
    after = tree(warehouse.root)
    assert before.items() <= after.items()
    assert [chunk.docs for chunk in archive_chunks(warehouse)] == [1, 1]
    assert (report.total.kept, report.total.known) == (1, 1)
    assert len(faults(warehouse)) == 1


def test_second_record_of_an_id_refuses_all(tmp_path: Path, warehouse: Warehouse) -> None:
    paths = [write(tmp_path / f"{n}.jsonl", jsonl(article(n), article(7))) for n in (1, 2)]
    with pytest.raises(IngestError) as caught:
        ingest(paths, warehouse)
    rule = "doc_id must be unique (--duplicates skip keeps the first)"
    assert str(caught.value) == f"{paths[1]}, record 2: {rule}; got 'a7' again, first {paths[0]}, record 2, doc_id a7"
    assert tree(warehouse.root) == {}


def test_changed_article_of_the_archive_is_a_duplicate(tmp_path: Path, warehouse: Warehouse) -> None:
    ingest([write(tmp_path / "1.jsonl", jsonl(article(1)))], warehouse)
    changed = write(tmp_path / "2.jsonl", jsonl(article(1, text="Changed.")))
    with pytest.raises(IngestError, match="got 'a1' again, first in the archive already"):
        ingest([changed], warehouse)
    assert ingest([changed], warehouse, SKIP).total.duplicates == 1
    assert [row["text"] for row in rows(warehouse)] == ["Text 1."]


def test_repeated_texts_are_kept_and_reported(tmp_path: Path, warehouse: Warehouse) -> None:
    path = write(tmp_path / "1.jsonl", jsonl(article(1), article(2, text="Text 1.")))
    report = ingest([path], warehouse)
    [example] = report.examples
    assert (report.total.kept, report.total.repeated_texts) == (2, 1)
    assert (example.kind, example.record, example.doc_id, example.first) == (
        "text",
        2,
        "a2",
        f"{path}, record 1, doc_id a1",
    )
    report = ingest([write(tmp_path / "2.jsonl", jsonl(article(3, text="Text 1.")))], warehouse)
    assert report.examples[0].first == "in the archive already"


def test_reports_add_up_and_balance(tmp_path: Path, warehouse: Warehouse) -> None:
    one = ingest([write(tmp_path / "1.jsonl", jsonl(article(1), b"bad"))], warehouse, SKIP)
    two = ingest([write(tmp_path / "2.tgz", tar({"a": nitf("1"), "b": nitf("1"), "c": b"?"}))], warehouse, SKIP)
    both = sum([one, two], IngestReport())
    assert both.balances
    assert (both.total.read, both.total.kept, both.total.duplicates, both.total.quarantined) == (5, 2, 1, 2)
    assert len(both.chunks) == 2
    assert (one + one).files == {name: counts + counts for name, counts in one.files.items()}


def test_file_in_the_place_of_the_warehouse_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", jsonl(article(1)))
    with pytest.raises(StorageError, match="a part of the path is a file"):
        ingest([path], Warehouse.open(path))


def test_full_disk_publishes_nothing(tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = write(tmp_path / "a.jsonl", jsonl(article(1)))
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(StorageError, match="the disk is full; free some space"):
            ingest([path], warehouse)
    assert tree(warehouse.root) == {}
    assert ingest([path], warehouse).total.kept == 1


def test_crash_between_files_and_manifest_shows_nothing_and_is_mended(
    tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    path = write(tmp_path / "a.jsonl", jsonl(article(1), b"bad"))
    with monkeypatch.context() as patch:
        patch.setattr(Warehouse, "write_json", crash)
        with pytest.raises(KeyboardInterrupt):
            ingest([path], warehouse)
    assert len(warehouse.names("archive")) == 1
    assert archive_chunks(warehouse) == []
    assert ingest([path], warehouse).total.kept == 1
    ingest([path], Warehouse.open(tmp_path / "whole"))
    assert tree(warehouse.root) == tree(tmp_path / "whole")


INGEST = """
import sys
from workers.ingest import IngestConfig, ingest
from workers.storage import Warehouse
config = IngestConfig(chunk_docs=50, sort_bytes=20_000, duplicates="skip")
print("start", flush=True)
ingest(sys.argv[2:], Warehouse.open(sys.argv[1]), config)
"""


def kill_when(process: subprocess.Popen[bytes], root: Path, place: str, number: int) -> None:
    """Kill a process when so many files are in a place, unless it has ended before."""
    wait_until(lambda: len(list(root.glob(place))) >= number or process.poll() is not None, place, pause=0.001)
    process.kill()


STAGED, SHOWN = ".aside/ingest/staged/archive/*/*.parquet", "archive/*/*.parquet"


@pytest.mark.slow
def test_killed_half_way_then_run_again_gives_the_identical_archive(tmp_path: Path) -> None:
    records = [article(n, f"1987-0{1 + n % 9}-11", text=f"{n} " * 20) for n in range(3000)]
    paths = [write(tmp_path / f"{i}.jsonl", jsonl(*records[i::3], b"bad", article(1))) for i in range(3)]
    config = IngestConfig(chunk_docs=50, sort_bytes=20_000, duplicates="skip")
    ingest(paths, Warehouse.open(tmp_path / "whole"), config)
    whole = {chunk.path for chunk in archive_chunks(Warehouse.open(tmp_path / "whole"))}
    root, half, killed = tmp_path / "killed", len(whole) // 2, 0
    # by what is on disk: rows spooled, chunks staged, chunks moved to the archive
    for place, number in [(".aside/ingest/ingest-*/rows", 1), (STAGED, 1), (STAGED, half), (SHOWN, 1), (SHOWN, half)]:
        command = [sys.executable, "-c", INGEST, str(tmp_path / "killed"), *paths]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            kill_when(process, root, place, number)
        killed += process.returncode == -signal.SIGKILL
        published = {chunk.path for chunk in archive_chunks(Warehouse.open(tmp_path / "killed"))}
        assert published in (set(), whole)
    assert killed
    ingest(paths, Warehouse.open(tmp_path / "killed"), config)
    assert tree(tmp_path / "killed") == tree(tmp_path / "whole")
