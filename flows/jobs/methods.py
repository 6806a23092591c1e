"""Methods: the measurement report of a run, for a paper's appendix.

Covers: the run, and the two files.
Not here: what they say (`flows.report.methods`).
"""

from importlib.metadata import version
from pathlib import Path

from flows.jobs.choosing import chosen_run
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import MethodsRequest
from flows.report.methods import methods_sections
from flows.report.methods_page import methods_html, methods_markdown
from flows.report.whole_file import write_whole
from workers.storage import StorageError


def methods(request: MethodsRequest, *, on_progress: OnProgress = quiet) -> list[Path]:
    """Write the report as Markdown and as HTML beside it; return both paths.

    Raises
    ------
    StorageError, FrameError
        If there is no such run, or its labels cannot be read.
    """
    if request.out.suffix != ".md":
        raise StorageError(str(request.out), "must end with .md", "the HTML goes beside it under the same name")
    run, settings = chosen_run(request.warehouse, request.run_id)
    on_progress(Progress("reading the run"))
    sections = methods_sections(run, settings, version=version("credence"))
    title = f"Measurement report: {run.manifest['query']['name']}"
    page = request.out.with_suffix(".html")
    write_whole(request.out, methods_markdown(title, sections).encode())
    write_whole(page, methods_html(title, sections).encode())
    return [request.out, page]
