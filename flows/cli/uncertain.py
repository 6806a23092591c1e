"""`credence uncertain`: the articles that the model is least sure of."""

import json
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from flows.cli.display import output
from flows.cli.errors import sentences
from flows.cli.options import Countries, RunId, Warehouse
from flows.jobs.requests import UncertainRequest


def register(app: typer.Typer) -> None:
    """Add `uncertain` to the command line."""
    app.command()(uncertain)


def uncertain(
    warehouse: Warehouse,
    near: Annotated[
        float, typer.Option(metavar="P", min=0.0, max=1.0, help="Look for probabilities near this one.")
    ] = UncertainRequest.near,
    country: Countries = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Articles to list.")] = UncertainRequest.limit,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines instead of a table.")] = False,
    run_id: RunId = UncertainRequest.run_id,
) -> None:
    """List the articles that the model is least sure of."""
    from flows.jobs.uncertain import uncertain as run

    request = UncertainRequest(
        warehouse=warehouse, near=near, countries=tuple(country or ()), limit=limit, run_id=run_id
    )
    with sentences("uncertain"):
        report = run(request)
    if as_json:
        for row in report.rows:
            typer.echo(json.dumps(row, ensure_ascii=False))
        return
    if not report.rows:
        where = f" for {', '.join(report.countries)}" if report.countries else ""
        typer.echo(f"No article has a positive probability{where}.")
        return
    table = Table("probability", "1-best", "country", "published", "article", "title")
    for row in report.rows:
        best = "yes" if row["map"] else "no"
        table.add_row(
            f"{row['p']:.2f}", best, row["country"], row["published"], Text(row["doc_id"]), Text(row["title"])
        )
    output().print(table)
