"""Warehouses to look at: a small real one, and a large one whose numbers are drawn."""

import gzip
import json
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from calib_core.calibration import calibration_error_interval, reliability_curve
from calib_core.events import EventSamples, Query, gate, posterior_counts
from workers.annotation_table import annotation_row, annotations_table
from workers.event_samples import EventRow, event_rows, event_table, table_tally
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.layout import RunFolder
from workers.propagation.plan import batched
from workers.propagation.publishing import publish_run
from workers.propagation.query_file import query_content
from workers.propagation.settings import Settings
from workers.propagation.stages import Stages
from workers.quarters import quarter_of
from workers.runs import Run, open_run
from workers.schemas import (
    CALIBRATION_BINS,
    CALIBRATION_COVERAGE,
    CALIBRATION_METRICS,
    COUNTS,
    QUARANTINE,
)
from workers.storage import Warehouse

FOLDER = RunFolder.of("drawn")
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
    """A few articles with all that a reader may meet: the paper's example, hostile text, articles that cannot count."""
    articles = [
        {"doc_id": doc_id, "published": day, "title": title, "text": text, "source": "test"}
        for doc_id, (day, title, text) in TEXTS.items()
    ]
    return staged_run(root, articles, n_samples, **options)


def part_run(root: Path, archive: Path, *, n_possible: int, since: str = "") -> Run:
    """The first articles of a real archive from some day on, so many that pass the gate, and as many that do not."""
    found: dict[bool, list[dict[str, str]]] = {True: [], False: []}
    with gzip.open(archive, "rt", encoding="utf-8") as lines:
        for line in lines:
            article = json.loads(line)
            if article["published"] >= since:
                found[gate(article["text"])].append(article)
            if len(found[True]) == n_possible:
                break
    return staged_run(root, found[True] + found[False][:n_possible])


def staged_run(root: Path, articles: Sequence[dict[str, str]], n_samples: int = 100, **options: Any) -> Run:
    """Articles ingested, annotated and published by the stages of a real run, without a cluster."""
    file = root.parent / f"{root.name}.jsonl"
    file.write_text("".join(json.dumps(article) + "\n" for article in articles), encoding="utf-8")
    warehouse = Warehouse.open(root)
    ingest([str(file)], warehouse, IngestConfig())
    settings = Settings(**({"query": Query.from_yaml("attack"), "n_samples": n_samples} | options))
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
    codes = [code for code in Query.from_yaml("attack").codes if len(code) == 3][:countries]
    run = drawn_run(root, codes, first=1980, quarters=quarters, per_cell=per_cell, n_samples=n_samples)
    chunk, _ = next(template.event_samples())
    source = annotation_row(next(filter(None, (template.annotation(chunk, doc_id) for doc_id in TEXTS))))
    for chunk, table in run.event_samples(["doc_id", "published"]):
        rows = [source | row | {"title": f"An article of {row['published']} " * 4} for row in table.to_pylist()]
        run.warehouse.write_table(f"annotations/an/{chunk}.parquet", annotations_table(rows))
    return run


def drawn_run(
    root: Path, codes: Sequence[str], *, first: int, quarters: int, per_cell: int, n_samples: int = 100
) -> Run:
    """A run of drawn samples: some articles of every country in every quarter from the year `first` on."""
    warehouse, rng, rows = Warehouse.open(root), np.random.default_rng(0), []
    for number in range(quarters):
        quarter, start = f"{first + number // 4}Q{number % 4 + 1}", date(first + number // 4, 3 * (number % 4) + 1, 1)
        articles, bits = [], []
        for code in codes:
            for place in range(per_cell):
                bits.append(rng.random(n_samples) < rng.beta(0.6, 0.6))
                articles.append((f"{quarter}-{code}-{place}", start + timedelta(days=int(rng.integers(90)))))
        entities = np.array(bits, dtype=np.uint16)
        best = (entities.mean(axis=1) > 0.5).astype(np.uint16)
        country = tuple(np.repeat(codes, per_cell).tolist())
        samples = EventSamples(np.arange(len(articles)), country, entities, best)
        found = event_rows(samples, articles, Query.from_yaml("attack"))
        warehouse.write_table(FOLDER.event_samples_of(quarter, quarter), event_table(found))
        rows += found
    _write_run(warehouse, rows, n_samples)
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
        given = {"calibration_id": name, "created": datetime.fromisoformat(created), "recalibrated": "none"}
        complete = [{field.name: (given | row).get(field.name, _default(field)) for field in schema} for row in rows]
        warehouse.write_table(path, pa.Table.from_pylist(complete, schema=schema))


def _default(field: pa.Field) -> Any:
    """What a column holds where nothing special is said."""
    if field.nullable:
        return None
    if pa.types.is_string(field.type):
        return "all"
    return True if pa.types.is_boolean(field.type) else 0


COVERED = (("5 documents, normal", 0.93), ("5 documents, exact", 0.97))


def _write_run(warehouse: Warehouse, rows: list[EventRow], n_samples: int) -> None:
    figures = {quarter_of(row.published): {"n_docs": 1000, "n_possible": len(rows)} for row in rows}
    counts = posterior_counts(
        table_tally(event_table(rows), n_samples=n_samples, unit="documents"),
        n_docs=dict.fromkeys(figures, 1000), n_possible=dict.fromkeys(figures, 10),
    )  # fmt: skip
    names = [field.name for field in COUNTS][4:-1]
    table = [
        {"query": "attack", "unit": "documents", "quarter": key, "country": code, "samples": counts.samples[row]}
        | {name: getattr(counts, name)[row] for name in names}
        for row, (key, code) in enumerate(counts.cells)
    ]
    query = Query.from_yaml("attack")
    warehouse.write_table(FOLDER.counts, pa.Table.from_pylist(table, schema=COUNTS))
    warehouse.write_table(FOLDER.quarantine, pa.Table.from_pylist([], schema=QUARANTINE))
    warehouse.write_json(FOLDER.query, query_content(query))
    documents = 1000 * len(figures)
    warehouse.write_json(FOLDER.manifest, {
        "version": 1, "run_id": "drawn", "created": "2026-01-01", "credence": "0", "samples": n_samples, "seed": 0,
        "since": None, "until": None, "chunks": [], "annotator_id": "an", "annotator": {}, "calibration": "none",
        "recalibration": None,
        "query": {"name": query.name, "unit": query.unit, "fingerprint": query.fingerprint}, "quarters": figures,
        "balance": {"documents": documents, "counted": len(rows), "gated_out": documents - len(rows), "quarantined": 0},
    })  # fmt: skip
    warehouse.point_latest(FOLDER.path)
