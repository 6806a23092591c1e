"""Get a pre-trained encoder for context models.

Covers: progress.
Not here: downloading and checking (`workers.context.fetch`).
"""

from pathlib import Path

from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import FetchModelsRequest
from workers.context.fetch import INSTALLED, fetch_base


def fetch_models(request: FetchModelsRequest, *, on_progress: OnProgress = quiet) -> Path:
    """Download, join and check an encoder; return its folder."""
    on_progress(Progress("downloading"))
    return fetch_base(
        request.name,
        request.out or INSTALLED / request.name,
        wheels=request.wheels,
        report=lambda done, total: on_progress(Progress("downloading", done, total)),
    )
