from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workers.ingest.inputs import article
from workers.ingest.chunks import EPOCH
from workers.ingest.external_sort import ExternalSort, Row
from workers.ingest.uniqueness import FILES, KNOWN, KeySpool, Repetition


def key(number: int) -> bytes:
    return bytes([number % 256]) + number.to_bytes(15, "big")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 1)), max_size=200), st.sets(st.integers(0, 300)))
def test_agrees_with_a_dictionary(
    tmp_path_factory: pytest.TempPathFactory, found: list[tuple[int, int]], known: set[int]
) -> None:
    spool = KeySpool(tmp_path_factory.mktemp("spool") / "keys")
    first = dict.fromkeys(known, (KNOWN, 0))
    expected = []
    for position, (number, check) in enumerate(found):
        spool.add(key(number), key(check), position)
        if number in first:
            expected.append(Repetition(position, first[number][0], first[number][1] == check))
        first.setdefault(number, (position, check))
    digests = np.frombuffer(b"".join(map(key, sorted(known))), dtype=np.uint8).reshape(-1, 16)
    spool.add_known(digests, np.frombuffer(key(0) * len(known), dtype=np.uint8).reshape(-1, 16))
    assert sorted(spool.repetitions()) == expected


def test_keys_go_to_the_disk_in_many_files(tmp_path: Path) -> None:
    spool = KeySpool(tmp_path / "keys")
    for number in range(40_000):
        spool.add(key(number), key(0), number)
    assert len(list((tmp_path / "keys").iterdir())) == FILES
    assert max(map(len, spool.waiting)) < 1000
    assert list(spool.repetitions()) == []


def row(number: int) -> Row:
    text = article(number)["text"] * 50
    day = 725_000 - EPOCH + number * 37 % 91
    return Row(day, f"a{number}", number, "", text, "", 1, "f", 0, key(number), key(number), key(number))


def test_merge_of_more_runs_than_are_opened_at_once(tmp_path: Path) -> None:
    rows = [row(number) for number in range(400)]
    spool = ExternalSort(tmp_path / "rows", max_bytes=5000)
    for one in rows:
        spool.add(one)
    assert len(spool.runs) > 64
    assert list(spool.rows()) == sorted(rows)
    assert list(spool.rows()) == sorted(rows)


def test_memory_of_a_row_is_counted_in_bytes_not_characters() -> None:
    plain, wide = (Row(0, "a", 0, "", text, "", 0, "f", 0, b"", b"", b"") for text in ("x" * 1000, "伊" * 1000))
    assert plain.characters == wide.characters == 1000
    assert plain.memory >= 1000
    assert wide.memory >= 2000
