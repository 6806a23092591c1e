"""Read every record once, and decide what happens to each.

Covers: validation, positions, the spools on disk, and the fate of each record: kept, known, duplicate, quarantined.
Not here: opening files (`sources`), writing chunks (`archive_files`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import nsmallest
from pathlib import Path

from workers.ingest.catalogue import known_faults, known_keys
from workers.ingest.chunks import EPOCH
from workers.ingest.config import IngestConfig
from workers.ingest.external_sort import ExternalSort, Row
from workers.ingest.fault_log import FaultLog, fault_key, quarantine_row
from workers.ingest.records import Article, Draft, Fault, keys, validate
from workers.ingest.report import MAX_EXAMPLES, Reason, gathered
from workers.ingest.sources import Found, Source, read_source
from workers.ingest.uniqueness import KNOWN, KeySpool, Repetition
from workers.storage import Warehouse

NO_CHECK = bytes(16)


class Fate(IntEnum):
    """What happens to a record; one byte per record read."""

    KEPT = 0
    KNOWN = 1
    DUPLICATE = 2
    QUARANTINED = 3
    QUARANTINED_BEFORE = 4
    REPEATED_TEXT = 5
    """Kept, although another article has the same text."""


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """How far the reading is: the file, bytes of it, and records so far."""

    file: str
    bytes: int
    records: int


@dataclass
class Collected:
    """Everything read, on disk where it is large."""

    folder: Path
    config: IngestConfig
    units: dict[str, int] = field(default_factory=dict)
    fates: bytearray = field(default_factory=bytearray)
    read_by_unit: Counter[int] = field(default_factory=Counter)
    faults_by_unit: Counter[int] = field(default_factory=Counter)
    damaged_by_unit: Counter[int] = field(default_factory=Counter)
    duplicates: list[Repetition] = field(default_factory=list)
    repeated_texts: list[Repetition] = field(default_factory=list)
    reasons: tuple[Reason, ...] = ()

    def __post_init__(self) -> None:
        self.rows = ExternalSort(self.folder / "rows", self.config.sort_bytes)
        self.ids, self.texts, self.faults = (KeySpool(self.folder / name) for name in ("ids", "texts", "fault-keys"))
        self.log = FaultLog(self.folder / "faults.jsonl")

    def read(self, source: Source, on_progress: Callable[[IngestProgress], None]) -> None:
        """Take in one file."""
        unit = self.units.setdefault(source.unit, len(self.units))

        def on_bytes(count: int) -> None:
            on_progress(IngestProgress(source.label, count, len(self.fates)))

        for found in read_source(source, self.config, on_bytes):
            self._take(found, unit)
        on_progress(IngestProgress(source.label, source.size, len(self.fates)))

    def _take(self, found: Found, unit: int) -> None:
        self.read_by_unit[unit] += 1
        item: Draft | Fault | Article = found.item
        if isinstance(item, Draft):
            item = validate(item, self.config)
        if isinstance(item, Article):
            self._keep(found.file, item, unit)
        elif isinstance(item, Fault):
            self._quarantine(found.file, item, unit)

    def _keep(self, file: str, article: Article, unit: int) -> None:
        position = len(self.fates)
        self.fates.append(Fate.KEPT)
        record, doc_id, published, title, text, source = article
        found = keys(article)
        self.ids.add(found.doc, found.content, position)
        self.texts.add(found.text, NO_CHECK, position)
        day = published.toordinal() - EPOCH
        self.rows.add(Row(day, doc_id, position, title, text, source, record, file, unit, *found))

    def _quarantine(self, file: str, fault: Fault, unit: int) -> None:
        self.faults.add(fault_key(quarantine_row(file, fault)), NO_CHECK, len(self.fates))
        self.log.add(len(self.fates), file, fault)
        self.fates.append(Fate.QUARANTINED)
        self.faults_by_unit[unit] += 1
        self.damaged_by_unit[unit] += fault.damaged
        self.reasons = gathered([*self.reasons, Reason(fault.rule, 1, file, fault.record, fault.value)])

    def settle(self, warehouse: Warehouse) -> None:
        """Find records that the archive or an earlier record already has."""
        for known in known_keys(warehouse):
            self.ids.add_known(known["doc_key"], known["content_key"])
            self.texts.add_known(known["text_key"], known["text_key"])
        for row in known_faults(warehouse):
            self.faults.add(fault_key(row), NO_CHECK, KNOWN)
        self.duplicates = _first_few(self._settle_ids())
        for repeated in self.faults.repetitions():
            self.fates[repeated.position] = Fate.QUARANTINED_BEFORE
        self.repeated_texts = _first_few(self._settle_texts())

    def _settle_ids(self) -> Iterator[Repetition]:
        for repeated in self.ids.repetitions():
            known = repeated.first == KNOWN and repeated.same
            self.fates[repeated.position] = Fate.KNOWN if known else Fate.DUPLICATE
            if not known:
                yield repeated

    def _settle_texts(self) -> Iterator[Repetition]:
        """A text counts as repeated only where both articles are in the archive."""
        kept = (Fate.KEPT, Fate.REPEATED_TEXT)
        for repeated in self.texts.repetitions():
            if self.fates[repeated.position] == Fate.KEPT:
                if repeated.first != KNOWN and self.fates[repeated.first] not in kept:
                    continue
                self.fates[repeated.position] = Fate.REPEATED_TEXT
                yield repeated


def _first_few(repetitions: Iterable[Repetition]) -> list[Repetition]:
    return nsmallest(MAX_EXAMPLES, repetitions)
