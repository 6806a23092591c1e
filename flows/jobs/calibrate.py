"""Calibrate: how far the probabilities can be trusted on annotated text, and a recalibration that improves them.

Covers: from the request to the configuration, where it runs, progress, pictures.
Not here: measuring (`workers.calibration`), the demonstration archive (`flows.demonstration.coverage`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from distributed import Client

from flows.jobs.cluster import cluster_config
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import CalibrateRequest, ClusterRequest
from workers.calibration.drive import CalibrateConfig, CalibrationReport, Unseen
from workers.calibration.drive import calibrate as measure_and_publish
from workers.calibration.folds import FoldConfig
from workers.calibration.inputs import AnnotatedSet, read_annotated
from workers.calibration.measure import MeasureConfig
from workers.calibration.tasks import Report
from workers.cluster import open_cluster
from workers.coreference import CONTEXT, LOGLINEAR, coreference_folder, implementation_of, load_coreference
from workers.parsing.choice import ParserConfig
from workers.storage import Warehouse


def calibrate(request: CalibrateRequest, *, on_progress: OnProgress = quiet) -> CalibrationReport:
    """Measure, choose a recalibration, publish both; draw charts if the request names a folder.

    Raises
    ------
    ValueError, FileNotFoundError
        For data that cannot be measured, or options that make no sense.
    StorageError, ClusterError
        Nothing was published; the message says why.
    """
    if bool(request.data) == request.demonstration:
        raise ValueError("give annotated data, or the demonstration instead of it")
    report = (_of_demonstration if request.demonstration else _of_corpus)(request, _counted(on_progress))
    if request.charts is not None:
        from flows.charts.calibration import write_charts  # altair takes a second to load

        write_charts(report.tables, report.fit_mode, report.form, request.charts)
    return report


def _of_corpus(request: CalibrateRequest, report: Report) -> CalibrationReport:
    annotated = read_annotated(request.data, dataset=request.dataset, split=request.split, strict=request.strict)
    config = CalibrateConfig(
        modes=request.modes,
        folds=FoldConfig(request.folds, keep=request.keep_models),
        measure=MeasureConfig(samples=request.samples, paper_samples=request.paper_samples, seed=request.seed),
        parser=ParserConfig(model=request.parser),
        allow_training_data=request.allow_training_data,
    )
    unseen = _unseen(request, annotated)
    model, warehouse = load_coreference(request.coref), Warehouse.open(request.warehouse, writer="calibrate")
    with warehouse.single_writer(), _client(request.cluster) as client:
        return measure_and_publish(
            annotated, model, config, warehouse, created=_now(), unseen=unseen, client=client, report=report
        )


def _unseen(request: CalibrateRequest, annotated: AnnotatedSet) -> Unseen | None:
    """What a context model's training kept apart; None where log-linear models are to be trained, or nothing is asked.

    Figures of one kind of model are never reported as those of another.
    """
    folder = coreference_folder(request.coref)
    kind = implementation_of(folder).kind
    if not request.folds or kind == LOGLINEAR:
        return None
    if kind != CONTEXT:
        raise ValueError(f"folds trains log-linear models; {request.coref} is of kind {kind}: measure it without folds")
    from workers.context.unseen import unseen_models  # torch takes seconds to import

    return unseen_models(folder, annotated.documents)


def _of_demonstration(request: CalibrateRequest, report: Report) -> CalibrationReport:
    from flows.demonstration.coverage import judge_demonstration

    warehouse = Warehouse.open(request.warehouse, writer="calibrate")
    config = MeasureConfig(samples=request.samples, seed=request.seed)
    parser = ParserConfig(model=request.parser)
    with warehouse.single_writer():
        return judge_demonstration(
            warehouse, load_coreference(request.coref), parser, config, created=_now(), report=report
        )


@contextmanager
def _client(request: ClusterRequest) -> Iterator[Client | None]:
    """A cluster to measure on; None if everything runs in this process."""
    if request.workers == 0 and request.scheduler is None:
        yield None
        return
    with open_cluster(cluster_config(request)) as client:
        yield client


def _counted(on_progress: OnProgress) -> Report:
    return lambda stage, done, total: on_progress(Progress(stage, done, total))


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
