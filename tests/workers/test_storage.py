import errno
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from workers.schemas import ARCHIVE, QUARANTINE, SchemaError
from workers.storage import StorageError, Warehouse, content_hash, public_name


def test_file_appears_whole_and_leaves_nothing_aside(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path / "w")
    warehouse.write_bytes("a/b.txt", b"one")
    warehouse.write_bytes("a/b.txt", b"two")
    assert warehouse.read_bytes("a/b.txt") == b"two"
    assert warehouse.names("a") == ["a/b.txt"]
    assert list((tmp_path / "w" / ".aside" / "shared").iterdir()) == []


def test_table_comes_back_with_its_schema_and_same_rows_give_same_bytes(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path)
    table = ARCHIVE.empty_table()
    warehouse.write_table("one.parquet", table)
    warehouse.write_table("two.parquet", table)
    assert warehouse.read_table("one.parquet", ARCHIVE).schema.equals(ARCHIVE, check_metadata=True)
    assert warehouse.read_bytes("one.parquet") == warehouse.read_bytes("two.parquet")
    with pytest.raises(SchemaError, match="must hold the table quarantine; got archive"):
        warehouse.read_table("one.parquet", QUARANTINE)


def test_latest_moves_in_one_step(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path)
    assert warehouse.latest() is None
    for run in ("runs/1", "runs/2"):
        warehouse.point_latest(run)
        assert warehouse.latest() == run
    assert os.readlink(tmp_path / "latest") == "runs/2"


def test_staged_files_are_invisible_until_published(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path)
    warehouse.stage("archive/x", b"x")
    assert not warehouse.exists("archive/x")
    warehouse.publish(["archive/x"])
    assert warehouse.read_bytes("archive/x") == b"x"


def test_one_writer_at_a_time_and_the_lock_dies_with_its_process(tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom workers.storage import Warehouse\n"
        "with Warehouse.open(sys.argv[1], writer='ingest').single_writer():\n"
        "    print('held', flush=True)\n    time.sleep(60)"
    )
    warehouse = Warehouse.open(tmp_path, writer="ingest")
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with (
            pytest.raises(
                StorageError, match=rf"another ingest is writing here \(process {other.pid} on .+, since .+\); wait"
            ),
            warehouse.single_writer(),
        ):
            pass
        other.kill()
    with warehouse.single_writer():
        pass


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "the disk is full; free some space and run the command again"),
        (errno.EROFS, "cannot be written (read-only); choose another folder or change its rights"),
        (errno.EACCES, "permission denied; choose another folder or change its rights"),
    ],
)
def test_system_errors_become_sentences_and_nothing_is_visible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, sentence: str
) -> None:
    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    warehouse = Warehouse.open(tmp_path)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError) as caught:
        warehouse.write_bytes("a/b", b"content")
    assert str(caught.value) == f"{tmp_path}/a/b: {sentence}"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("name", "problem"), [("missing", "no such file or folder"), ("file/below", "a part of the path is a file")]
)
def test_missing_files_are_named(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match=problem):
        Warehouse.open(tmp_path).read_bytes(name)


def test_broken_parquet_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1 but not really")
    with pytest.raises(StorageError, match=r"t\.parquet: unreadable"):
        Warehouse.open(tmp_path).read_table("t.parquet", ARCHIVE)


def test_warehouse_travels_to_workers(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path)
    warehouse.write_bytes("x", b"x")
    assert pickle.loads(pickle.dumps(warehouse)).read_bytes("x") == b"x"  # noqa: S301


def test_hash_depends_on_where_parts_end() -> None:
    assert content_hash(b"ab", b"c") != content_hash(b"a", b"bc")
    assert len(content_hash(b"")) == 32


def test_keys_in_an_address_are_never_shown() -> None:
    assert public_name("s3://key:secret@bucket/path?endpoint_override=x") == "s3://bucket/path"
    with pytest.raises(StorageError) as caught:
        Warehouse.open("nowhere://key:secret@bucket/path")
    assert "nowhere://bucket/path: " in str(caught.value)
    assert isinstance(caught.value.__cause__, pa.ArrowInvalid)


def test_moved_file_has_its_new_name_alone(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path)
    warehouse.write_bytes("runs/1/manifest.json", b"new")
    warehouse.write_bytes("runs/1/retired.json", b"old")
    warehouse.move("runs/1/manifest.json", "runs/1/retired.json")
    assert warehouse.names("runs") == ["runs/1/retired.json"]
    assert warehouse.read_bytes("runs/1/retired.json") == b"new"
    with pytest.raises(StorageError, match=r"manifest\.json: "):
        warehouse.move("runs/1/manifest.json", "runs/1/retired.json")
