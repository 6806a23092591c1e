"""Publish a finished run: counts, event samples, quarantine, manifest, and last of all `latest`.

Covers: the balance, the counts table, what the manifest says.
Not here: computing anything (`stages`, `drive`).

A run's manifest is written when everything else of it is there, and `latest` moves last, when all runs that go together
are there.
The run's id is a hash of its settings, chunks and failed documents, so the same query on the same archive has one run.
"""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import pyarrow as pa

from calib_core.events import Counts, posterior_counts
from calib_core.events.dyads import parted
from workers.annotate import describe_annotator
from workers.code_version import code_version
from workers.ingest import Chunk
from workers.layout import RunFolder
from workers.propagation.outcome import Outcome, Quarter
from workers.propagation.quarantine import quarantine_table
from workers.propagation.query_file import query_content
from workers.propagation.settings import PropagationError, Settings
from workers.propagation.together import write_together
from workers.schemas import COUNTS, DYADIC_COUNTS
from workers.storage import Warehouse, content_hash

MANIFEST_VERSION = 1
COPIES_AT_ONCE = 16
"""Object stores are slow per request, but serve many at a time."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run published."""

    run_id: str
    query: str
    path: str
    documents: int
    counted: int
    gated_out: int
    quarantined: int
    rows: int
    new: bool
    """Whether the run is new; False if the same run was published before."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def publish_run(
    warehouse: Warehouse, settings: Settings, chunks: Sequence[Chunk], outcome: Outcome, *, created: str
) -> RunReport:
    """Check the balance, write the run, move `latest`."""
    return publish_runs(warehouse, [settings], chunks, [outcome], created=created)[0]


def publish_runs(
    warehouse: Warehouse, questions: Sequence[Settings], chunks: Sequence[Chunk], outcomes: Sequence[Outcome], *,
    created: str,
) -> list[RunReport]:  # fmt: skip
    """Check all balances, write all runs, say that they go together, and move `latest` to the first."""
    for settings, outcome in zip(questions, outcomes, strict=True):
        check_balance(settings, chunks, outcome)
    reports = [
        _write_run(warehouse, settings, chunks, outcome, created=created)
        for settings, outcome in zip(questions, outcomes, strict=True)
    ]
    write_together(warehouse, [report.run_id for report in reports])
    if warehouse.latest() != reports[0].path:
        warehouse.point_latest(reports[0].path)
    return reports


def _write_run(
    warehouse: Warehouse, settings: Settings, chunks: Sequence[Chunk], outcome: Outcome, *, created: str
) -> RunReport:
    """The files of one run, its manifest last; nothing if they are there."""
    run_id = _run_id(settings, chunks, outcome)
    folder, total = RunFolder.of(run_id), outcome.total
    new = not warehouse.exists(folder.manifest)
    counts = counts_table(outcome, settings)
    if new:
        _copy_samples(warehouse, settings, chunks, folder)
        warehouse.write_table(folder.counts, counts)
        warehouse.write_table(folder.quarantine, quarantine_table(outcome.faults))
        warehouse.write_json(folder.query, query_content(settings.query))
        warehouse.write_json(folder.manifest, _manifest(run_id, settings, chunks, outcome, created, counts.num_rows))
    return RunReport(
        run_id, settings.query.name, folder.path, total.documents, total.counted, total.gated_out, total.quarantined,
        counts.num_rows, new,
    )  # fmt: skip


def check_balance(settings: Settings, chunks: Sequence[Chunk], outcome: Outcome) -> None:
    """Every document of the archive must be accounted for exactly once, in its own quarter.

    Raises
    ------
    PropagationError
        If some ingested document is neither counted, nor gated out, nor quarantined; nothing is published.
    """
    cut = {chunk.quarter for chunk in chunks if settings.days(chunk) != (None, None)}
    quarter_of, archived = {chunk.path: chunk.quarter for chunk in chunks}, Counter[str]()
    for chunk in chunks:
        archived[chunk.quarter] += chunk.docs
    failed = Counter(quarter_of.get(file, "no quarter") for file, _ in {(f.file, f.doc_id) for f in outcome.faults})
    for name in sorted({*archived, *outcome.quarters, *failed}):
        found, faults = outcome.quarters.get(name, Quarter()), failed[name]
        expected = found.documents if name in cut else archived[name]
        if found.documents != expected or faults != found.quarantined or found.counted < 0 or found.gated_out < 0:
            raise PropagationError(
                f"the run does not balance: of {name} the archive has {expected:,} documents, but {found.counted:,} "
                f"were counted, {found.gated_out:,} gated out and {found.quarantined:,} quarantined ({faults:,} "
                f"named); nothing was published; delete {settings.samples_folder} in the warehouse and run again"
            )


def counts_table(outcome: Outcome, settings: Settings) -> pa.Table:
    """The counts, by quarter and country, and target where the query has targets."""
    counts = posterior_counts(
        outcome.tally,
        n_docs={name: quarter.documents for name, quarter in outcome.quarters.items()},
        n_possible={name: quarter.possible for name, quarter in outcome.quarters.items()},
    )
    schema = COUNTS if settings.query.language.targets is None else DYADIC_COUNTS
    columns = {field.name: _column(field.name, counts, settings) for field in schema}
    return pa.table([pa.array(columns[field.name], field.type) for field in schema], schema=schema)


def _column(name: str, counts: Counts, settings: Settings) -> Any:
    n = len(counts)
    if name in ("query", "unit"):
        return [settings.query.name if name == "query" else counts.unit] * n
    if name == "quarter":
        return [quarter for quarter, _ in counts.cells]
    if name in ("country", "target"):
        dyadic = settings.query.language.targets is not None
        pairs = [parted(word) if dyadic else (word, "") for _, word in counts.cells]
        return [pair[("country", "target").index(name)] for pair in pairs]
    return list(counts.samples) if name == "samples" else getattr(counts, name)


def _run_id(settings: Settings, chunks: Sequence[Chunk], outcome: Outcome) -> str:
    code = [code_version("workers.propagation.publishing"), version("scipy"), version("pyarrow")]
    parts = [settings.sample_id, *code, *(settings.part(chunk) for chunk in chunks)]
    failed = sorted(f"{fault.stage} {fault.doc_id} {fault.value}" for fault in outcome.faults)
    return content_hash(*(part.encode() for part in [*parts, "failed", *failed]))


def _copy_samples(warehouse: Warehouse, settings: Settings, chunks: Sequence[Chunk], folder: RunFolder) -> None:
    def copy(chunk: Chunk) -> None:
        warehouse.copy(settings.samples_path(chunk), folder.event_samples_of(chunk.quarter, settings.part(chunk)))

    with ThreadPoolExecutor(COPIES_AT_ONCE) as pool:
        for _ in pool.map(copy, chunks):
            pass


def _manifest(
    run_id: str, settings: Settings, chunks: Sequence[Chunk], outcome: Outcome, created: str, rows: int
) -> dict[str, Any]:
    total, query, recalibration = outcome.total, settings.query, settings.recalibration
    return {
        "version": MANIFEST_VERSION,
        "run_id": run_id,
        "created": created,
        "credence": version("credence"),
        "query": {"name": query.name, "unit": query.unit, "fingerprint": query.fingerprint},
        "samples": settings.n_samples,
        "seed": settings.seed,
        "syntax": settings.syntax,
        "since": str(settings.since) if settings.since else None,
        "until": str(settings.until) if settings.until else None,
        "annotator_id": settings.annotator_id,
        "annotator": describe_annotator(settings.annotator),
        "gate_id": settings.gate_id,
        "sample_id": settings.sample_id,
        "calibration": settings.calibration,
        "recalibration": recalibration.to_json() if recalibration else None,
        "chunks": [chunk.path for chunk in chunks],
        "balance": {
            "documents": total.documents,
            "counted": total.counted,
            "gated_out": total.gated_out,
            "quarantined": total.quarantined,
        },
        "quarters": {
            name: {"n_docs": quarter.documents, "n_possible": quarter.possible, "quarantined": quarter.quarantined}
            for name, quarter in outcome.quarters.items()
        },
        "rows": {"counts": rows, "quarantine": len(outcome.faults)},
    }
