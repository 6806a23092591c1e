"""The parameters of the flows, checked before they start.

Covers: the parameters that flows share, each as a model that refuses what it does not know.
Not here: whether what they name exists (`flows.scheduled.checks`), the file of `credence serve`
(`flows.scheduled.configuration`).

Prefect keeps parameters in its database and shows them, so none may contain a secret. Write `${NAME}` instead: it
stands for an environment variable and is read only when used.
"""

import os
import re
from typing import Annotated, Any

from prefect.tasks import exponential_backoff
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from flows.jobs.cluster import cluster_config
from flows.jobs.requests import CalibrateRequest, ClusterRequest, IngestRequest, PropagateRequest
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


def _several(queries: str | tuple[str, ...]) -> tuple[str, ...]:
    """One query may be written without a list."""
    return (queries,) if isinstance(queries, str) else queries


class Question(Strict):
    """What is counted, and how: the options of `credence propagate`. `query` is one query or a list."""

    query: Annotated[str | tuple[str, ...], AfterValidator(_several)] = PropagateRequest.query
    samples: Annotated[int, Field(ge=2, le=MAX_SAMPLES)] = PropagateRequest.samples
    seed: int = PropagateRequest.seed
    calibration: str = PropagateRequest.calibration
    syntax: str = PropagateRequest.syntax
    parser: str = PropagateRequest.parser
    coref: str = PropagateRequest.coref
    titles: bool = PropagateRequest.titles
    retry_quarantined: bool = PropagateRequest.retry_quarantined


class Cluster(Strict):
    """Where Dask runs: the options of `credence propagate`."""

    scheduler: str | None = ClusterRequest.scheduler
    workers: Annotated[int | None, Field(ge=1)] = ClusterRequest.workers
    memory: str = ClusterRequest.memory
    ca: str | None = ClusterRequest.ca
    cert: str | None = ClusterRequest.cert
    key: str | None = ClusterRequest.key
    timeout: Annotated[float, Field(gt=0)] = ClusterRequest.timeout
    verbose: bool = ClusterRequest.verbose

    def request(self) -> ClusterRequest:
        """The request for the jobs; ValueError if the fields contradict each other."""
        request = ClusterRequest(**self.model_dump())
        cluster_config(request)
        return request


class Intake(Strict):
    """How files are read: the options of `credence ingest`."""

    format: str | None = IngestRequest.format
    duplicates: str = "skip"  # not "refuse", as on the command line: at night nobody can answer a refusal
    fields: dict[str, str] = {}
    dates: str = IngestRequest.dates
    encoding: str = IngestRequest.encoding
    html: bool = IngestRequest.html
    make_ids: bool = IngestRequest.make_ids


class Patience(Strict):
    """How often a step is retried, after how long, and when it is given up.

    Attributes
    ----------
    retries : int
        Attempts after the first.
    wait : float
        Seconds before the first retry; each further wait is twice as long, plus up to half at random.
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
CALIBRATION_CLUSTER = Cluster(memory=CalibrateRequest.cluster.memory)


def from_environment(text: str) -> str:
    """The text with each `${NAME}` replaced by that variable of the environment."""

    def value(found: re.Match[str]) -> str:
        name = found.group(1)
        if name not in os.environ:
            raise ValueError(f"the variable {name} must be set in the environment; it is not")
        return os.environ[name]

    return VARIABLE.sub(value, text)
