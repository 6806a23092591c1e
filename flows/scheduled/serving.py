"""Run the schedules on this machine.

Covers: a Prefect server if none is configured, the deployments, and serving them until interrupted.
Not here: the flows, the file (`flows.scheduled.configuration`).
"""

import logging
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from prefect import get_client, serve
from prefect.client.schemas.filters import (
    DeploymentFilter,
    DeploymentFilterName,
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy, StateType
from prefect.deployments.runner import RunnerDeployment
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.states import Crashed
from prefect.types.entrypoint import EntrypointType

from flows.scheduled.backfill import backfill
from flows.scheduled.calibrate import calibrate
from flows.scheduled.configuration import Configuration, ConfigurationError, Server, Times
from flows.scheduled.nightly import nightly
from flows.scheduled.propagate import propagate

NAME = "credence"
ONE_AT_A_TIME = ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.CANCEL_NEW)
"""A night that begins while the previous one still runs is cancelled; the next night picks up what is new."""
SHARED = ("warehouse", "question", "cluster", "patience", "report_url", "notice")
UNFINISHED = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]
PATIENCE = 120.0
"""Seconds that a server may take to start."""


def deployments(config: Configuration) -> list[RunnerDeployment]:
    """Each flow with the file's values as its defaults; all but nightly run on request."""
    kinds: list[tuple[Any, Times | None, tuple[str, ...]]] = [
        (nightly, config.nightly, (*SHARED, "sources", "intake")),
        (propagate, None, SHARED),
        (backfill, None, (*SHARED, "intake")),
    ]
    if config.calibrate:
        kinds.append((calibrate, config.calibrate.times, ("warehouse", "cluster", "patience", "notice")))
    return [
        flow.to_deployment(
            NAME,
            schedules=[times.schedule()] if times else None,
            parameters=config.parameters(*names) | _own(flow, config),
            concurrency_limit=ONE_AT_A_TIME,
            description=flow.__doc__,
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
        for flow, times, names in kinds
    ]


def _own(flow: Any, config: Configuration) -> dict[str, Any]:
    """Parameters that only one flow has."""
    return {"data": list(config.calibrate.data)} if flow is calibrate and config.calibrate else {}


def serve_forever(config: Configuration, *, verbose: bool = False) -> None:
    """Serve until interrupted, then stop a server that was started here.

    Parameters
    ----------
    verbose : bool
        Let Dask, Prefect's runner and Prefect's server log what they do. Otherwise the log has what the flows say.
    """
    if verbose:
        config = config.verbose()
    else:
        logging.getLogger("prefect.runner").setLevel(logging.WARNING)
        skipped = logging.getLogger("prefect.runner.state_proposer")
        skipped.setLevel(logging.INFO)
        skipped.addFilter(_in_our_words)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:  # a closed terminal ends it as Ctrl-C does; nohup keeps it
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    with prefect_server(config.server, verbose=verbose):
        serve(*deployments(config), print_starting_message=False)


@contextmanager
def prefect_server(server: Server, *, verbose: bool = False) -> Iterator[str]:
    """The address of Prefect's API: the configured one, or that of a server that runs until the block ends."""
    configured = PREFECT_API_URL.value()
    if configured:
        if not _answers(configured):
            raise ConfigurationError(
                f"no Prefect server answers at {configured}; start it, or unset PREFECT_API_URL to have one started"
            )
        yield configured
        return
    address = f"http://{server.host}:{server.port}/api"
    if _answers(address):
        raise ConfigurationError(
            f"a Prefect server runs at {address} already; set PREFECT_API_URL to use it, or server.port to another"
        )
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", server.host, "--port", str(server.port)]
    # A group of its own: Ctrl-C must reach the server only after the flows, which take leave of it.
    errors = None if verbose else subprocess.DEVNULL
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, process_group=0) as started:  # noqa: S603
        try:
            _wait(address, started)
            with temporary_settings({PREFECT_API_URL: address}):
                release_dead_runs()
                yield address
        finally:
            started.terminate()


def release_dead_runs() -> None:
    """Mark runs as crashed that were killed together with an earlier server: else each holds the place of the next."""
    with get_client(sync_client=True) as client:
        dead = client.read_flow_runs(
            flow_run_filter=FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=UNFINISHED))),
            deployment_filter=DeploymentFilter(name=DeploymentFilterName(any_=[NAME])),
        )
        for run in dead:
            client.set_flow_run_state(run.id, Crashed(message="killed together with the server"))


def _in_our_words(record: logging.LogRecord) -> bool:
    """Say what Prefect's word for a run that found the last one still at work means."""
    if "'CANCELLED'" in record.getMessage():
        record.msg, record.args = "A run was skipped, because the one before it has not ended.", ()
    return True


def _wait(address: str, started: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + PATIENCE
    while not _answers(address):
        if started.poll() is not None or time.monotonic() > end:
            raise ConfigurationError(f"the Prefect server at {address} did not start; try `prefect server start`")
        time.sleep(0.2)


def _answers(address: str) -> bool:
    """Whether a Prefect server answers; its health check needs no keys."""
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=5) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError, ValueError):
        return False
