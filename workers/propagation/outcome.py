"""What happened to the documents of some chunks: figures and sums that add up, and the file they are in.

Covers: writing one chunk's event samples with its outcome in the same file, reading many back as one sum.
Not here: what a row of event samples holds (`workers.event_samples`), intervals (`calib_core.events.posterior`),
publishing (`publishing`).

Samples and outcome are one file, so a chunk is either finished or not begun; there is no third state.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import reduce
from operator import add

from calib_core.events import Tally, empty_tally
from workers.event_samples import EventRow, event_table, table_tally
from workers.propagation.quarantine import FailedDocument
from workers.schemas import EVENT_SAMPLES
from workers.storage import Warehouse, parquet_bytes

OUTCOME_KEY = b"credence.outcome"


@dataclass(frozen=True, slots=True)
class Quarter:
    """Documents of one quarter: all, those past the gate, those of them that failed; they add with `+`."""

    documents: int = 0
    possible: int = 0
    quarantined: int = 0

    def __add__(self, other: "Quarter") -> "Quarter":
        return Quarter(
            self.documents + other.documents, self.possible + other.possible, self.quarantined + other.quarantined
        )

    @property
    def counted(self) -> int:
        """Documents that were sampled."""
        return self.possible - self.quarantined

    @property
    def gated_out(self) -> int:
        """Documents that cannot count."""
        return self.documents - self.possible


@dataclass(frozen=True, slots=True)
class Outcome:
    """Sums over any number of chunks; outcomes of one run add with `+`."""

    quarters: Mapping[str, Quarter]
    tally: Tally
    faults: tuple[FailedDocument, ...]

    def __add__(self, other: "Outcome") -> "Outcome":
        names = {**self.quarters, **other.quarters}
        nothing = Quarter()
        quarters = {
            name: self.quarters.get(name, nothing) + other.quarters.get(name, nothing) for name in sorted(names)
        }
        return Outcome(quarters, self.tally + other.tally, self.faults + other.faults)

    @property
    def total(self) -> Quarter:
        """All quarters together."""
        return sum(self.quarters.values(), Quarter())


def empty_outcome(n_samples: int, unit: str) -> Outcome:
    """The sum of nothing."""
    return Outcome({}, empty_tally(n_samples, unit=unit), ())


def write_outcome(
    warehouse: Warehouse,
    path: str,
    rows: Iterable[EventRow],
    quarter: tuple[str, Quarter],
    faults: Iterable[FailedDocument],
    *,
    dyadic: bool = False,
) -> None:
    """One chunk's event samples and figures as one file; `dyadic` if the query has targets."""
    content = {"quarter": quarter[0], **asdict(quarter[1]), "faults": [asdict(fault) for fault in faults]}
    table = event_table(rows, dyadic=dyadic)
    metadata = {**table.schema.metadata, OUTCOME_KEY: json.dumps(content, sort_keys=True).encode()}
    warehouse.write_bytes(path, parquet_bytes(table.replace_schema_metadata(metadata)))


def has_failures(warehouse: Warehouse, path: str) -> bool:
    """Whether a document of the chunk could not be counted."""
    content = json.loads(warehouse.read_metadata(path, EVENT_SAMPLES)[OUTCOME_KEY])
    return bool(content["quarantined"])


def read_outcomes(warehouse: Warehouse, paths: Iterable[str], n_samples: int, unit: str) -> Outcome:
    """The sum over some chunks."""
    return reduce(add, (_read(warehouse, path, n_samples, unit) for path in paths), empty_outcome(n_samples, unit))


def _read(warehouse: Warehouse, path: str, n_samples: int, unit: str) -> Outcome:
    table = warehouse.read_table(path, EVENT_SAMPLES)
    content = json.loads(table.schema.metadata[OUTCOME_KEY])
    quarter = Quarter(content["documents"], content["possible"], content["quarantined"])
    faults = tuple(FailedDocument(**fault) for fault in content["faults"])
    return Outcome({content["quarter"]: quarter}, table_tally(table, n_samples=n_samples, unit=unit), faults)
