"""Demo: the whole service on the demonstration archive.

Covers: ingest, propagate, the truth beside the counts, the report.
Not here: the archive (`flows.demonstration`), the steps (the other jobs).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calib_core.arrays import Ints
from flows.demonstration import ARCHIVE, read_truth
from flows.jobs.anchor import anchor
from flows.jobs.ingest import ingest
from flows.jobs.progress import OnProgress, quiet
from flows.jobs.propagate import propagate
from flows.jobs.report import report
from flows.jobs.requests import (
    AnchorRequest,
    ClusterRequest,
    DemoRequest,
    IngestRequest,
    PropagateRequest,
    ReportRequest,
    SampleRequest,
)
from flows.jobs.sample import sample
from workers.anchoring import AnchorReport
from workers.ingest import IngestReport, archive_chunks
from workers.labelling import Label, append_labels, read_frame
from workers.propagate import RunReport
from workers.runs import Run, open_run
from workers.schemas import ARCHIVE as SCHEMA
from workers.storage import Warehouse

RIVALS = ("ETH", "ERI")
"""Two countries at war in the archive, whose counts overlap."""

LABELS, SIMULATED = 200, "simulated from the known truth"

Cell = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Answers:
    """What the run found, and what is true, by quarter and country."""

    samples: Mapping[Cell, Ints]
    best: Mapping[Cell, int]
    truth: Mapping[Cell, int]
    rows: Sequence[dict[str, Any]]

    def total(self, country: str) -> tuple[Ints, int, int]:
        """Samples, 1-best and truth of all quarters together."""
        found = [sample for cell, sample in self.samples.items() if cell[1] == country]
        best = sum(count for cell, count in self.best.items() if cell[1] == country)
        true = sum(count for cell, count in self.truth.items() if cell[1] == country)
        return np.sum(found, axis=0) if found else np.zeros(1, dtype=np.int64), best, true


@dataclass(frozen=True, slots=True)
class DemoReport:
    """Where everything is, what each step did, and how close the counts are to the truth."""

    warehouse: str
    ingested: IngestReport
    published: RunReport
    answers: Answers
    anchored: AnchorReport


def demo(request: DemoRequest, *, on_progress: OnProgress = quiet) -> DemoReport:
    """Run everything on the embedded archive and models; the warehouse stays in `request.out`."""
    place = str(request.out / "warehouse")
    ingested = ingest(IngestRequest(sources=(str(ARCHIVE),), warehouse=place), on_progress=on_progress)
    cluster = ClusterRequest(workers=request.workers)
    (published,) = propagate(
        PropagateRequest(warehouse=place, seed=request.seed, cluster=cluster), on_progress=on_progress
    )
    labelled = anchor_demonstration(place, request.seed)
    page = request.out / "report.html"
    report(ReportRequest(warehouse=place, out=page, countries=RIVALS), on_progress=on_progress)
    return DemoReport(place, ingested, published, read_answers(open_run(Warehouse.open(place))), labelled)


def anchor_demonstration(place: str, seed: int) -> AnchorReport:
    """Draw a sample, answer it by the known truth as a perfect coder would, and anchor the counts."""
    drawn = sample(SampleRequest(warehouse=place, labels=LABELS, seed=seed))
    warehouse = Warehouse.open(place)
    frame = read_frame(warehouse, drawn.frame_id)
    if drawn.labelled < frame.drawn.num_rows:
        truth = {true.doc_id: ";".join(sorted(true.countries)) or "none" for true in read_truth()}
        append_labels(warehouse, frame, [
            Label(frame_id=frame.frame_id, doc_id=doc_id, coder=SIMULATED, answer=truth[doc_id], time=frame.created)
            for doc_id in frame.drawn.column("doc_id").to_pylist()
        ])  # fmt: skip
    return anchor(AnchorRequest(warehouse=place, frame=frame.frame_id))


def read_answers(run: Run) -> Answers:
    """Counts of the run beside the truth of the archive."""
    truth: dict[Cell, int] = {}
    published = dict(_quarters(run.warehouse))
    for true in read_truth():
        for country in true.countries:
            cell = (published[true.doc_id], country)
            truth[cell] = truth.get(cell, 0) + 1
    rows = run.counts().to_pylist()
    samples = {(row["quarter"], row["country"]): np.array(row["samples"]) for row in rows}
    best = {(row["quarter"], row["country"]): row["map_count"] for row in rows}
    return Answers(samples, best, truth, rows)


def _quarters(warehouse: Warehouse) -> Sequence[tuple[str, str]]:
    """Quarter of each article of the archive."""
    return [
        (doc_id, chunk.quarter)
        for chunk in archive_chunks(warehouse)
        for doc_id in warehouse.read_table(chunk.path, SCHEMA, ["doc_id"]).column("doc_id").to_pylist()
    ]
