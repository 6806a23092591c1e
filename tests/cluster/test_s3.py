"""The whole run on an object store: a real S3 server in a process of its own."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness.object_store import address, s3_server
from tests.workers.propagation.running import ATTACK, run_stages
from workers.cluster import ClusterConfig, open_cluster
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.propagate import PropagateOptions, propagate
from workers.propagation.publishing import publish_run
from workers.pruning import prune
from workers.runs import open_run, run_ids
from workers.storage import Warehouse

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with s3_server("news") as endpoint:
        yield address(endpoint, "news/w")


def test_run_on_s3_publishes_the_bytes_of_a_local_run(
    bucket: str, tmp_path: Path, articles: list[dict[str, str]]
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(article) + "\n" for article in articles[:6]))
    places = [Warehouse.open(tmp_path / "w"), Warehouse.open(bucket)]
    with open_cluster(ClusterConfig(workers=1)) as client:
        for warehouse in places:
            ingest([str(file)], warehouse, IngestConfig(), scratch=tmp_path)
            for created in ("2026-01-01", "2026-01-02"):
                propagate(client, warehouse, ATTACK, PropagateOptions(created))
    local, remote = (open_run(warehouse) for warehouse in places)
    assert remote.run_id == local.run_id
    for name in ("counts.parquet", "quarantine.parquet", "query.json", "manifest.json"):
        assert places[1].read_bytes(f"{remote.folder.path}/{name}") == places[0].read_bytes(
            f"{local.folder.path}/{name}"
        ), name
    assert list(remote.event_samples()) == list(local.event_samples())
    chunk, rows = next(remote.event_samples())
    assert remote.annotation(chunk, rows["doc_id"][0].as_py()) is not None
    assert prune(places[1], keep=1).names == ()


def test_pruning_on_s3_leaves_the_latest_run(bucket: str, tmp_path: Path, articles: list[dict[str, str]]) -> None:
    file = tmp_path / "b.jsonl"
    file.write_text("".join(json.dumps(article) + "\n" for article in articles[2:4]))
    place = bucket.replace("/w?", "/pruned?")
    warehouse = Warehouse.open(place)
    ingest([str(file)], warehouse, IngestConfig(), scratch=tmp_path)
    for seed in (0, 1):
        settings = replace(ATTACK, seed=seed)
        outcome = run_stages(place, settings)
        publish_run(warehouse, settings, archive_chunks(warehouse), outcome, created=f"2026-01-0{seed + 1}")
    first, last = run_ids(warehouse)
    assert f"runs/{first}" in prune(warehouse, keep=1).names
    assert run_ids(warehouse) == [last]
    assert not warehouse.names(f"runs/{first}")
    assert open_run(warehouse).counts().num_rows
