"""`credence report`: one page that shows a run."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import sentences
from flows.cli.options import Countries, RunId, Warehouse
from flows.jobs.requests import ReportRequest

MEGABYTE = 1_000_000


def register(app: typer.Typer) -> None:
    """Add `report` to the command line."""
    app.command()(report)


def report(
    warehouse: Warehouse,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page to write.")] = ReportRequest.out,
    figures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for SVG and PNG figures with captions.")
    ] = ReportRequest.figures,
    country: Countries = None,
    articles: Annotated[
        int, typer.Option(metavar="N", min=0, help="Most articles to show with their text.")
    ] = ReportRequest.articles,
    run_id: RunId = ReportRequest.run_id,
) -> None:
    """Write one page that shows the counts, the articles behind them, and how far to trust them."""
    from flows.jobs.report import report as run

    request = ReportRequest(
        warehouse=warehouse,
        out=out,
        figures=figures,
        countries=tuple(country or ()),
        articles=articles,
        run_id=run_id,
    )
    with sentences("report"), progress_display() as on_progress:
        written = run(request, on_progress=on_progress)
    typer.echo(f"{written.page}: {written.size / MEGABYTE:.1f} MB; open it in a browser; it works offline")
    for code in written.without_articles:
        typer.echo(f"{code}: no article has a positive probability, so there is nothing to draw")
    for path in written.figures:
        typer.echo(str(path))
