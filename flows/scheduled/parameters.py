"""What a flow can be told, checked before it starts.

Covers: the parameters that flows share, each as a model that refuses what it does not know.
Not here: whether what they name is there (`flows.scheduled.checks`), the file of `credence serve`
(`flows.scheduled.configuration`).

Prefect keeps parameters in its database and shows them: none of them may hold a secret. Where one is needed,
`${NAME}` stands for a variable of the environment and is read only when used.
"""

import os
import re
from dataclasses import replace
from typing import Annotated, Any

from prefect.tasks import exponential_backoff
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from flows.cluster_options import cluster_config
from flows.propagate_command import Request
from workers.cluster import ClusterConfig
from workers.propagation.settings import MAX_SAMPLES

HOUR = 3600.0
VARIABLE = re.compile(r"\$\{(\w+)\}")


class Strict(BaseModel):
    """A model that refuses names it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _without_keys(address: str) -> str:
    """An address that may be shown."""
    if "://" in address and "@" in address.partition("://")[2].partition("?")[0]:
        raise ValueError(
            "an address must not carry keys, since Prefect stores and shows it; "
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment instead"
        )
    return address


Address = Annotated[str, Field(min_length=1), AfterValidator(_without_keys)]
"""A path, or s3://bucket/path without keys."""


class Question(Strict):
    """What is counted, and how: the options of `credence propagate`."""

    query: str = "attack"
    samples: Annotated[int, Field(ge=2, le=MAX_SAMPLES)] = 100
    seed: int = 0
    calibration: str = "latest"
    parser: str = "default"
    coref: str = "default"
    titles: bool = False
    retry_quarantined: bool = False

    def request(self, warehouse: str, since: str | None = None, until: str | None = None) -> Request:
        """The same, as the command line asks it."""
        return Request(warehouse, since=since, until=until, **self.model_dump())


class Cluster(Strict):
    """Where Dask runs: the options of `credence propagate`."""

    scheduler: str | None = None
    workers: Annotated[int | None, Field(ge=1)] = None
    memory: str = "3GiB"
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    timeout: Annotated[float, Field(gt=0)] = 20.0

    def config(self) -> ClusterConfig:
        """The same, as the command line asks it."""
        found = cluster_config(self.workers, self.memory, self.scheduler, tls=(self.ca, self.cert, self.key))
        return replace(found, timeout=self.timeout)


class Intake(Strict):
    """How files are read: the options of `credence ingest`."""

    format: str | None = None
    duplicates: str = "skip"
    fields: dict[str, str] = {}


class Patience(Strict):
    """How often a step is tried again, after how long, and when it is given up.

    Attributes
    ----------
    retries : int
        Times after the first.
    wait : float
        Seconds before the first of them; each further wait is twice as long, and up to a half is added by chance.
    timeout : float
        Seconds that one attempt may take.
    """

    retries: Annotated[int, Field(ge=0, le=20)] = 3
    wait: Annotated[float, Field(ge=0)] = 30.0
    timeout: Annotated[float, Field(gt=0)] = 20 * HOUR

    def options(self) -> dict[str, Any]:
        """For `Task.with_options`."""
        return {
            "retries": self.retries,
            "retry_delay_seconds": exponential_backoff(backoff_factor=self.wait),
            "retry_jitter_factor": 0.5,
            "timeout_seconds": self.timeout,
        }


class Notice(Strict):
    """Who is told when a run fails.

    Attributes
    ----------
    webhook : str or None
        Address that gets a POST of JSON; `${NAME}` is read from the environment.
    command : tuple of str
        Program and arguments; gets the same JSON on its standard input.
    """

    webhook: str | None = None
    command: tuple[str, ...] = ()


INTAKE, QUESTION, CLUSTER, PATIENCE, NOTICE = Intake(), Question(), Cluster(), Patience(), Notice()
"""Defaults of the flows' parameters."""


def from_environment(text: str) -> str:
    """The text with each `${NAME}` replaced by that variable of the environment."""

    def value(found: re.Match[str]) -> str:
        name = found.group(1)
        if name not in os.environ:
            raise ValueError(f"the variable {name} must be set in the environment; it is not")
        return os.environ[name]

    return VARIABLE.sub(value, text)
