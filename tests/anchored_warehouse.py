"""A warehouse with a published run over invented articles whose truth is known, without any parsing."""

import json
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa

from calib_core.events import EventSamples, Query, posterior_counts
from workers.event_samples import event_rows, event_table, table_tally
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.labelling import Frame, Label, append_labels
from workers.layout import RunFolder
from workers.propagation.query_file import query_content
from workers.runs import Run, open_run
from workers.schemas import COUNTS, QUARANTINE
from workers.storage import Warehouse

COUNTRIES = {"IRQ": "Iraq", "IRN": "Iran", "USA": "America"}
CODES = tuple(COUNTRIES)
N_SAMPLES = 64


def articles(n: int, *, first: int = 0, year: int = 1987, seed: int = 0) -> list[dict[str, str]]:
    """Articles of one year, of which half pass the gate, a quarter comes near, and a quarter is about wheat."""
    rng, rows = np.random.default_rng((seed, first)), []
    for number in range(first, first + n):
        name = COUNTRIES[CODES[rng.integers(3)]]
        text = (
            f"Troops of {name} attacked town {number} at dawn.",
            f"Troops of {name} attacked village {number} at dusk, it was said.",
            f"The invasion by {name} of province {number} went on.",
            f"Wheat prices rose by {number} cents.",
        )[number % 4]
        day = date(year, 1 + 3 * ((number // 4) % 4), 5)
        rows.append({
            "doc_id": f"a{number:04d}", "published": str(day), "title": f"Title {number}", "text": text, "source": "t"
        })  # fmt: skip
    return rows


def true_codes(article: dict[str, str]) -> frozenset[str]:
    """What an invented article tells: three of four attacks that pass the gate, a tenth of what comes near."""
    number = int(article["doc_id"][1:])
    named = {code for code, name in COUNTRIES.items() if name in article["text"]}
    told = (number // 4) % 5 != 0 if number % 4 < 2 else (number // 4) % 10 == 0
    return frozenset(named if told else ())


def published_run(root: Path, rows: list[dict[str, str]], *, blind: float = 0.6, run_id: str = "r1") -> Run:
    """Publish a run whose model gives each true event past the gate `blind` times its due, and some false ones."""
    warehouse, query = Warehouse.open(root), Query.from_yaml("attack")
    file = root.parent / f"{root.name}-{run_id}.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ingest([str(file)], warehouse, IngestConfig())
    rng, folder, events = np.random.default_rng(1), RunFolder.of(run_id), []
    for row in rows:
        if int(row["doc_id"][1:]) % 4 < 2:
            code = next(code for code, name in COUNTRIES.items() if name in row["text"])
            p = blind if true_codes(row) else 0.2
            bits = (rng.random((1, N_SAMPLES)) < p).astype(np.uint16)
            found = EventSamples(np.zeros(1, dtype=np.int64), (code,), bits, np.array([p > 0.5], dtype=np.uint16))
            events += event_rows(found, [(row["doc_id"], date.fromisoformat(row["published"]))], query)
    chunks = archive_chunks(warehouse)
    sizes = {chunk.quarter: 0 for chunk in chunks}
    for chunk in chunks:
        sizes[chunk.quarter] += chunk.docs
    table = event_table(events)
    warehouse.write_table(folder.event_samples_of(chunks[0].quarter, run_id), table)
    counts = posterior_counts(
        table_tally(table, n_samples=N_SAMPLES, unit="documents"), n_docs=sizes, n_possible=dict.fromkeys(sizes, 10)
    )
    kept = [
        {"query": "attack", "unit": "documents", "quarter": quarter, "country": code, "samples": counts.samples[place]}
        | {name: getattr(counts, name)[place] for name in COUNTS.names if hasattr(counts, name) and name not in _KEYS}
        for place, (quarter, code) in enumerate(counts.cells)
    ]
    warehouse.write_table(folder.counts, pa.Table.from_pylist(kept, schema=COUNTS))
    warehouse.write_table(folder.quarantine, pa.Table.from_pylist([], schema=QUARANTINE))
    warehouse.write_json(folder.query, query_content(query))
    warehouse.write_json(folder.manifest, {
        "version": 1, "run_id": run_id, "created": run_id, "credence": "0", "samples": N_SAMPLES, "seed": 0,
        "since": None, "until": None, "chunks": [chunk.path for chunk in chunks], "annotator_id": "an",
        "annotator": {"titles": False}, "calibration": "none", "recalibration": None,
        "query": {"name": query.name, "unit": query.unit, "fingerprint": query.fingerprint},
        "quarters": {name: {"n_docs": size, "n_possible": 10, "quarantined": 0} for name, size in sizes.items()},
        "balance": {"documents": sum(sizes.values()), "counted": len(rows), "gated_out": 0, "quarantined": 0},
    })  # fmt: skip
    warehouse.point_latest(folder.path)
    return open_run(warehouse)


_KEYS = ("query", "unit", "quarter", "country", "samples", "cells")


def label_all(run: Run, frame: Frame, rows: list[dict[str, str]], *, first: int | None = None) -> None:
    """Answer the drawn articles with the truth, in turn; only the first so many, if told."""
    truth = {row["doc_id"]: true_codes(row) for row in rows}
    wanted = frame.drawn.column("doc_id").to_pylist()[:first]
    append_labels(run.warehouse, frame, [
        Label(frame_id=frame.frame_id, doc_id=doc, coder="ada", answer=";".join(sorted(truth[doc])) or "none", time="t")
        for doc in wanted
    ])  # fmt: skip
