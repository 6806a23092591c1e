"""`credence counts`: posterior counts in the terminal, as JSON or CSV."""

import csv
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from flows.cli.display import output
from flows.cli.errors import sentences
from flows.cli.options import AsJson, RunId, Warehouse
from flows.jobs.requests import CountsRequest
from flows.report.roles import role_word

if TYPE_CHECKING:
    from calib_core.events import Query
    from flows.jobs.counts import CountsReport

SUMS_SHOWN = 8
ANCHORED = ("anchored", "anchored_lo", "anchored_hi", "tier", "n_labels", "flags")
"""Columns beside the raw ones where the run was anchored."""
FIGURES = ("mean", "sd", "lo", "hi", "q025", "q500", "q975", "map_count", "n_docs", "n_possible")


def register(app: typer.Typer) -> None:
    """Add `counts` to the command line."""
    app.command()(counts)


def counts(
    warehouse: Warehouse,
    country: Annotated[
        list[str] | None, typer.Option(metavar="COUNTRY", help="A country's code; give two to compare them.")
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="COUNTRY", help="Of a query with targets: whom it was done to; - for no code, * for any."),
    ] = None,
    first: Annotated[
        str | None, typer.Option("--from", metavar="QUARTER", help="First quarter, as 1995Q1.")
    ] = CountsRequest.first,
    last: Annotated[str | None, typer.Option("--to", metavar="QUARTER", help="Last quarter.")] = CountsRequest.last,
    run_id: RunId = CountsRequest.run_id,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV on standard output.")] = False,
) -> None:
    """Print posterior counts; with two countries, also the probability that the first count is higher."""
    from flows.jobs.counts import counts as run

    with sentences("counts"):
        if as_json and as_csv:
            raise ValueError("choose either --json or --csv")
        report = run(
            CountsRequest(
                warehouse=warehouse,
                countries=tuple(country or ()),
                targets=tuple(target or ()),
                first=first,
                last=last,
                run_id=run_id,
            )
        )
    if as_json:
        content = {"counts": report.rows, "anchored": report.anchored, "comparison": report.comparison}
        typer.echo(json.dumps({"run_id": report.run_id, **content}))
    elif as_csv:
        _write_csv(_beside(report))
    else:
        _show(report)


def _beside(report: "CountsReport") -> list[dict[str, Any]]:
    """The rows with what labels make of them, where the run was anchored."""
    cells = {(row["quarter"], row["country"], row["target"]): row for row in report.anchored if row["level"] == "cell"}
    beside = []
    for row in report.rows:
        found = cells.get((row["quarter"], row["country"], row.get("target")))
        if found is not None:
            values = (found["estimate"], found["lo"], found["hi"], found["tier"], found["n_labels"])
            row = row | dict(zip(ANCHORED, (*values, ";".join(found["flags"])), strict=True))
        beside.append(row)
    return beside


def _anchored_lines(report: "CountsReport") -> list[str]:
    """Sums in words, by the labels; or what to do to get them."""
    from flows.report.anchored import NOT_ANCHORED, PROMISE, level_rows, notes, sentence

    if not report.anchored:
        return [NOT_ANCHORED]
    codes = {row["country"] for row in report.rows}
    sums = level_rows(report.anchored, "total") + level_rows(report.anchored, "country", codes)[:SUMS_SHOWN]
    lines = [sentence(row, row["country"] or "All countries and quarters") for row in sums]
    return [PROMISE, *lines, *notes([*sums, *report.anchored])]


def _write_csv(rows: Sequence[dict[str, Any]]) -> None:
    dyadic = bool(rows) and "target" in rows[0]
    names = ["query", "unit", "quarter", "country", *(["target"] if dyadic else []), *FIGURES]
    names += ANCHORED if any(ANCHORED[0] in row for row in rows) else ()
    writer = csv.DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _show(report: "CountsReport") -> None:
    console = output()
    if not report.rows:
        console.print("No rows: the count is exactly zero in every quarter.")
        return
    console.print(_counts_table(_beside(report), report.query))
    for line in _anchored_lines(report):
        console.print(line, soft_wrap=True)
    if report.comparison:
        console.print(_comparison_table(report))


def _counts_table(rows: Sequence[dict[str, Any]], query: "Query") -> Table:
    from calib_core.events.dyads import ANY_TARGET, dyad

    title = (
        f"{query.unit} per quarter with an entity of the country as {role_word(query.roles)} of: {escape(query.name)}"
    )
    anchored = any(ANCHORED[0] in row for row in rows)
    heads = ["quarter", "country", "mean", "95 % interval", "1-best", "articles"]
    heads += ["with labels", "95 % interval"] if anchored else []
    table = Table(*heads, title=title, title_justify="left")
    for row in rows:
        whose = dyad(row["country"], row.get("target", ANY_TARGET))
        table.add_row(
            row["quarter"], whose, f"{row['mean']:.1f}", f"{row['q025']} to {row['q975']}",
            str(row["map_count"]), f"{row['n_docs']:,}", *(_anchored_cells(row) if anchored else ()),
        )  # fmt: skip
    table.caption = "mean and exact interval of the posterior; 1-best: one best reading of each article"
    return table


def _anchored_cells(row: dict[str, Any]) -> tuple[str, str]:
    if row.get(ANCHORED[0]) is None:
        return "", ""
    beware = " *" if row["flags"] else ""
    return f"{row['anchored']:.1f}", f"{row['anchored_lo']:.0f} to {row['anchored_hi']:.0f}{beware}"


def _comparison_table(report: "CountsReport") -> Table:
    first, second = report.countries
    table = Table("quarter", f"P({first} > {second})", "P(equal)", title="Compared", title_justify="left")
    for row in report.comparison:
        table.add_row(row["quarter"], f"{row['p_above']:.2f}", f"{row['p_equal']:.2f}")
    return table
