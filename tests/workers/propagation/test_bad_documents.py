"""A file with ten kinds of bad records between good ones, from ingest to counts."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.workers.propagation.running import ATTACK, run_stages
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.propagation.publishing import check_balance
from workers.propagation.quarantine import quarantine_table
from workers.storage import Warehouse

pytestmark = pytest.mark.slow

GOOD = {"published": "1987-01-01", "text": "Iraqi troops attacked a border post."}
BAD = {
    "not JSON": b'{"doc_id": "x", ',
    "not UTF-8": b'{"doc_id": "x", "published": "1987-01-01", "text": "\xff\xfe attacked"}',
    "not an object": b'["x"]',
    "no id": {**GOOD},
    "endless id": {**GOOD, "doc_id": "x" * 10_000},
    "control in the id": {**GOOD, "doc_id": "a\u0000b"},
    "date that never was": {**GOOD, "doc_id": "date", "published": "0000-00-00"},
    "no date": {"doc_id": "undated", "text": GOOD["text"]},
    "no text": {**GOOD, "doc_id": "empty", "text": " "},
    "text of a number": {**GOOD, "doc_id": "number", "text": 7},
    "article of megabytes": {**GOOD, "doc_id": "long", "text": "Iraq attacked. " * 400_000},
}


def test_bad_records_are_quarantined_and_the_rest_is_counted(tmp_path: Path) -> None:
    lines = []
    for number, bad in enumerate(BAD.values()):
        lines.append(json.dumps({**GOOD, "doc_id": f"good/{number}"}).encode())
        lines.append(bad if isinstance(bad, bytes) else json.dumps(bad).encode())
    file = tmp_path / "mixed.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    warehouse = Warehouse.open(tmp_path / "w")
    report = ingest([str(file)], warehouse, IngestConfig())
    assert (report.total.read, report.total.kept, report.total.quarantined) == (22, 11, 11)
    (name,) = warehouse.names("ingests/quarantine", ".parquet")
    rows = pq.read_table(warehouse.path(name)).to_pylist()
    assert [row["record"] for row in rows] == list(range(2, 23, 2))
    assert all(row["rule"] and row["error"] for row in rows)
    assert len({row["rule"] for row in rows}) >= 7
    outcome = run_stages(tmp_path / "w")
    check_balance(ATTACK, archive_chunks(warehouse), outcome)
    assert (outcome.total.counted, outcome.total.quarantined) == (11, 0)
    assert outcome.tally.cells == (("1987Q1", "IRQ"),)
    assert outcome.tally.best.tolist() == [11]


def test_strange_but_valid_texts_are_counted_or_gated_never_lost(tmp_path: Path) -> None:
    texts = [
        "Iraq attacked \u0000 Iran.", "<script>alert('Iraq attacked')</script>", "Iraq\u202e attacked \U0001f600 Iran.",
        "IRAQ ATTACKED " * 500, "attacked Iraq " + "\n" * 3000, "Iraq attacked" + "a" * 5000, "....",
        "Iraq attacked.\ud800",
        "\ufeffIraq attacked.", "((((Iraq)))) attacked [[[[",
    ]  # fmt: skip
    file = tmp_path / "strange.jsonl"
    file.write_text("".join(json.dumps({**GOOD, "doc_id": str(n), "text": t}) + "\n" for n, t in enumerate(texts)))
    report = ingest([str(file)], Warehouse.open(tmp_path / "w"), IngestConfig())
    outcome = run_stages(tmp_path / "w")
    assert outcome.total.documents == report.total.kept
    assert quarantine_table(outcome.faults).num_rows == outcome.total.quarantined
