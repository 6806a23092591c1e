"""`credence sample`: draw the articles to be labelled, and say what their labels buy."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from flows.cli.display import progress_display
from flows.cli.errors import sentences
from flows.cli.options import AsJson, RunId, Warehouse
from flows.jobs.requests import SampleRequest

if TYPE_CHECKING:
    from flows.jobs.sample import SampleReport

STRATA = {
    "gate": "past the gate: parsed, and counted with a probability",
    "warm": "gated out, but near: a word of the field and a country's, or a verb without an actor",
    "cold": "the rest",
}


def register(app: typer.Typer) -> None:
    """Add `sample` to the command line."""
    app.command()(sample)


def sample(
    warehouse: Warehouse,
    labels: Annotated[int, typer.Option(metavar="N", min=1, help="Articles to label.")] = SampleRequest.labels,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Same run and seed, same articles; more labels only add some.")
    ] = SampleRequest.seed,
    field_word: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD", help="The beginning of a word of the query's field; may be repeated."),
    ] = None,
    export: Annotated[
        tuple[str, Path] | None,
        typer.Option(metavar="NAME FILE", help="Also write a file to label elsewhere: csv, doccano or label-studio."),
    ] = None,
    run_id: RunId = SampleRequest.run_id,
    as_json: AsJson = False,
) -> None:
    """Draw a random sample of the archive to be labelled, and say what interval its labels buy."""
    from flows.jobs.sample import sample as run

    request = SampleRequest(
        warehouse=warehouse, labels=labels, seed=seed, field_words=tuple(field_word or ()),
        export=export[0] if export else None, file=export[1] if export else None, run_id=run_id,
    )  # fmt: skip
    with sentences("sample", left="no label was touched"), progress_display() as on_progress:
        report = run(request, on_progress=on_progress)
    if as_json:
        typer.echo(json.dumps(asdict(report)))
    else:
        _show(report, warehouse, labels)


def _show(report: "SampleReport", warehouse: str, asked: int) -> None:
    console = Console(highlight=False)
    drawn = sum(report.drawn.values())
    typer.echo(f"Frame {report.frame_id} of the query {report.query!r}: {drawn:,} articles to label.")
    if drawn != asked:
        typer.echo(f"You asked for {asked:,}: each article is drawn by its own chance, so the number varies.")
    if report.extends:
        typer.echo(f"It extends frame {report.extends}: all articles of that one are in it, and so are its labels.")
    strata = Table("stratum", "articles", "to label", "what it holds")
    for name, meaning in STRATA.items():
        strata.add_row(name, f"{report.articles[name]:,}", f"{report.drawn[name]:,}", meaning)
    console.print(strata)
    widths = Table("count of", "models alone", "expected width of its 95 % interval", title="What the labels buy")
    for bought in report.bought:
        name = (
            "all articles" if bought.level == "total" else f"a {bought.level} (median of the {bought.groups} largest)"
        )
        widths.add_row(name, f"{bought.raw:.1f}", f"{bought.width:.1f}")
    widths.caption = "a guess from the models' own probabilities; docs/anchoring.md says what it leaves out"
    console.print(widths)
    if report.labelled:
        typer.echo(f"{report.labelled:,} of them have answers already.")
    if report.exported:
        typer.echo(f"Written for labelling elsewhere: {report.exported}; bring it back by `credence label --import`.")
    typer.echo(f"\nNext: credence label {warehouse}")
