"""Several runs that go through an archive together: the gate reads each article once, and it is parsed at most once.

Covers: the stages of all runs on one chunk, under the names that `Stages` has for one run.
Not here: what a stage does (`stages`), the order of stages (`plan`).

The runs differ in nothing but the query. Each keeps its own gate answers, event samples and identity, so its bytes are
those of a run by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workers.ingest import Chunk
from workers.propagation.outcome import Outcome
from workers.propagation.settings import Settings
from workers.propagation.stages import Gated, Stages, write_gate_answers
from workers.storage import Warehouse


@dataclass(frozen=True, slots=True)
class Sampled:
    """How many documents a sampled chunk has, and how many runs have not sampled it yet."""

    documents: int
    left: int


@dataclass(frozen=True)
class JointStages:
    """The stages of one run or more.

    Attributes
    ----------
    runs : tuple of Stages
        At least one; all have the same warehouse.
    """

    runs: tuple[Stages, ...]

    def __post_init__(self) -> None:
        """Refuse runs that cannot share their gate pass and annotations."""
        first, *others = [run.settings for run in self.runs]
        for settings in others:
            if replace(settings, query=first.query) != first:
                raise ValueError(f"runs that go together must differ in the query only; got {first} and {settings}")

    @classmethod
    def of(cls, warehouse: Warehouse, questions: Sequence[Settings], *, retry: bool = False) -> "JointStages":
        """Stages of some questions to one archive."""
        return cls(tuple(Stages(warehouse, settings, retry=retry) for settings in questions))

    @property
    def settings(self) -> Settings:
        """Those of the first run, for all that the runs share."""
        return self.runs[0].settings

    def gate(self, chunk: Chunk) -> Gated:
        """Find the documents that can count for some run, and which of them still need annotating."""
        write_gate_answers(self.runs, chunk)
        found = [run.gate(chunk) for run in self.runs]
        possible = sorted({document for gated in found for document in gated.possible})
        missing = sorted({document for gated in found for document in gated.missing})
        return Gated(found[0].documents, tuple(possible), tuple(missing))

    def annotate(self, chunk: Chunk, places: tuple[int, ...]) -> int:
        """Annotate the documents at these places, for all runs; return how many failed."""
        return self.runs[0].annotate(chunk, places)

    def give_up(self, chunk: Chunk, places: tuple[int, ...], reason: str) -> int:
        """Record that documents cannot be annotated."""
        return self.runs[0].give_up(chunk, places, reason)

    def sample(self, chunk: Chunk) -> Sampled:
        """Sample the chunk for the first run that has not; one at a time, so that a crash is that run's alone."""
        quarter = self._waiting(chunk).sample(chunk)
        return Sampled(quarter.documents, sum(not run.is_sampled(chunk) for run in self.runs))

    def try_sampling(self, chunk: Chunk, places: tuple[int, ...]) -> int:
        """Sample some documents for the run that is next, and keep nothing."""
        return self._waiting(chunk).try_sampling(chunk, places)

    def give_up_sampling(self, chunk: Chunk, places: tuple[int, ...], reason: str) -> int:
        """Record that documents cannot be sampled for the run that is next."""
        return self._waiting(chunk).give_up_sampling(chunk, places, reason)

    def _waiting(self, chunk: Chunk) -> Stages:
        """The first run that has no samples of the chunk; the last, if all have them and a task came twice."""
        return next((run for run in self.runs if not run.is_sampled(chunk)), self.runs[-1])

    def outcome(self, number: int, paths: tuple[str, ...]) -> Outcome:
        """Sum of one run over finished chunks."""
        return self.runs[number].outcome(paths)
