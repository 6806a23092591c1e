"""Which task comes next: decisions without Dask, without files.

Covers: the life of a chunk (gate, annotate in batches, sample), halving a batch that killed its worker until the
document at fault stands alone, and giving that one up.
Not here: running tasks (`drive`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from workers.ingest import Chunk
from workers.propagation.settings import PropagationError
from workers.propagation.stages import Gated

BATCH_DOCUMENTS, BATCH_CHARACTERS = 16, 60_000
"""Limits of one annotation task: about ten seconds of work, which is what a dying worker can lose."""
LIVES = 2
"""Workers that a single document, or a chunk's other stages, may kill."""

Stage = Literal["gate", "annotate", "give_up", "sample"]


@dataclass(frozen=True, slots=True)
class Task:
    """One call on a worker.

    Attributes
    ----------
    stage : str
        Which method of `Stages`.
    chunk : Chunk
    places : tuple of int
        Positions of documents in the chunk, for `annotate` and `give_up`.
    deaths : int
        Workers that died of it.
    """

    stage: Stage
    chunk: Chunk
    places: tuple[int, ...] = ()
    deaths: int = 0


@dataclass(slots=True)
class Plan:
    """Keeps, for each chunk under way, how many annotation tasks it still waits for."""

    waiting: dict[str, int] = field(default_factory=dict)

    def gated(self, chunk: Chunk, found: Gated) -> list[Task]:
        """After the gate: annotate what is missing, or sample at once."""
        batches = batched(found.missing)
        if not batches:
            return [Task("sample", chunk)]
        self.waiting[chunk.path] = len(batches)
        return [Task("annotate", chunk, places) for places in batches]

    def annotated(self, chunk: Chunk) -> list[Task]:
        """After one annotation task: sample the chunk if it was the last."""
        self.waiting[chunk.path] -= 1
        if self.waiting[chunk.path]:
            return []
        del self.waiting[chunk.path]
        return [Task("sample", chunk)]

    def died(self, task: Task) -> list[Task]:
        """After a worker died of a task: halve the batch, try again, or give the document up."""
        if len(task.places) > 1:
            self.waiting[task.chunk.path] += 1
            middle = len(task.places) // 2
            return [replace(task, places=half) for half in (task.places[:middle], task.places[middle:])]
        if task.deaths + 1 < LIVES:
            return [replace(task, deaths=task.deaths + 1)]
        if task.stage == "annotate":
            return [Task("give_up", task.chunk, task.places)]
        raise PropagationError(
            f"{task.chunk.path}: {task.deaths + 1} workers died in stage {task.stage}; give workers more memory"
        )


def batched(missing: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Documents, given as (place, size), in batches of bounded number and size, in order."""
    batches: list[list[int]] = []
    size = 0
    for place, characters in missing:
        if not batches or _is_full(batches[-1], size + characters):
            batches.append([])
            size = 0
        batches[-1].append(place)
        size += characters
    return [tuple(batch) for batch in batches]


def _is_full(batch: Sequence[int], size: int) -> bool:
    return len(batch) >= BATCH_DOCUMENTS or size > BATCH_CHARACTERS
