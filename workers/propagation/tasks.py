"""The stages as Dask tasks: a plugin brings them to every worker once, a task names the stage and the chunk.

Covers: loading on the worker, refusing a worker with other code or models, summing outcomes on workers.
Not here: the order of tasks (`plan`, `drive`).
"""

import secrets
from functools import reduce
from operator import add
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from workers.propagation.joint import JointStages
from workers.propagation.outcome import Outcome
from workers.propagation.plan import Task
from workers.propagation.settings import PropagationError

DIED = "this document alone crashed the worker twice"


class StagesPlugin(WorkerPlugin):
    """Holds the stages of some runs in each worker process, so that models and queries are loaded once.

    Parameters
    ----------
    stages : JointStages
    code : str
        `Settings.code` of the client; a worker with another one would compute something else.
    """

    def __init__(self, stages: JointStages, code: str) -> None:
        self.stages, self.code = stages, code
        self.name = f"credence-{secrets.token_hex(8)}"  # two runs may share a cluster
        self.fault: str | None = None

    def setup(self, worker: Worker) -> None:
        """Compare versions; a worker that differs stays up, but each of its tasks says why it cannot run."""
        try:
            own = self.stages.settings.code
        except Exception as error:
            self.fault = f"worker {worker.address} cannot load the models: {error}"
        else:
            if own != self.code:
                self.fault = f"worker {worker.address} has another version of credence or of its models"

    def usable(self) -> JointStages:
        """The stages, or the reason why this worker cannot run them."""
        if self.fault:
            raise PropagationError(f"{self.fault}; install the same version everywhere")
        return self.stages


def run_task(plugin: str, task: Task) -> Any:
    """Run one stage on this worker."""
    stages = _stages(plugin)
    if task.stage == "gate":
        return stages.gate(task.chunk)
    if task.stage == "sample":
        return stages.sample(task.chunk)
    if task.hopeless:
        give_up = stages.give_up if task.stage == "annotate" else stages.give_up_sampling
        return give_up(task.chunk, task.places, DIED)
    run = stages.annotate if task.stage == "annotate" else stages.try_sampling
    return run(task.chunk, task.places)


def sum_files(plugin: str, number: int, paths: tuple[str, ...]) -> Outcome:
    """The outcome of some finished chunks, for one of the runs."""
    return _stages(plugin).outcome(number, paths)


def sum_outcomes(outcomes: list[Outcome]) -> Outcome:
    """Sum one level of the tree."""
    return reduce(add, outcomes)


def _stages(plugin: str) -> JointStages:
    found = get_worker().plugins.get(plugin)
    if not isinstance(found, StagesPlugin):
        raise PropagationError(f"worker {get_worker().address} did not get the run's settings; start it again")
    return found.usable()
