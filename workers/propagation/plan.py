"""Which task comes next: decisions without Dask, without files.

Covers: the life of a chunk (gate, annotate in batches, sample), halving a batch that crashed its worker until the
document at fault is alone, and giving that one up.

A chunk is sampled in one go. If that crashes workers, its documents are first tried in batches whose results are thrown
away. Those that crash a worker are found in the same way and given up, and the chunk is sampled without them.

Not here: running tasks (`drive`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from workers.ingest import Chunk
from workers.propagation.settings import PropagationError
from workers.propagation.stages import Gated

BATCH_DOCUMENTS, BATCH_CHARACTERS = 16, 60_000
"""Limits of one annotation task: about ten seconds of work, which is all that a dying worker can lose."""
LIVES = 2
"""Workers that a single document, or a chunk's other stages, may crash."""

Stage = Literal["gate", "annotate", "try_sample", "sample"]


@dataclass(frozen=True, slots=True)
class Task:
    """One call on a worker.

    Attributes
    ----------
    stage : str
        Which method of `Stages`; `try_sample` samples and keeps nothing.
    chunk : Chunk
    places : tuple of int
        Positions of documents in the chunk, for `annotate` and `try_sample`.
    deaths : int
        Workers that it crashed.
    hopeless : bool
        Whether to record that its document cannot pass this stage, instead of trying.
    """

    stage: Stage
    chunk: Chunk
    places: tuple[int, ...] = ()
    deaths: int = 0
    hopeless: bool = False


@dataclass(slots=True)
class Plan:
    """Keeps track of each chunk under way: how many batches it still waits for, and what happened to it.

    Attributes
    ----------
    waiting : dict
        Batches not yet back, by path of the chunk.
    possible : dict
        Place and size of the documents past the gate, until the chunk is sampled.
    tried : set
        Chunks whose documents were tried one batch after the other.
    """

    waiting: dict[str, int] = field(default_factory=dict)
    possible: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)

    def gated(self, chunk: Chunk, found: Gated) -> list[Task]:
        """After the gate: annotate what is missing, or sample at once."""
        self.possible[chunk.path] = found.possible
        return self._batches("annotate", chunk, found.missing)

    def _batches(self, stage: Stage, chunk: Chunk, documents: Iterable[tuple[int, int]]) -> list[Task]:
        batches = batched(documents)
        if not batches:
            return [Task("sample", chunk)]
        self.waiting[chunk.path] = len(batches)
        return [Task(stage, chunk, places) for places in batches]

    def passed(self, task: Task) -> list[Task]:
        """After a batch was annotated, tried or given up: sample the chunk if it was the last."""
        chunk = task.chunk
        if not task.places:  # everything was readable, so from now on a crash is a document's fault
            return self._batches("try_sample", chunk, self.possible[chunk.path])
        self.waiting[chunk.path] -= 1
        if self.waiting[chunk.path]:
            return []
        del self.waiting[chunk.path]
        return [Task("sample", chunk)]

    def sampled_once(self, chunk: Chunk) -> list[Task]:
        """After sampling for one of several runs: the next one, which may meet other documents that crash workers."""
        self.tried.discard(chunk.path)
        return [Task("sample", chunk)]

    def sampled(self, chunk: Chunk) -> list[Task]:
        """After sampling for the last run: nothing is left to do."""
        del self.possible[chunk.path]
        self.tried.discard(chunk.path)
        return []

    def died(self, task: Task) -> list[Task]:
        """After a task crashed a worker: halve the batch, try again, or give the document up."""
        if len(task.places) > 1:
            self.waiting[task.chunk.path] += 1
            middle = len(task.places) // 2
            return [replace(task, places=half) for half in (task.places[:middle], task.places[middle:])]
        if task.deaths + 1 < LIVES:
            return [replace(task, deaths=task.deaths + 1)]
        if task.places and not task.hopeless:
            return [replace(task, deaths=0, hopeless=True)]
        if task.stage == "sample" and task.chunk.path not in self.tried:
            self.tried.add(task.chunk.path)
            return [Task("try_sample", task.chunk)]
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
