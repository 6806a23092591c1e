"""Bring the posterior counts of a warehouse up to date, on any Dask cluster.

Covers: the whole run of one query or several, from the chunks of the archive to the published counts; only what changed
is redone.
Not here: the stages (`workers.propagation`), the command line (`flows.cli.propagate`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distributed import Client

from workers.ingest import Chunk, archive_chunks
from workers.layout import SAMPLED, chunk_of, sampled_chunk
from workers.propagation.drive import RunProgress, finish_chunks, stages_on, sum_tree
from workers.propagation.joint import JointStages
from workers.propagation.outcome import has_failures
from workers.propagation.publishing import RunReport, publish_runs
from workers.propagation.settings import PropagationError, Settings
from workers.storage import Warehouse

__all__ = [
    "PropagateOptions", "PropagationError", "RunProgress", "RunReport", "Settings", "prepare", "propagate",
    "propagate_together",
]  # fmt: skip

WRITER = "propagate"


@dataclass(frozen=True, slots=True)
class PropagateOptions:
    """Options that do not change the answer.

    Attributes
    ----------
    created : str
        Time of the run, for the manifest; only the caller reads the clock.
    retry_quarantined : bool
        Retry documents that could not be annotated, for instance with more memory.
    on_progress : callable
        Called after every task.
    """

    created: str
    retry_quarantined: bool = False
    on_progress: Callable[[RunProgress], None] = lambda _: None


def propagate(client: Client, warehouse: Warehouse, settings: Settings, options: PropagateOptions) -> RunReport:
    """One run: gate, annotate, sample, reduce, publish.

    Safe to kill and repeat at any moment: finished chunks are kept, and the counts are the same bytes.

    Raises
    ------
    PropagationError
        If the archive is empty, workers have other versions, the cluster is lost, or the run does not balance.
    StorageError
        If the warehouse cannot be read or written, or another run is writing.
    """
    return propagate_together(client, warehouse, [settings], options)[0]


def propagate_together(
    client: Client, warehouse: Warehouse, questions: Sequence[Settings], options: PropagateOptions
) -> list[RunReport]:
    """Several runs that differ in the query: one gate pass, one parse, and the counts that each has by itself.

    `latest` is the run of the first question. Raises what `propagate` raises.
    """
    writer = Warehouse(warehouse.root, warehouse.filesystem, WRITER)
    chunks = _chosen_chunks(warehouse, questions[0])
    stages = JointStages.of(writer, questions, retry=options.retry_quarantined)
    with writer.single_writer() as held:
        with stages_on(client, stages) as plugin:
            _finish(client, plugin, stages, chunks, options)
            outcomes = [
                sum_tree(client, plugin, number, [settings.samples_path(chunk) for chunk in chunks])
                for number, settings in enumerate(questions)
            ]
        held.confirm()
        return publish_runs(writer, questions, chunks, outcomes, created=options.created)


def prepare(
    client: Client, warehouse: Warehouse, questions: Sequence[Settings], options: PropagateOptions
) -> RunProgress:
    """Gate, annotate and sample what is missing, but publish nothing: a later `propagate` finds it done."""
    writer = Warehouse(warehouse.root, warehouse.filesystem, WRITER)
    chunks = _chosen_chunks(warehouse, questions[0])
    stages = JointStages.of(writer, questions, retry=options.retry_quarantined)
    with writer.single_writer(), stages_on(client, stages) as plugin:
        return _finish(client, plugin, stages, chunks, options)


def _finish(
    client: Client, plugin: str, stages: JointStages, chunks: list[Chunk], options: PropagateOptions
) -> RunProgress:
    """Finish the chunks that some run does not have in the ledger yet."""
    warehouse, questions = stages.runs[0].warehouse, [run.settings for run in stages.runs]
    finished: set[str] = set()
    for settings in questions:
        if options.retry_quarantined:
            forget_failures(warehouse, settings, chunks)
        finished.update(warehouse.names(settings.samples_folder, ".parquet"))
    waiting = [chunk for chunk in chunks if not {settings.samples_path(chunk) for settings in questions} <= finished]
    progress = _start(chunks, waiting)
    options.on_progress(progress)
    return finish_chunks(client, plugin, waiting, progress, options.on_progress)


def _chosen_chunks(warehouse: Warehouse, settings: Settings) -> list[Chunk]:
    chunks = archive_chunks(warehouse)
    if not chunks:
        raise PropagationError(f"{warehouse.root} has no articles; run `credence ingest SRC... --out` it first")
    chosen = [chunk for chunk in chunks if settings.includes(chunk)]
    if not chosen:
        quarters = sorted(chunk.quarter for chunk in chunks)
        raise PropagationError(
            f"no article between {settings.since} and {settings.until}; the archive has {quarters[0]} to {quarters[-1]}"
        )
    return chosen


def _start(chunks: list[Chunk], waiting: list[Chunk]) -> RunProgress:
    documents, left = sum(chunk.docs for chunk in chunks), sum(chunk.docs for chunk in waiting)
    return RunProgress(documents, documents - left, chunks=len(chunks), chunks_done=len(chunks) - len(waiting))


def forget_failures(warehouse: Warehouse, settings: Settings, chunks: list[Chunk]) -> None:
    """Let chunks with failed documents be sampled again, whatever their seed or query."""
    sampled: dict[str, list[str]] = {}
    for name in warehouse.names(SAMPLED):
        sampled.setdefault(sampled_chunk(name), []).append(name)
    for chunk in chunks:
        path, given_up = settings.samples_path(chunk), settings.unsampled_folder(chunk)
        own = sampled.get(chunk_of(chunk.path), [])
        failed = path in own and has_failures(warehouse, path)
        if failed or any(name.startswith(given_up) for name in own):
            for name in own:
                warehouse.delete(name)
