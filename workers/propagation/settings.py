"""What a run computes, and the names under which its parts are stored.

Covers: the configuration of a run, and the identity of each stage: a hash of everything its output depends on.
Not here: running it (`stages`, `drive`).

Each identity includes that of the stage before. So a new model parses everything again; a new query samples again, and
parses only documents that no earlier query let through; other samples, seeds or recalibrations only sample again.
"""

import json
from dataclasses import dataclass, field, fields
from datetime import date
from functools import cached_property
from typing import Any

from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import Query
from workers import layout
from workers.annotate import AnnotatorConfig, annotator_id
from workers.code_version import code_version
from workers.ingest import Chunk
from workers.propagation.asking import SYNTAX
from workers.quarters import quarter_days
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
        Posterior samples per document.
    seed : int
        Same seed, same samples.
    annotator : AnnotatorConfig
    calibration : str
        Source of the recalibration: a calibration's id, `shipped`, or `none`.
    recalibration : Recalibration or None
        Applied to the stored logits.
    syntax : str
        One of `asking.SYNTAX`: which trees each sample reads.
    since, until : date or None
        First and last day of publication to be counted.
    """

    query: Query
    n_samples: int = 100
    seed: int = 0
    annotator: AnnotatorConfig = field(default_factory=AnnotatorConfig)
    calibration: str = "none"
    recalibration: Recalibration | None = None
    syntax: str = "best"
    since: date | None = None
    until: date | None = None

    def __post_init__(self) -> None:
        """Refuse an impossible number of samples, an unknown way with syntax, and dates the wrong way round."""
        if not 2 <= self.n_samples <= MAX_SAMPLES:
            raise ValueError(f"samples must lie in [2, {MAX_SAMPLES:,}]; got {self.n_samples}")
        if self.syntax not in SYNTAX:
            raise ValueError(f"syntax must be {' or '.join(SYNTAX)}; got {self.syntax!r}")
        if self.since and self.until and self.since > self.until:
            raise ValueError(f"since must not be after until; got {self.since} and {self.until}")

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without computed values: a worker must work out the identities from its own code and models."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}

    @cached_property
    def gate_id(self) -> str:
        """Name of what the gate let through."""
        return _identity(code_version("workers.propagation.stages"), self.query.fingerprint, self.annotator.titles)

    @cached_property
    def annotator_id(self) -> str:
        """Name of the annotations."""
        return annotator_id(self.annotator)

    @cached_property
    def sample_id(self) -> str:
        """Name of the event samples."""
        recalibration = self.recalibration.fingerprint if self.recalibration else None
        return _identity(
            code_version("workers.propagation.stages"),
            self.annotator_id, self.gate_id, self.query.name, self.query.fingerprint,
            self.n_samples, self.seed, recalibration, self.syntax,
        )  # fmt: skip

    @cached_property
    def code(self) -> str:
        """Hash of all code that takes part; a worker with other code is refused."""
        return _identity(code_version("workers.propagation.stages"), self.annotator_id)

    def days(self, chunk: Chunk) -> tuple[date | None, date | None]:
        """First and last day to count in a chunk; None if the chunk's own quarter is the limit."""
        first, last = quarter_days(chunk.quarter)
        since = self.since if self.since and self.since > first else None
        until = self.until if self.until and self.until < last else None
        return since, until

    def includes(self, chunk: Chunk) -> bool:
        """Whether the chunk can contain documents of the chosen days."""
        first, last = quarter_days(chunk.quarter)
        return not (self.since and self.since > last) and not (self.until and self.until < first)

    def part(self, chunk: Chunk) -> str:
        """Name of the counted part of a chunk: the chunk's own, plus the days if not all of them count."""
        since, until = self.days(chunk)
        return layout.chunk_of(chunk.path) + (f"_{since or ''}_{until or ''}" if since or until else "")

    def gate_path(self, chunk: Chunk) -> str:
        """Where the gate's answer is stored."""
        return layout.gate_answer(self.gate_id, self.part(chunk))

    def annotations_path(self, chunk: Chunk) -> str:
        """Where annotations are stored."""
        return layout.annotations(self.annotator_id, layout.chunk_of(chunk.path))

    def parts_folder(self, chunk: Chunk) -> str:
        """Where annotations wait until the chunk has all of them."""
        return layout.annotation_parts(self.annotator_id, layout.chunk_of(chunk.path))

    @property
    def samples_folder(self) -> str:
        """Where event samples are stored for all runs that need them."""
        return layout.sampled(self.sample_id)

    def samples_path(self, chunk: Chunk) -> str:
        """Where the event samples of a chunk are stored."""
        return layout.sampled_part(self.sample_id, self.part(chunk))

    def unsampled_folder(self, chunk: Chunk) -> str:
        """Folder that names, until the chunk is sampled, the documents that were given up."""
        return layout.unsampled(self.sample_id, self.part(chunk))


def _identity(*parts: Any) -> str:
    return content_hash(json.dumps(parts).encode())
