"""`credence demo`: the whole service on the embedded archive, and its counts beside the truth."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.display import output, progress_display
from flows.cli.errors import sentences
from flows.cli.options import Seed
from flows.jobs.requests import DemoRequest


def register(app: typer.Typer) -> None:
    """Add `demo` to the command line."""
    app.command()(demo)


def demo(
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for the warehouse and the report.")
    ] = DemoRequest.out,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Worker processes; default: one per core.")
    ] = DemoRequest.workers,
    seed: Seed = DemoRequest.seed,
) -> None:
    """Run everything on the embedded archive of invented articles, and show the counts beside the truth."""
    from flows.cli.demo_text import by_country, next_steps, rivals_chart, summary, with_labels
    from flows.jobs.demo import demo as run

    with sentences("demo"), progress_display() as on_progress:
        report = run(DemoRequest(out=out, workers=workers, seed=seed), on_progress=on_progress)
    console, published = output(), report.published
    typer.echo(f"{report.ingested.total.read:,} invented articles, 1987 to 2007, are in {report.warehouse}/archive.")
    typer.echo(
        f"{published.gated_out:,} articles cannot count and were not parsed, {published.counted:,} were, "
        f"{published.quarantined:,} failed.\n"
    )
    for part in (by_country, rivals_chart, summary):
        console.print(part(report.answers))
    console.print(with_labels(report))
    typer.echo(f"{out / 'report.html'}: open it in a browser; it works offline")
    typer.echo(next_steps(report.warehouse))
