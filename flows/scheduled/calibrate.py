"""On request or on a schedule of its own: measure the model on annotated text, and publish the recalibration."""

from pathlib import Path
from typing import Any

from prefect import flow

from flows.jobs.calibration_summary import headline, summary
from flows.jobs.requests import CalibrateRequest
from flows.scheduled import parameters as given
from flows.scheduled.artifacts import show_table
from flows.scheduled.notices import TOLD
from flows.scheduled.steps import calibrate_step, check, flow_lock


@flow(name="calibrate", **TOLD)
def calibrate(
    warehouse: given.Address,
    data: list[given.Address],
    coref: str = CalibrateRequest.coref,
    parser: str = CalibrateRequest.parser,
    samples: int = CalibrateRequest.samples,
    folds: int = CalibrateRequest.folds,
    modes: tuple[str, ...] = CalibrateRequest.modes,
    seed: int = CalibrateRequest.seed,
    strict: bool = CalibrateRequest.strict,
    cluster: given.Cluster = given.CALIBRATION_CLUSTER,
    patience: given.Patience = given.PATIENCE,
    notice: given.Notice = given.NOTICE,  # noqa: ARG001  read by the hook
) -> dict[str, Any]:
    """Measure how far the probabilities can be trusted, and fit the recalibration that the next run applies."""
    check(warehouse, cluster, sources=data)
    request = CalibrateRequest(
        data=tuple(map(Path, data)), warehouse=warehouse, folds=folds, modes=modes, coref=coref, parser=parser,
        samples=samples, seed=seed, strict=strict, cluster=cluster.request(),
    )  # fmt: skip
    with flow_lock(warehouse):
        report = calibrate_step.with_options(**patience.options())(request)
    described = f"Calibration {report.calibration_id}: {report.documents} documents of {report.dataset}."
    show_table("calibration", headline(report), described)
    return summary(report)
