"""Report: one page about a run, and figures if requested.

Covers: the order of the work, where files go, which countries have nothing to show.
Not here: the page and the figures (`flows.report`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from flows.jobs.choosing import chosen_run, country_codes
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import ReportRequest
from flows.report.articles import select
from flows.report.content import RunContent, page_data, read_content
from flows.report.figures import write_figures
from flows.report.page import report_page
from flows.report.whole_file import write_whole
from workers.explanations import RunSettings
from workers.runs import Run, open_run
from workers.storage import StorageError, Warehouse, public_name

PAGE = "report.html"
"""Name of the page in a warehouse."""


@dataclass(frozen=True, slots=True)
class ReportReport:
    """What was written.

    Attributes
    ----------
    page : str
        Where the page is.
    size : int
        Its bytes.
    figures : tuple of Path
    without_articles : tuple of str
        Requested countries that have nothing to draw.
    """

    page: str
    size: int
    figures: tuple[Path, ...] = ()
    without_articles: tuple[str, ...] = ()


def report(request: ReportRequest, *, on_progress: OnProgress = quiet) -> ReportReport:
    """Write the page, and figures if requested."""
    run, settings = chosen_run(request.warehouse, request.run_id)
    countries = country_codes(settings.query, request.countries)
    if request.out.is_dir():
        raise StorageError(str(request.out), "is a folder, not a file", "name the file to write")
    content = _content(run, settings, on_progress)
    page = _page(content, request.warehouse, countries, request.articles, on_progress, notice=request.notice)
    write_whole(request.out, page)
    figures = write_figures(content, request.figures, first=countries) if request.figures is not None else ()
    shown = _codes(content)
    missing = tuple(code for code in countries if code not in shown)
    return ReportReport(str(request.out), len(page), tuple(figures), missing)


def report_into_warehouse(
    address: str, run_id: str, *, articles: int = ReportRequest.articles, on_progress: OnProgress = quiet
) -> ReportReport:
    """Write the page of a run into its own warehouse, where the next one takes its place."""
    warehouse = Warehouse.open(address)
    run = open_run(warehouse, run_id)
    page = _page(_content(run, RunSettings.of(run), on_progress), address, (), articles, on_progress)
    warehouse.write_bytes(PAGE, page)
    return ReportReport(f"{public_name(address).rstrip('/')}/{PAGE}", len(page))


def _content(run: Run, settings: RunSettings, on_progress: OnProgress) -> RunContent:
    files = len(run.warehouse.names(run.folder.event_samples, ".parquet"))
    return read_content(run, settings, _counted("event samples", files, on_progress))


def _page(
    content: RunContent, address: str, countries: Sequence[str], articles: int, on_progress: OnProgress,
    *, notice: str = "",
) -> bytes:  # fmt: skip
    with_text = len(select(content.rows, _codes(content), max_texts=articles).with_text)
    advance = _counted("articles", with_text, on_progress)
    data = page_data(content, public_name(address), first=countries, max_texts=articles, notice=notice, advance=advance)
    manifest = content.run.manifest
    name, samples = manifest["query"]["name"], int(manifest["samples"])
    page = report_page(data, name=name, samples=samples, generator=f"credence {version('credence')}")
    return page.encode("utf-8", errors="backslashreplace")


def _counted(stage: str, total: int, on_progress: OnProgress) -> Callable[[], None]:
    """A callback for code that only reports that one more is done."""
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        on_progress(Progress(stage, done, total))

    return advance


def _codes(content: RunContent) -> list[str]:
    return [country.code for country in content.countries]
