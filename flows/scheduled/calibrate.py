"""On request or on a schedule of its own: measure the model on annotated text, and publish the repair."""

from pathlib import Path
from typing import Any

from prefect import flow

from flows.calibrate_command import CalibrateRequest, headline, summary
from flows.scheduled import parameters as given
from flows.scheduled.artifacts import show_table
from flows.scheduled.notices import TOLD
from flows.scheduled.steps import calibrate_step, check, flow_lock


@flow(name="calibrate", **TOLD)
def calibrate(
    warehouse: given.Address,
    data: list[given.Address],
    coref: str = "default",
    parser: str = "default",
    samples: int = 1000,
    folds: int = 0,
    modes: tuple[str, ...] = (),
    seed: int = 0,
    cluster: given.Cluster = given.CLUSTER,
    patience: given.Patience = given.PATIENCE,
    notice: given.Notice = given.NOTICE,  # noqa: ARG001  read by the hook
) -> dict[str, Any]:
    """Measure how far the probabilities can be trusted, and fit the repair that the next run applies."""
    check(warehouse, cluster, sources=data)
    request = CalibrateRequest(
        tuple(map(Path, data)), warehouse, folds=folds, modes=modes, coref=coref, parser=parser, samples=samples,
        seed=seed,
    )  # fmt: skip
    with flow_lock(warehouse):
        report = calibrate_step.with_options(**patience.options())(request, cluster.config())
    described = f"Calibration {report.calibration_id}: {report.documents} documents of {report.dataset}."
    show_table("calibration", headline(report), described)
    return summary(report)
