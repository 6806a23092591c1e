"""The commands that people look at results with: report, explain, uncertain.

Covers: options, progress, errors as one sentence.
Not here: any work (`flows.report`); it is imported when a command is called, so that `--help` answers at once.

Exit codes are those of `flows.failures`: 1 when there is nothing to show or it cannot be read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from flows.options import RunId, Warehouse

Countries = Annotated[
    list[str] | None, typer.Option("--country", metavar="COUNTRY", help="A country's code; may be repeated.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("report")(report)
    app.command("explain")(explain)
    app.command("uncertain")(uncertain)


def report(
    warehouse: Warehouse,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page to write.")] = Path("report.html"),
    figures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for SVG and PNG figures with captions.")
    ] = None,
    country: Countries = None,
    articles: Annotated[int, typer.Option(metavar="N", min=0, help="Articles to be shown with text, at most.")] = 1000,
    run_id: RunId = None,
) -> None:
    """Write one page that shows the counts, the articles behind them, and how far to trust them."""
    from flows.choosing import chosen_run, country_codes
    from flows.report.writing import write_report

    with _sentences("report"):
        run, settings = chosen_run(warehouse, run_id)
        wanted = country_codes(settings.query, country or [])
        write_report(run, settings, warehouse, out, figures, wanted, articles)


def explain(
    warehouse: Warehouse,
    doc_id: Annotated[str, typer.Argument(metavar="DOC_ID", help="The article's id.")],
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page instead of printing.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List all mentions, not only those that matter.")] = False,
    run_id: RunId = None,
) -> None:
    """Say why an article counts: which mentions carry a country to the verb, and how sure each link is."""
    from flows.choosing import chosen_run
    from flows.report.explaining import show_explanation

    with _sentences("explain"):
        run, settings = chosen_run(warehouse, run_id)
        show_explanation(run, settings, doc_id, html, every=every)


def uncertain(
    warehouse: Warehouse,
    near: Annotated[float, typer.Option(metavar="P", min=0.0, max=1.0, help="The probability to look around.")] = 0.5,
    country: Countries = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Articles to list.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines instead of a table.")] = False,
    run_id: RunId = None,
) -> None:
    """List the articles that the model is least sure of."""
    from flows.choosing import chosen_run, country_codes
    from flows.report.uncertain import show_uncertain

    with _sentences("uncertain"):
        run, settings = chosen_run(warehouse, run_id)
        show_uncertain(run, near, country_codes(settings.query, country or []), limit, as_json=as_json)


@contextmanager
def _sentences(command: str) -> Iterator[None]:
    """Whatever is wrong with the input is one sentence and a code, never a trace."""
    from rich.console import Console

    from flows.failures import exit_codes

    with exit_codes(Console(stderr=True), command):
        yield
