"""The file that `credence serve` reads.

Covers: its fields, reading it, and what it means for each flow.
Not here: checking that what it names exists (`flows.scheduled.checks`), running it (`flows.scheduled.serving`).
"""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import yaml
from prefect.client.schemas.schedules import CronSchedule
from prefect.schedules import Cron, Interval, Schedule
from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from flows.scheduled.parameters import (
    CLUSTER,
    INTAKE,
    NOTICE,
    PATIENCE,
    QUESTION,
    Address,
    Cluster,
    Intake,
    Notice,
    Patience,
    Question,
    Strict,
)


class ConfigurationError(ValueError):
    """The file cannot be used; one sentence says which field, which rule and which value."""


class Times(Strict):
    """When a flow runs: a cron line in a time zone, or an interval in seconds."""

    cron: str | None = None
    timezone: str = "UTC"
    every: Annotated[float | None, Field(gt=0)] = None

    @field_validator("cron")
    @classmethod
    def _readable(cls, cron: str | None) -> str | None:
        try:
            return cron if cron is None else str(CronSchedule(cron=cron).cron)
        except ValueError:
            rule = "must be a cron line of five fields, such as '30 2 * * *' for half past two every night"
            raise ValueError(f"{rule}; got {cron!r}") from None

    @field_validator("timezone")
    @classmethod
    def _known(cls, name: str) -> str:
        try:
            return ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"must be a time zone such as Europe/Oslo; got {name!r}") from None

    @model_validator(mode="after")
    def _one(self) -> "Times":
        if (self.cron is None) == (self.every is None):
            raise ValueError("give one of cron and every")
        return self

    def schedule(self) -> Schedule:
        """As Prefect wants it."""
        if self.cron is not None:
            return Cron(self.cron, timezone=self.timezone)
        return Interval(timedelta(seconds=self.every or 0.0))


class Calibration(Strict):
    """What to measure on, and when; without `times`, only on request."""

    data: Annotated[tuple[Address, ...], Field(min_length=1)]
    times: Times | None = None


class Server(Strict):
    """Where a Prefect server is started if PREFECT_API_URL names none."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 4200


class Configuration(Strict):
    """Everything that `credence serve` needs to know."""

    warehouse: Address
    sources: Annotated[tuple[Address, ...], Field(min_length=1)]
    nightly: Times
    intake: Intake = INTAKE
    question: Question = QUESTION
    cluster: Cluster = CLUSTER
    calibrate: Calibration | None = None
    patience: Patience = PATIENCE
    report_url: str | None = None
    notice: Notice = NOTICE
    server: Server = Server()

    @field_validator("cluster")
    @classmethod
    def _complete(cls, cluster: Cluster, _: ValidationInfo) -> Cluster:
        cluster.request()
        return cluster

    def verbose(self) -> "Configuration":
        """The same, with all that Dask logs."""
        return self.model_copy(update={"cluster": self.cluster.model_copy(update={"verbose": True})})

    def parameters(self, *names: str) -> dict[str, Any]:
        """Some of the fields, as defaults of a flow's parameters."""
        return {name: value for name, value in self.model_dump(mode="json").items() if name in names}


def read_configuration(path: Path) -> Configuration:
    """Read the file.

    Raises
    ------
    ConfigurationError
        If it is missing, is not YAML, or has an unusable field.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror}); deploy/credence.yaml is an example"
        ) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise ConfigurationError(f"{path}: is not YAML ({' '.join(str(error).split())})") from None
    if not isinstance(content, dict):
        raise ConfigurationError(f"{path}: must hold fields such as `warehouse: ...`; got {type(content).__name__}")
    try:
        return Configuration.model_validate(content)
    except ValidationError as error:
        raise ConfigurationError(f"{path}: {'; '.join(_sentences(error.errors()))}") from None


def _sentences(errors: Sequence[Any]) -> list[str]:
    """Pydantic's findings: the field, then the rule."""
    return [
        f"{'.'.join(map(str, error['loc'])) or 'file'}: {str(error['msg']).removeprefix('Value error, ')}"
        for error in errors
    ]
