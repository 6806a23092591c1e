"""What a run computes, and the names under which its parts are kept.

Covers: the configuration of a run, and the identity of each stage: a hash of all that its output follows from.
Not here: running it (`stages`, `drive`).

Each identity holds that of the stage before. So a new model parses anew, a new query samples anew and parses only
documents that no query let through before, and other samples, seeds or recalibrations sample anew, no more.
"""

import json
from dataclasses import dataclass, field, fields
from datetime import date
from functools import cached_property
from typing import Any

from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import Query
from workers.annotate import AnnotatorConfig, annotator_id
from workers.code_version import code_version
from workers.ingest import Chunk
from workers.storage import content_hash

MAX_SAMPLES = 100_000


class PropagationError(RuntimeError):
    """The run cannot be finished; one sentence says why and what to do."""


@dataclass(frozen=True)
class Settings:
    """One question to one archive.

    Attributes
    ----------
    query : Query
    n_samples : int
        Posterior samples of each document.
    seed : int
        Same seed, same samples.
    annotator : AnnotatorConfig
    calibration : str
        Where the recalibration is from: a calibration's id, `shipped`, or `none`.
    recalibration : Recalibration or None
        Applied to the stored logits.
    since, until : date or None
        First and last day of publication to be counted.
    """

    query: Query
    n_samples: int = 100
    seed: int = 0
    annotator: AnnotatorConfig = field(default_factory=AnnotatorConfig)
    calibration: str = "none"
    recalibration: Recalibration | None = None
    since: date | None = None
    until: date | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be sampled, and dates the wrong way round."""
        if not 2 <= self.n_samples <= MAX_SAMPLES:
            raise ValueError(f"samples must lie in [2, {MAX_SAMPLES:,}]; got {self.n_samples}")
        if self.since and self.until and self.since > self.until:
            raise ValueError(f"since must not be after until; got {self.since} and {self.until}")

    def __getstate__(self) -> dict[str, Any]:
        """Travel without what was computed: a worker must work out the identities from its own code and models."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}

    @cached_property
    def gate_id(self) -> str:
        """Names what the gate let through."""
        return _identity(code_version("workers.propagation.stages"), self.query.fingerprint, self.annotator.titles)

    @cached_property
    def annotator_id(self) -> str:
        """Names annotations."""
        return annotator_id(self.annotator)

    @cached_property
    def sample_id(self) -> str:
        """Names event samples."""
        recalibration = self.recalibration.fingerprint if self.recalibration else None
        return _identity(
            code_version("workers.propagation.stages"),
            self.annotator_id, self.gate_id, self.query.name, self.query.fingerprint,
            self.n_samples, self.seed, recalibration,
        )  # fmt: skip

    @cached_property
    def code(self) -> str:
        """All code that takes part; a worker that has other code is refused."""
        return _identity(code_version("workers.propagation.stages"), self.annotator_id)

    def days(self, chunk: Chunk) -> tuple[date | None, date | None]:
        """First and last day to count of a chunk; None where the chunk's own quarter is the limit."""
        first, last = quarter_days(chunk.quarter)
        since = self.since if self.since and self.since > first else None
        until = self.until if self.until and self.until < last else None
        return since, until

    def includes(self, chunk: Chunk) -> bool:
        """Whether the chunk can hold documents of the chosen days."""
        first, last = quarter_days(chunk.quarter)
        return not (self.since and self.since > last) and not (self.until and self.until < first)

    def part(self, chunk: Chunk) -> str:
        """Name of what is counted of a chunk: its own, with the days where not all of them count."""
        since, until = self.days(chunk)
        return chunk_name(chunk) + (f"_{since or ''}_{until or ''}" if since or until else "")

    def gate_path(self, chunk: Chunk) -> str:
        """Where the gate's answer is kept."""
        return f"ledger/gates/{self.gate_id}/{self.part(chunk)}.json"

    def annotations_path(self, chunk: Chunk) -> str:
        """Where annotations are kept."""
        return f"annotations/{self.annotator_id}/{chunk_name(chunk)}.parquet"

    def parts_folder(self, chunk: Chunk) -> str:
        """Where annotations wait until the chunk has all of them."""
        return f"ledger/parts/{self.annotator_id}/{chunk_name(chunk)}"

    @property
    def samples_folder(self) -> str:
        """Where event samples are kept for all runs that need them."""
        return f"ledger/samples/{self.sample_id}"

    def samples_path(self, chunk: Chunk) -> str:
        """Where the event samples of a chunk are kept."""
        return f"{self.samples_folder}/{self.part(chunk)}.parquet"

    def unsampled_folder(self, chunk: Chunk) -> str:
        """Where it stands, until the chunk is sampled, which of its documents were given up."""
        return f"{self.samples_folder}/{self.part(chunk)}.unsampled"


def chunk_name(chunk: Chunk) -> str:
    """The chunk's hash."""
    return chunk.path.rpartition("/")[2].removesuffix(".parquet")


def quarter_days(quarter: str) -> tuple[date, date]:
    """First and last day of a quarter.

    Examples
    --------
    >>> [str(day) for day in quarter_days("1987Q4")]
    ['1987-10-01', '1987-12-31']
    """
    year, number = int(quarter[:4]), int(quarter[5])
    last_month = 3 * number
    return date(year, last_month - 2, 1), date(year, last_month, 31 if last_month in (3, 12) else 30)


def _identity(*parts: Any) -> str:
    return content_hash(json.dumps(parts).encode())
