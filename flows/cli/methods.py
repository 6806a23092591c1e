"""`credence methods`: a measurement report for a paper's appendix."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import sentences
from flows.cli.options import RunId, Warehouse
from flows.jobs.requests import MethodsRequest


def register(app: typer.Typer) -> None:
    """Add `methods` to the command line."""
    app.command()(methods)


def methods(
    warehouse: Warehouse,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Markdown file to write; an HTML file goes beside it.")
    ] = MethodsRequest.out,
    run_id: RunId = MethodsRequest.run_id,
) -> None:
    """Write two pages for a paper's appendix: corpus, question, models, calibration, labels, limits, citation."""
    from flows.jobs.methods import methods as run

    request = MethodsRequest(warehouse=warehouse, out=out, run_id=run_id)
    with sentences("methods"), progress_display() as on_progress:
        written = run(request, on_progress=on_progress)
    typer.echo(f"{written[0]} and {written[1]}: written. What stands in square brackets only you can know.")
