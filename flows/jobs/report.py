"""Report: one page about a run or several, and figures if requested.

Covers: the order of the work, where files go, which countries have nothing to show.
Not here: the page and the figures (`flows.report`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from flows.jobs.choosing import chosen_run, country_codes, existing_warehouse
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import ReportRequest
from flows.report.articles import select
from flows.report.content import RunContent, page_data, read_content
from flows.report.figures import write_figures
from flows.report.page import report_page
from flows.report.whole_file import write_whole
from workers.explanations import RunSettings
from workers.propagation.together import runs_together
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
    """Write the page, and figures of the first run if requested.

    Without a run's id the page is about the latest run and those that were published with it.
    """
    chosen = [chosen_run(request.warehouse, wanted) for wanted in _wanted(request)]
    countries = country_codes(chosen[0][1].query, request.countries)
    if request.out.is_dir():
        raise StorageError(str(request.out), "is a folder, not a file", "name the file to write")
    contents = [_content(run, settings, on_progress) for run, settings in chosen]
    page = _page(contents, request.warehouse, countries, request.articles, on_progress, notice=request.notice)
    write_whole(request.out, page)
    figures = write_figures(contents[0], request.figures, first=countries) if request.figures is not None else ()
    shown = _codes(contents[0])
    missing = tuple(code for code in countries if code not in shown)
    return ReportReport(str(request.out), len(page), tuple(figures), missing)


def report_into_warehouse(
    address: str, run_ids: Sequence[str], *, articles: int = ReportRequest.articles, on_progress: OnProgress = quiet
) -> ReportReport:
    """Write the page of some runs into their own warehouse, where the next one takes its place."""
    warehouse = Warehouse.open(address)
    runs = [open_run(warehouse, run_id) for run_id in run_ids]
    contents = [_content(run, RunSettings.of(run), on_progress) for run in runs]
    page = _page(contents, address, (), articles, on_progress)
    warehouse.write_bytes(PAGE, page)
    return ReportReport(f"{public_name(address).rstrip('/')}/{PAGE}", len(page))


def _wanted(request: ReportRequest) -> Sequence[str | None]:
    """The runs that the page is about."""
    if request.run_id is not None:
        return [request.run_id]
    return runs_together(existing_warehouse(request.warehouse)) or [None]


def _content(run: Run, settings: RunSettings, on_progress: OnProgress) -> RunContent:
    files = len(run.warehouse.names(run.folder.event_samples, ".parquet"))
    return read_content(run, settings, _counted("event samples", files, on_progress))


def _page(
    contents: Sequence[RunContent], address: str, countries: Sequence[str], articles: int, on_progress: OnProgress,
    *, notice: str = "",
) -> bytes:  # fmt: skip
    each = []
    for content in contents:
        with_text = len(select(content.rows, _codes(content), max_texts=articles).with_text)
        advance = _counted("articles", with_text, on_progress)
        name = public_name(address)
        each.append(page_data(content, name, first=countries, max_texts=articles, notice=notice, advance=advance))
    page = report_page(each, generator=f"credence {version('credence')}")
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
