"""Bring files into the archive of a warehouse.

Covers: a whole ingest, in order: read, settle, cut and stage chunks, publish.
Not here: each of those steps, and anything shown to a person (`flows.cli.ingest`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from workers.ingest.catalogue import Additions, publish
from workers.ingest.chunks import Chunk, IdsWriter, cut, stage_chunk
from workers.ingest.collect import Collected, Fate, IngestProgress
from workers.ingest.config import IngestConfig, IngestError
from workers.ingest.external_sort import Row
from workers.ingest.fault_log import stage_quarantine
from workers.ingest.report import Example, FileCounts, IngestReport
from workers.ingest.sources import find_sources
from workers.ingest.uniqueness import KNOWN, Repetition
from workers.layout import ASIDE
from workers.storage import Warehouse
from workers.storage.errors import explained

IN_ARCHIVE = "in the archive already"


def ingest(
    inputs: Sequence[str],
    warehouse: Warehouse,
    config: IngestConfig | None = None,
    *,
    scratch: Path | None = None,
    on_progress: Callable[[IngestProgress], None] = lambda _: None,
) -> IngestReport:
    """Add the articles of files and folders to the archive; all of them appear, or none.

    Safe to repeat: what the archive has already stays as it is, byte for byte, and the next ingest replaces whatever a
    killed one leaves behind.

    Parameters
    ----------
    inputs : sequence of str
        Files or folders, local or `s3://`. If an id appears twice, the first in this order is kept.
    scratch : Path or None
        Folder with room for about as many bytes as the input has text. None: `.aside` of a local warehouse.

    Raises
    ------
    IngestError
        An input is missing or has no known format, or an id appears twice and duplicates are refused.
    StorageError
        The warehouse cannot be read or written.
    """
    config = config or IngestConfig()
    sources = [find_sources(uri) for uri in inputs]  # complains about missing ones before anything is read
    warehouse = replace(warehouse, writer="ingest")
    with warehouse.single_writer() as held, _spool(warehouse, scratch) as folder, explained(str(folder)):
        collected = Collected(folder, config)
        with closing(collected.log):
            for source in chain.from_iterable(sources):
                collected.read(source, on_progress)
        collected.settle(warehouse)
        if collected.duplicates and config.duplicates == "refuse":
            raise _duplicate(collected)
        held.confirm()
        return _publish(collected, warehouse)


@contextmanager
def _spool(warehouse: Warehouse, scratch: Path | None) -> Iterator[Path]:
    if scratch is None and not warehouse.is_local:
        raise ValueError("scratch must be a local folder when the warehouse is not; got None")
    parent = scratch or Path(warehouse.path(f"{ASIDE}/ingest"))
    with explained(str(parent)):
        parent.mkdir(parents=True, exist_ok=True)
        folder = TemporaryDirectory(prefix="ingest-", dir=parent)
    with folder as name:
        yield Path(name)


@dataclass
class _Tally:
    """Counts every row that passes, and remembers where the examples are."""

    collected: Collected
    counts: Counter[tuple[int, int]] = field(default_factory=Counter)
    places: dict[int, Row] = field(default_factory=dict)

    def kept(self) -> Iterator[Row]:
        """Rows for the archive, in order."""
        wanted = _positions([*self.collected.duplicates, *self.collected.repeated_texts])
        for row in self.collected.rows.rows():
            fate = self.collected.fates[row.position]
            self.counts[row.unit, fate] += 1
            if row.position in wanted:
                self.places[row.position] = row._replace(text="")
            if fate in (Fate.KEPT, Fate.REPEATED_TEXT):
                yield row

    def report(self, chunks: Sequence[Chunk]) -> IngestReport:
        """Counts of every unit, and the examples."""
        found = self.collected
        examples = [_example("doc_id", repeated, self.places) for repeated in found.duplicates]
        examples += [_example("text", repeated, self.places) for repeated in found.repeated_texts]
        files = {name: self._file_counts(unit) for name, unit in found.units.items()}
        return IngestReport(files, tuple(chunk.path for chunk in chunks), tuple(examples), found.reasons)

    def _file_counts(self, unit: int) -> FileCounts:
        counts = {fate: self.counts[unit, fate] for fate in Fate}
        faults = self.collected.faults_by_unit[unit]
        return FileCounts(
            read=self.collected.read_by_unit[unit],
            kept=counts[Fate.KEPT] + counts[Fate.REPEATED_TEXT],
            known=counts[Fate.KNOWN],
            duplicates=counts[Fate.DUPLICATE],
            quarantined=faults,
            damaged=self.collected.damaged_by_unit[unit],
            repeated_texts=counts[Fate.REPEATED_TEXT],
        )


def _publish(collected: Collected, warehouse: Warehouse) -> IngestReport:
    """Stage chunks, keys and quarantine; check the balance; publish."""
    tally, ids = _Tally(collected), IdsWriter(warehouse)
    chunks = []
    for quarter, rows in cut(tally.kept(), collected.config):
        chunks.append(stage_chunk(quarter, rows, warehouse))
        ids.add(rows)
    ids.flush()
    faults = collected.log.rows(lambda position: collected.fates[position] == Fate.QUARANTINED)
    additions = Additions(chunks, ids.paths, stage_quarantine(faults, warehouse))
    report = tally.report(chunks)
    if not report.balances or sum(chunk.docs for chunk in chunks) != report.total.kept:
        raise RuntimeError(f"records read must all be accounted for; got {report.total}")
    publish(additions, report, warehouse)
    return report


def _positions(repetitions: Sequence[Repetition]) -> set[int]:
    return {position for repeated in repetitions for position in repeated[:2] if position != KNOWN}


def _example(kind: str, repeated: Repetition, places: dict[int, Row]) -> Example:
    row = places[repeated.position]
    first = IN_ARCHIVE
    if repeated.first != KNOWN:
        other = places[repeated.first]
        first = f"{other.file}, record {other.record}, doc_id {other.doc_id}"
    return Example(kind, row.file, row.record, row.doc_id, first)


def _duplicate(collected: Collected) -> IngestError:
    """The first duplicate, looked up among the rows."""
    first = collected.duplicates[:1]
    wanted = _positions(first)
    places = {row.position: row for row in collected.rows.rows() if row.position in wanted}
    found = _example("doc_id", first[0], places)
    rule = "doc_id must be unique (--duplicates skip keeps the first)"
    return IngestError(found.file, found.record, rule, f"{found.doc_id!r} again, first {found.first}")
