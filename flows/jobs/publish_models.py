"""Publish models: the small table of figures that comes with the shipped models.

Covers: choosing the model and the file.
Not here: making the table (`workers.calibration.shipped_figures`).
"""

from pathlib import Path

from flows.jobs.choosing import existing_warehouse
from flows.jobs.progress import OnProgress, quiet
from flows.jobs.requests import PublishModelsRequest
from workers.calibration.shipped_figures import SHIPPED_FIGURES, Measurement, small_figures, write_figures
from workers.coreference import load_coreference


def publish_models(
    request: PublishModelsRequest,
    *,
    on_progress: OnProgress = quiet,  # noqa: ARG001  takes no time
) -> tuple[Path, list[Measurement]]:
    """Write the figures of the shipped coreference model that a warehouse holds; return where and which."""
    found = small_figures(existing_warehouse(request.warehouse), model_id=load_coreference("default").fingerprint)
    path = request.out or SHIPPED_FIGURES
    write_figures(found, path)
    return path, found
