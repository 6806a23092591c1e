"""Drive a run over a Dask cluster: keep it busy, survive crashes, stop cleanly.

Covers: submitting the plan's tasks, a bounded number at a time; telling a dead worker from a wrong input;
summing finished chunks as a tree; progress.
Not here: what comes next (`plan`), what a task does (`stages`), publishing (`publishing`).

The truth is on disk: a chunk is done when its file is in the ledger. After any crash the next call continues from
there.
"""

import time
from asyncio import CancelledError
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from distributed import Client, Future, KilledWorker, as_completed

from workers.ingest import Chunk
from workers.parsing.choice import ModelError
from workers.propagation.joint import JointStages
from workers.propagation.outcome import Outcome
from workers.propagation.plan import Plan, Task
from workers.propagation.settings import PropagationError
from workers.propagation.tasks import StagesPlugin, run_task, sum_files, sum_outcomes
from workers.schemas import SchemaError
from workers.storage import StorageError

AT_ONCE = 256
"""Tasks that the scheduler holds at a time: enough for a large cluster, small in memory."""
FAN_IN = 32
"""Files or outcomes summed by one task."""
SUMS = 4
"""Attempts to sum, if workers die of it."""
EXPECTED = (PropagationError, StorageError, SchemaError, ModelError)
"""Errors whose text is already a sentence."""
RETRIES = 2
"""Retries of a task after an error, for storage that fails now and then."""
URGENCY = {"gate": 0, "annotate": 1, "try_sample": 2, "sample": 2}
"""Started chunks are finished first."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is.

    Attributes
    ----------
    documents, done : int
        In the run, and in chunks that are finished.
    gated_out, annotated, quarantined : int
        Documents gated out; those annotated in this call; those that failed.
    chunks, chunks_done : int
        In the run, and finished, now or by an earlier call.
    """

    documents: int
    done: int = 0
    gated_out: int = 0
    annotated: int = 0
    quarantined: int = 0
    chunks: int = 0
    chunks_done: int = 0


POLL_SECONDS, POLLS, LONGEST_ALONE = 0.02, 500, 18
"""How often to look for ended tasks, after how many looks to count workers, and how many counts may find none."""
ALONE = "all Dask workers are gone and none came back; finished work is kept: start some and run the command again"
LOST = "the Dask scheduler went away; finished work is kept: start a scheduler and run the command again"


class ClusterLostError(PropagationError):
    """The scheduler no longer answers."""


@contextmanager
def stages_on(client: Client, stages: JointStages) -> Iterator[str]:
    """Bring the stages to every worker, including those that join later; yield the plugin's name.

    Whatever Dask raises when it loses its scheduler becomes a `ClusterLostError`.
    """
    plugin = StagesPlugin(stages, stages.settings.code)
    try:
        _bring(client, plugin)
        yield plugin.name
    except StorageError:
        raise
    except (CancelledError, OSError) as error:  # Dask's own errors of lost connections are OSErrors
        raise ClusterLostError(LOST) from error
    finally:
        with suppress(Exception):  # perhaps the cluster is gone
            client.unregister_worker_plugin(plugin.name)


def _bring(client: Client, plugin: StagesPlugin) -> None:
    """Register the plugin; a worker that cannot even read it has no credence, or a very different one."""
    try:
        client.register_plugin(plugin)
    except (CancelledError, OSError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise PropagationError(
            f"a worker cannot take the run's settings ({reason}); install the same version of credence everywhere"
        ) from error


def finish_chunks(
    client: Client,
    plugin: str,
    chunks: Sequence[Chunk],
    progress: RunProgress,
    on_progress: Callable[[RunProgress], None],
) -> RunProgress:
    """Take every chunk through its stages; return the last progress."""
    plan, queue = Plan(), deque(Task("gate", chunk) for chunk in chunks)
    suspects: deque[Task] = deque()
    running: dict[Future[Any], Task] = {}
    done = as_completed(loop=client.loop)
    try:
        while queue or running or suspects:
            if not queue and not running:  # alone, so that a crash now is its fault
                queue.append(suspects.popleft())
            while queue and len(running) < AT_ONCE:
                task = queue.popleft()
                future = _submit(client, plugin, task)
                running[future] = task
                done.add(future)
            future = _next(client, done)
            task = running.pop(future)
            new, progress = _after(plan, task, _result(client, future, task), progress)
            future.release()  # here, not when it is collected: Python drops a Ctrl-C that arrives in a `__del__`
            suspects.extend(after for after in new if after.deaths)
            queue.extendleft(after for after in reversed(new) if not after.deaths)
            on_progress(progress)
    except BaseException:
        with suppress(Exception):  # whatever happens here, the first error is the one to report
            client.cancel(list(running), force=True)
        raise
    return progress


def _next(client: Client, done: as_completed) -> Future[Any]:
    """The next task that ended; checks from time to time that a worker is left to end one."""
    alone = 0
    while True:
        for _ in range(POLLS):
            if done.has_ready():
                future: Future[Any] = next(done)
                return future
            time.sleep(POLL_SECONDS)
        alone = 0 if client.nthreads() else alone + 1
        if alone >= LONGEST_ALONE:
            raise ClusterLostError(ALONE)


class _Died:
    """Stands for the result of a task whose worker died."""


def _submit(client: Client, plugin: str, task: Task) -> Future[Any]:
    return client.submit(run_task, plugin, task, pure=False, retries=RETRIES, priority=URGENCY[task.stage])


def _result(client: Client, future: Future[Any], task: Task) -> Any:
    """The task's result; a dead worker counts as a result, a dead scheduler ends the run."""
    if future.status in ("cancelled", "lost") or client.status != "running":
        raise ClusterLostError(LOST)
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, KilledWorker):
        return _Died
    if isinstance(error, EXPECTED):
        raise error
    raise PropagationError(f"{task.chunk.path}: stage {task.stage} failed: {type(error).__name__}: {error}") from error


def _after(plan: Plan, task: Task, result: Any, progress: RunProgress) -> tuple[list[Task], RunProgress]:
    """The tasks that follow from a result, and the new progress."""
    if result is _Died:
        return plan.died(task), progress
    if task.stage == "gate":
        out = result.documents - len(result.possible)
        return plan.gated(task.chunk, result), replace(progress, gated_out=progress.gated_out + out)
    if task.stage == "sample":
        if result.left:
            return plan.sampled_once(task.chunk), progress
        moved = replace(progress, done=progress.done + result.documents, chunks_done=progress.chunks_done + 1)
        return plan.sampled(task.chunk), moved
    annotated = len(task.places) if task.stage == "annotate" else 0
    moved = replace(progress, annotated=progress.annotated + annotated, quarantined=progress.quarantined + result)
    return plan.passed(task), moved


def sum_tree(client: Client, plugin: str, number: int, paths: Sequence[str]) -> Outcome:
    """Sum the outcomes of one run's chunks on the workers, so that only the final sum travels to the client."""
    for _ in range(SUMS - 1):
        with suppress(KilledWorker):
            return _summed(client, plugin, number, paths)
    try:
        return _summed(client, plugin, number, paths)
    except KilledWorker as error:
        raise PropagationError(f"{SUMS} workers died while summing; give workers more memory") from error


def _summed(client: Client, plugin: str, number: int, paths: Sequence[str]) -> Outcome:
    level = [
        client.submit(sum_files, plugin, number, tuple(paths[start : start + FAN_IN]), pure=False, retries=RETRIES)
        for start in range(0, len(paths), FAN_IN)
    ]
    while len(level) > 1:
        groups = [level[start : start + FAN_IN] for start in range(0, len(level), FAN_IN)]
        level = [client.submit(sum_outcomes, group, pure=False) for group in groups]
    last = _next(client, as_completed(level, loop=client.loop))
    error = last.exception()
    if error is None or isinstance(error, (*EXPECTED, KilledWorker)):
        result: Outcome = last.result()
        return result
    raise PropagationError(f"summing failed: {type(error).__name__}: {error}") from error
