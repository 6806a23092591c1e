"""Propagate: bring the posterior counts of an archive up to date.

Covers: from the request to the settings of each run, the cluster, progress.
Not here: the work (`workers.propagate`).
"""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import TypeVar

from distributed import Client

from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import Query
from flows.jobs.cluster import cluster_config
from flows.jobs.progress import OnProgress, Progress, Speed, quiet
from flows.jobs.requests import PropagateRequest
from workers.annotate import AnnotatorConfig, annotator_id
from workers.calibration.published import latest_calibration, load_recalibration
from workers.cluster import open_cluster
from workers.coreference import load_coreference
from workers.parsing.choice import ParserConfig
from workers.propagate import PropagateOptions, RunProgress, RunReport, Settings, propagate_together
from workers.propagate import prepare as prepare_chunks
from workers.storage import Warehouse

Done = TypeVar("Done")


def propagate(request: PropagateRequest, *, on_progress: OnProgress = quiet) -> list[RunReport]:
    """Gate, annotate, sample, count and publish; only what changed is redone. One run per query, in their order.

    Raises
    ------
    ValueError, ModelError
        For a request that makes no sense; before any work.
    PropagationError, StorageError, ClusterError
        If the run cannot be finished; finished work is kept.
    """
    return _run(propagate_together, request, on_progress)


def prepare(request: PropagateRequest, *, on_progress: OnProgress = quiet) -> RunProgress:
    """Do everything but publish, so that a later `propagate` finds it done."""
    return _run(prepare_chunks, request, on_progress)


def _run(
    work: Callable[[Client, Warehouse, Sequence[Settings], PropagateOptions], Done],
    request: PropagateRequest,
    on_progress: OnProgress,
) -> Done:
    warehouse, config = Warehouse.open(request.warehouse), cluster_config(request.cluster)
    questions = read_settings(request, warehouse)
    on_progress(Progress("starting workers"))
    with open_cluster(config) as client:
        options = PropagateOptions(
            created=datetime.now(UTC).isoformat(timespec="milliseconds"),  # runs are told apart by age
            retry_quarantined=request.retry_quarantined,
            on_progress=_in_words(on_progress),
        )
        return work(client, warehouse, questions, options)


def _in_words(on_progress: OnProgress) -> Callable[[RunProgress], None]:
    """Pass on the progress of a run with its figures."""
    speed = Speed(time.monotonic())

    def show(run: RunProgress) -> None:
        rate = speed.per_second(run.done, time.monotonic())
        on_progress(Progress("propagating", run.done, run.documents, run_figures(run, rate)))

    return show


def run_figures(run: RunProgress, per_second: float) -> str:
    """How far a run is, in words."""
    return (
        f"{run.done:,} of {run.documents:,} documents done, {run.gated_out:,} gated out, "
        f"{run.annotated:,} annotated, {run.quarantined:,} quarantined, {per_second:,.0f} per second"
    )


def read_settings(request: PropagateRequest, warehouse: Warehouse) -> list[Settings]:
    """Check the request; settings of one run per query.

    Raises
    ------
    ValueError
        For an impossible date, query or number, or two queries of one name; before any work.
    """
    annotator = AnnotatorConfig(parser=ParserConfig(request.parser), coref=request.coref, titles=request.titles)
    annotator_id(annotator)  # refuses missing models
    calibration, recalibration = _calibration(request, warehouse, annotator)
    return [
        Settings(
            query=query,
            n_samples=request.samples,
            seed=request.seed,
            annotator=annotator,
            calibration=calibration,
            recalibration=recalibration,
            syntax=request.syntax,
            since=_day("since", request.since),
            until=_day("until", request.until),
        )
        for query in _queries(request.query)
    ]


def _queries(sources: Sequence[str]) -> list[Query]:
    """The queries, whose names must differ, because people choose between their runs by name."""
    if not sources:
        raise ValueError("a run needs at least one query; got none")
    named: dict[str, tuple[str, Query]] = {}
    for source in sources:
        query = Query.from_yaml(source)
        if query.name in named:
            first = named[query.name][0]
            raise ValueError(
                f"{source}: name: two queries of one run must not have the same name; got {query.name!r}, "
                f"which {first} has too"
            )
        named[query.name] = (source, query)
    return [query for _, query in named.values()]


def _calibration(
    request: PropagateRequest, warehouse: Warehouse, annotator: AnnotatorConfig
) -> tuple[str, Recalibration | None]:
    """Where the recalibration comes from, and the recalibration."""
    model_id = load_coreference(annotator.coref).fingerprint
    found = load_recalibration(warehouse, request.calibration, model_id=model_id)
    if found is None or request.calibration != "latest":
        return "none" if found is None else request.calibration, found
    return latest_calibration(warehouse, model_id=model_id) or "shipped", found


def _day(name: str, text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{name} must be a day such as 1987-03-31; got {text!r}") from error
