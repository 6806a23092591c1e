"""Locks on an object store: a real S3 server in a process of its own."""

import json
import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.object_store import address, s3_server
from workers.storage import LockTiming, StorageError, Warehouse

pytestmark = pytest.mark.slow

QUICK = LockTiming(beat=0.2, stale=3.0, settle=0.2)
LOCK = ".aside/flow.lock.json"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with s3_server("news") as found:
        yield found


def open_at(endpoint: str, path: str) -> Warehouse:
    return Warehouse.open(address(endpoint, f"news/{path}"), writer="flow")


def test_second_writer_is_told_who_holds_the_lock_and_gets_it_afterwards(endpoint: str) -> None:
    one, two = open_at(endpoint, "two"), open_at(endpoint, "two")
    with one.single_writer(QUICK) as held:
        held.confirm()
        with (
            pytest.raises(
                StorageError, match=r"another flow is writing here \(process \d+ on .+, since 20.+\); last sign"
            ),
            two.single_writer(QUICK),
        ):
            pass
    with two.single_writer(QUICK):
        pass
    assert two.names("") == []


def test_holder_that_works_longer_than_the_limit_stays_the_holder(endpoint: str) -> None:
    one, two = open_at(endpoint, "long"), open_at(endpoint, "long")
    with one.single_writer(QUICK):
        time.sleep(QUICK.stale + 1.5)
        with pytest.raises(StorageError, match="another flow is writing here"), two.single_writer(QUICK):
            pass


def test_lock_of_a_dead_writer_is_refused_at_first_and_taken_over_later(
    endpoint: str, caplog: pytest.LogCaptureFixture
) -> None:
    warehouse = open_at(endpoint, "dead")
    dead = {"process": 4711, "host": "gone", "since": "2026-01-01T00:00:00+00:00", "token": "x"}
    warehouse.write_json(LOCK, dead)
    with (
        pytest.raises(StorageError, match="If it is dead, run again 3 s after that sign"),
        warehouse.single_writer(QUICK),
    ):
        pass
    time.sleep(QUICK.stale + 1)
    with caplog.at_level(logging.WARNING), warehouse.single_writer(QUICK):
        assert json.loads(warehouse.read_bytes(LOCK))["process"] != 4711
    assert "took over the lock of a dead flow (process 4711 on gone, since 2026-01-01T00:00:00+00:00;" in caplog.text


def test_of_writers_that_begin_together_one_goes_on(endpoint: str) -> None:
    begun, refused = [], []
    ready = threading.Barrier(4)

    def write() -> None:
        warehouse = open_at(endpoint, "together")
        ready.wait()
        try:
            with warehouse.single_writer(LockTiming(beat=1.0, stale=30.0, settle=1.0)):
                begun.append(1)
                time.sleep(3)
        except StorageError:
            refused.append(1)

    writers = [threading.Thread(target=write) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert (len(begun), len(refused)) == (1, 3)


def test_writer_that_lost_its_lock_does_not_publish(endpoint: str) -> None:
    warehouse = open_at(endpoint, "lost")
    with warehouse.single_writer(QUICK) as held:
        warehouse.write_json(LOCK, {"process": 1, "host": "other", "since": "now", "token": "y"})
        with pytest.raises(StorageError, match="the lock of this flow was lost to process 1 on other"):
            held.confirm()
    assert json.loads(warehouse.read_bytes(LOCK))["host"] == "other"  # another's lock is not ours to remove


def test_unreadable_lock_object_is_a_lock_all_the_same(endpoint: str) -> None:
    warehouse = open_at(endpoint, "odd")
    warehouse.write_bytes(LOCK, b"not JSON")
    with pytest.raises(StorageError, match="process 0 on an unknown machine"), warehouse.single_writer(QUICK):
        pass


def test_local_lock_file_without_content_names_nobody(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path, writer="flow")
    with warehouse.single_writer():
        (tmp_path / ".aside" / "flow.lock").write_text("")
        with pytest.raises(StorageError, match="an unknown machine"), warehouse.single_writer():
            pass
