"""`credence report`: from a run to the page and the figures, with progress on the terminal.

Covers: the order of the work, where files go, what is told.
Not here: the page (`page`), its data (`content`), the figures (`figures`).
"""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from flows.report.articles import select
from flows.report.content import RunContent, page_data, read_content
from flows.report.figures import write_figures
from flows.report.page import report_page
from flows.report.whole_file import whole_file
from workers.explanations import RunSettings
from workers.runs import Run
from workers.storage import StorageError, public_name

MEGABYTE = 1_000_000


def write_report(
    run: Run,
    settings: RunSettings,
    place: str,
    out: Path,
    figures: Path | None,
    countries: Sequence[str],
    max_texts: int,
) -> None:
    """Write the page, and figures where wanted; say what was written."""
    console = Console(stderr=True)
    _check_target(out)
    with _progress(console) as bar:
        reading = bar.add_task(
            "event samples", total=len(run.warehouse.names(f"{run.folder}/event_samples", ".parquet"))
        )
        content = read_content(run, settings, lambda: bar.advance(reading))
        texts = bar.add_task(
            "articles", total=len(select(content.rows, _codes(content), max_texts=max_texts).with_text)
        )
        data = page_data(
            content, public_name(place), first=countries, max_texts=max_texts, advance=lambda: bar.advance(texts)
        )
    name, samples = run.manifest["query"]["name"], int(run.manifest["samples"])
    page = report_page(data, name=name, samples=samples, generator=f"credence {version('credence')}")
    write_whole(out, page)
    lines = [f"{out}: {len(page.encode()) / MEGABYTE:.1f} MB; open it in a browser, it needs no network"]
    missing = [code for code in countries if code not in _codes(content)]
    lines += [f"{code}: no article has a positive probability, so there is nothing to draw" for code in missing]
    if figures is not None:
        lines += [str(path) for path in write_figures(content, figures, first=countries)]
    for line in lines:
        Console(highlight=False, soft_wrap=True, markup=False).print(line)


def write_whole(path: Path, text: str) -> None:
    """Write a page; a reader sees the old one or the new one."""
    _check_target(path)
    with whole_file(path) as aside:
        aside.write_text(text, encoding="utf-8", errors="backslashreplace")


def _check_target(path: Path) -> None:
    if path.is_dir():
        raise StorageError(str(path), "is a folder, not a file", "name the file to write")


def _codes(content: RunContent) -> list[str]:
    return [country.code for country in content.countries]


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
