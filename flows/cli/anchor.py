"""`credence anchor`: counts combined with labels, so that their intervals hold."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from flows.cli.display import progress_display
from flows.cli.errors import sentences, warn
from flows.cli.options import AsJson, RunId, Warehouse
from flows.jobs.requests import AnchorRequest

if TYPE_CHECKING:
    from workers.anchoring import AnchorReport

SHOWN = 12


def register(app: typer.Typer) -> None:
    """Add `anchor` to the command line."""
    app.command()(anchor)


def anchor(
    warehouse: Warehouse,
    frame: Annotated[
        str | None, typer.Option(metavar="FRAME", help="A sample by its id; by default the newest that has labels.")
    ] = AnchorRequest.frame,
    run_id: RunId = AnchorRequest.run_id,
    dsl: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the table that the R package dsl reads.")
    ] = AnchorRequest.dsl,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw raw and anchored counts: .png or .svg.")
    ] = AnchorRequest.chart,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same joint draws.")] = AnchorRequest.seed,
    as_json: AsJson = False,
) -> None:
    """Combine the counts with the labels: estimates whose intervals hold whatever the models get wrong."""
    from flows.jobs.anchor import anchor as run

    request = AnchorRequest(warehouse=warehouse, frame=frame, run_id=run_id, dsl=dsl, chart=chart, seed=seed)
    with sentences("anchor", left="no label was touched"), progress_display() as on_progress:
        report = run(request, on_progress=on_progress)
    if as_json:
        typer.echo(json.dumps(asdict(report)))
    else:
        _show(report)


def _show(report: "AnchorReport") -> None:
    console = Console(highlight=False)
    for line in report.broken:
        warn(line)
    typer.echo(_sentence(report))
    console.print(anchored_table(report.rows))
    typer.echo(_cold_sentence(report.rows))
    typer.echo(f"All rows: runs/{report.run_id}/anchored.parquet; joint draws: anchored_draws.parquet beside it.")


def _sentence(report: "AnchorReport") -> str:
    parts = [f"Run {report.run_id}, query {report.query!r}, anchored to {report.labelled:,} labelled articles"]
    notes = {
        "wait for an answer: the interval is that of a smaller sample": report.waiting,
        "were answered out of turn and are not used yet": report.unused,
        "are unsure, and bound the counts from both sides": report.unsure,
        "were skipped, and bound the counts from both sides": report.skipped,
        "are disputed between coders, and bound the counts from both sides": report.disputed,
        "were answered twice by one coder, differently: the later answer counts": report.changed,
    }
    return ". ".join([*parts, *(f"{number:,} articles {what}" for what, number in notes.items() if number)]) + "."


def anchored_table(rows: list[dict[str, Any]]) -> Table:
    """The total and the largest countries: models alone, and with the labels."""
    table = Table("count of", "models alone", "their interval", "with labels", "95 % interval", "labels", "beware")
    total = [row for row in rows if row["level"] == "total"]
    countries = sorted((row for row in rows if row["level"] == "country"), key=lambda row: -row["estimate"])
    for row in total + countries[:SHOWN]:
        table.add_row(
            row["country"] or "all", f"{row['raw_mean']:.0f}", f"{row['raw_lo']:.0f} to {row['raw_hi']:.0f}",
            f"{row['estimate']:.0f}", f"{row['lo']:.0f} to {row['hi']:.0f}", f"{row['n_labels']:,}",
            ", ".join(flag.replace("_", " ") for flag in row["flags"]),
        )  # fmt: skip
    table.caption = (
        "with labels: holds the truth 95 times in 100 whatever the models get wrong, if the labels are right"
    )
    return table


def _cold_sentence(rows: list[dict[str, Any]]) -> str:
    cold = next(row for row in rows if row["level"] == "cold")
    return (
        f"Articles that nothing points to: {cold['n_labels']:,} were read, {cold['lo']:.0f} of them tell an event; "
        f"at most {cold['hi']:.0f} may be hidden among all of them, and every upper end allows for that."
    )
