"""The same archive on an object store: a real S3 server in a process of its own."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from tests.harness.object_store import address, s3_server
from tests.workers.ingest.inputs import article, jsonl, tree, write
from workers.ingest import IngestError, archive_chunks, ingest
from workers.schemas import ARCHIVE
from workers.storage import StorageError, Warehouse

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with s3_server("news") as found:
        yield found


def test_archive_on_s3_equals_the_local_one(tmp_path: Path, endpoint: str) -> None:
    path = write(tmp_path / "a.jsonl", jsonl(article(1), b"bad", article(2, "1987-05-01")))
    local, remote = Warehouse.open(tmp_path / "w"), Warehouse.open(address(endpoint, "news/w"))
    reports = [ingest([path], warehouse, scratch=tmp_path / "scratch") for warehouse in (local, remote)]
    assert reports[0] == reports[1]
    assert {name: remote.read_bytes(name) for name in remote.names("")} == tree(tmp_path / "w")
    assert archive_chunks(remote) == archive_chunks(local)
    assert remote.read_table(archive_chunks(remote)[0].path, ARCHIVE)["doc_id"].to_pylist() == ["a1"]
    assert ingest([path], remote, scratch=tmp_path / "scratch").total.known == 2
    assert list((tmp_path / "scratch").iterdir()) == []


def test_inputs_are_read_from_s3(tmp_path: Path, endpoint: str) -> None:
    inputs = Warehouse.open(address(endpoint, "news/in"))
    inputs.write_bytes("1.jsonl", jsonl(article(1)))
    inputs.write_bytes("deep/2.jsonl", jsonl(article(2), b"bad"))
    report = ingest([address(endpoint, "news/in")], Warehouse.open(tmp_path / "w"))
    assert report.total.kept == 2
    assert list(report.files) == ["s3://news/in/1.jsonl", "s3://news/in/deep/2.jsonl"]


def test_latest_is_a_small_file(endpoint: str) -> None:
    warehouse = Warehouse.open(address(endpoint, "news/pointed"))
    assert warehouse.latest() is None
    warehouse.point_latest("runs/1")
    assert warehouse.latest() == "runs/1"
    assert warehouse.names("") == ["latest.json"]


def test_missing_bucket_and_missing_input_are_named_without_keys(tmp_path: Path, endpoint: str) -> None:
    with pytest.raises(StorageError) as caught:
        Warehouse.open(address(endpoint, "nowhere/w")).write_bytes("x", b"x")
    assert "nowhere/w/x: " in str(caught.value)
    assert "secret" not in str(caught.value)
    with pytest.raises(IngestError, match=r"^s3://news/none: input must exist; got no such file or folder$"):
        ingest([address(endpoint, "news/none")], Warehouse.open(tmp_path / "w"))


def test_failed_write_leaves_the_old_file_as_it_was(endpoint: str) -> None:
    warehouse = Warehouse.open(address(endpoint, "news/half"))
    schema = pa.schema([pa.field("a", pa.int64())])

    def broken() -> Iterator[pa.Table]:
        yield pa.table({"a": [9]}, schema=schema)
        raise RuntimeError("half-way")

    warehouse.write_batches("one.parquet", schema, [pa.table({"a": [1, 2, 3]}, schema=schema)])
    before = warehouse.read_bytes("one.parquet")
    with pytest.raises(RuntimeError, match="half-way"):
        warehouse.write_batches("one.parquet", schema, broken())
    assert warehouse.read_bytes("one.parquet") == before
