"""Warehouses to look at: a small real one, and a large one whose numbers are drawn."""

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from calib_core.calibration import calibration_error_interval, reliability_curve
from calib_core.events import Query, posterior_counts, tally
from workers.annotations import annotation_row, annotations_table
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.propagation.plan import batched
from workers.propagation.publishing import publish_run
from workers.propagation.query_file import query_content
from workers.propagation.settings import Settings
from workers.propagation.stages import Stages
from workers.runs import Run, open_run
from workers.schemas import (
    CALIBRATION_BINS,
    CALIBRATION_COVERAGE,
    CALIBRATION_METRICS,
    COUNTS,
    EVENT_SAMPLES,
    QUARANTINE,
)
from workers.storage import Warehouse

HUSSEIN = (
    "President Saddam Hussein of Iraq spoke on television on Friday. "
    "Officials in Riyadh feared that Mr. Hussein might attack Saudi Arabia."
)
EITHER = "The president of Iran met the president of Turkey in Geneva. Diplomats feared that he would attack the Kurds."
HOSTILE_TITLE = """<script>document.title = "hacked"</script> & "quotes" 'too' {{DATA}}"""
HOSTILE = (
    'Iranian troops attacked <script>document.title = "hacked"</script> "the post" & left. '
    "</script><img src=x onerror=\"document.title='hacked'\"> They attacked again."
)
TEXTS = {
    "hussein": ("1990-08-10", "Fears in Riyadh", HUSSEIN),
    "either": ("1990-08-12", "Talks in Geneva", EITHER),
    "hostile/<b>&": ("1990-11-02", HOSTILE_TITLE, HOSTILE),
    "direct": ("1990-07-03", "Border post", "Iraqi troops attacked a border post before dawn, officials said."),
    "passive": (
        "1991-01-20",
        "Tanker",
        "The tanker was attacked by American planes. They attacked it again on Sunday.",
    ),
    "again": ("1991-02-20", "", "Iraq attacked Israel. It attacked again in the night, the army said."),
    "no-verb": ("1990-08-11", "Wheat", "Wheat prices rose in Iraq. Traders were not surprised."),
    "no-country": ("1990-08-11", "Dawn", "They attacked at dawn. Nobody knew why."),
    "no-agent": ("1990-08-11", "Attack", "Iraq protested after its tanker was attacked in the Gulf."),
}


def small_run(root: Path, n_samples: int = 100, **options: Any) -> Run:
    """A few articles, ingested, annotated and published by the stages of a real run, without a cluster."""
    file = root.parent / f"{root.name}.jsonl"
    lines = [
        {"doc_id": doc_id, "published": day, "title": title, "text": text, "source": "test"}
        for doc_id, (day, title, text) in TEXTS.items()
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    warehouse = Warehouse.open(root)
    ingest([str(file)], warehouse, IngestConfig())
    settings = Settings(Query.from_yaml("attack"), n_samples=n_samples, **options)
    stages = Stages(warehouse, settings)
    chunks = [chunk for chunk in archive_chunks(warehouse) if settings.includes(chunk)]
    for chunk in chunks:
        for places in batched(stages.gate(chunk).missing):
            stages.annotate(chunk, places)
        stages.sample(chunk)
    outcome = stages.outcome(tuple(settings.samples_path(chunk) for chunk in chunks))
    publish_run(warehouse, settings, chunks, outcome, created="2026-01-01T00:00:00+00:00")
    return open_run(warehouse)


def large_run(root: Path, template: Run, *, quarters: int, countries: int, per_cell: int, n_samples: int = 100) -> Run:
    """Articles of many quarters and countries, with drawn samples and one real annotation under many names."""
    warehouse, query = Warehouse.open(root), Query.from_yaml("attack")
    chunk, _ = next(template.event_samples())
    source = annotation_row(next(filter(None, (template.annotation(chunk, doc_id) for doc_id in TEXTS))))
    codes = [code for code in query.codes if len(code) == 3][:countries]
    rng = np.random.default_rng(0)
    folder, tallies, figures = "runs/large", None, {}
    for number in range(quarters):
        quarter, first = f"{1980 + number // 4}Q{number % 4 + 1}", date(1980 + number // 4, 3 * (number % 4) + 1, 1)
        rows, annotations = [], []
        for code in codes:
            for place in range(per_cell):
                doc_id, day = f"{quarter}-{code}-{place}", first + timedelta(days=int(rng.integers(90)))
                bits = rng.random(n_samples) < rng.beta(0.6, 0.6)
                packed = np.packbits(bits, bitorder="little").tobytes()
                rows.append({
                    "query": "attack", "doc_id": doc_id, "published": day, "quarter": quarter, "country": code,
                    "p": float(bits.mean()), "map": bool(bits.mean() > 0.5), "bits": packed, "entities": None,
                })  # fmt: skip
                annotations.append({**source, "doc_id": doc_id, "published": day, "title": f"An article of {day} " * 4})
        samples = np.unpackbits(
            np.frombuffer(b"".join(row["bits"] for row in rows), np.uint8).reshape(len(rows), -1),
            axis=1, count=n_samples, bitorder="little",
        ).astype(np.bool_)  # fmt: skip
        best = np.array([row["map"] for row in rows], dtype=np.int64)
        part = tally([quarter] * len(rows), [row["country"] for row in rows], samples, best)
        tallies = part if tallies is None else tallies + part
        warehouse.write_table(f"annotations/an/{quarter}.parquet", annotations_table(annotations))
        table = pa.Table.from_pylist(rows, schema=EVENT_SAMPLES)
        warehouse.write_table(f"{folder}/event_samples/quarter={quarter}/{quarter}.parquet", table)
        figures[quarter] = {"n_docs": 1000, "n_possible": len(rows)}
    _write_run(warehouse, folder, template, tallies, figures, query, n_samples)
    return open_run(warehouse)


def add_calibration(warehouse: Warehouse, name: str, *, created: str, seed: int = 0) -> None:
    """Measured on drawn predictions: reliability bins, two metrics, coverage."""
    rng = np.random.default_rng(seed)
    pred = rng.beta(0.5, 1.5, 20_000)
    label = rng.random(len(pred)) < pred**1.2
    curve, error = reliability_curve(pred, label, bin_size=1000), calibration_error_interval(pred, label, bin_size=1000)
    measured = {
        "calibration_id": name, "created": datetime.fromisoformat(created).replace(tzinfo=None), "model_id": "m",
        "dataset": "drawn", "split": "test", "folds": 0, "mode": "raw_text", "genre": "all", "query": "pairs",
        "slice": "all", "recalibrated": "none",
    }  # fmt: skip
    bins = [
        measured | {"bin_size": 1000, "bin": number, "size": int(curve.size[number])}
        | {part: float(getattr(curve, part)[number]) for part in ("mean_pred", "mean_label", "label_lo", "label_hi")}
        for number in range(len(curve.size))
    ]  # fmt: skip
    metrics = [measured | {"metric": "calibration_error", "value": error.value, "lo": error.lo, "hi": error.hi}]
    metrics = [row | {"n": len(pred), "documents": 30, "bin_size": 1000, "reliable": True} for row in metrics]
    held = {"interval": "exact", "nominal": 0.95, "lo": 0.0, "hi": 1.0, "expected": 0.95, "n": 60, "reliable": True}
    coverage = [measured | held | {"level": level, "covered": c} for level, c in COVERED]
    for table, schema, rows in (
        ("metrics", CALIBRATION_METRICS, metrics),
        ("bins", CALIBRATION_BINS, bins),
        ("coverage", CALIBRATION_COVERAGE, coverage),
    ):
        path = f"calibration/{name}/{table}.parquet"
        warehouse.write_table(path, pa.Table.from_pylist(rows, schema=schema))
    warehouse.write_json(f"calibration/{name}/manifest.json", {"created": created})


COVERED = (("5 documents, normal", 0.93), ("5 documents, exact", 0.97))


def _write_run(
    warehouse: Warehouse, folder: str, template: Run, total: Any, figures: Any, query: Query, n_samples: int
) -> None:
    counts = posterior_counts(total, n_docs=dict.fromkeys(figures, 1000), n_possible=dict.fromkeys(figures, 10))
    names = [field.name for field in COUNTS][4:-1]
    rows = [
        {"query": "attack", "unit": "documents", "quarter": key, "country": code, "samples": counts.samples[row]}
        | {name: getattr(counts, name)[row] for name in names}
        for row, (key, code) in enumerate(counts.cells)
    ]
    warehouse.write_table(f"{folder}/counts.parquet", pa.Table.from_pylist(rows, schema=COUNTS))
    warehouse.write_table(f"{folder}/quarantine.parquet", pa.Table.from_pylist([], schema=QUARANTINE))
    warehouse.write_json(f"{folder}/query.json", query_content(query))
    balance = {"documents": 1000 * len(figures), "counted": 10 * len(figures), "gated_out": 0, "quarantined": 0}
    manifest = {**template.manifest, "run_id": "large", "annotator_id": "an", "quarters": figures, "balance": balance}
    warehouse.write_json(f"{folder}/manifest.json", {**manifest, "samples": n_samples})
    warehouse.point_latest(folder)
