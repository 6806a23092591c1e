"""`credence counts`: posterior counts in the terminal, as JSON or CSV.

Covers: choosing rows, comparing two countries, printing.
Not here: computing counts (`workers.propagate`).
"""

import csv
import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from calib_core.events import Query
from flows.choosing import chosen_run, country_codes
from flows.failures import exit_codes
from flows.report.roles import role_word
from workers.runs import Run

FIGURES = ("mean", "sd", "lo", "hi", "q025", "q500", "q975", "map_count", "n_docs", "n_possible")
Quarters = tuple[str | None, str | None]


def run_counts(
    warehouse: str, countries: Sequence[str], quarters: Quarters, run_id: str | None, *, as_json: bool, as_csv: bool
) -> None:
    """Print the chosen rows; with two countries also their comparison."""
    console = Console(stderr=True)
    with exit_codes(console, "counts"):
        if as_json and as_csv:
            raise ValueError("choose one of --json and --csv")
        run, settings = chosen_run(warehouse, run_id)
        query, codes = settings.query, country_codes(settings.query, countries)
        rows = select(run, codes, _checked(quarters))
        compared = comparison(rows, *codes) if len(codes) == 2 else []
    if as_json:
        sys.stdout.write(json.dumps({"run_id": run.run_id, "counts": rows, "comparison": compared}) + "\n")
    elif as_csv:
        _write_csv(rows)
    else:
        _show(Console(highlight=False), rows, compared, codes, query)


def select(run: Run, countries: Sequence[str], quarters: Quarters) -> list[dict[str, Any]]:
    """Rows of the counts, by quarter and country."""
    first, last = quarters
    rows = [
        row
        for row in run.counts().to_pylist()
        if (not countries or row["country"] in countries)
        and (first is None or row["quarter"] >= first)
        and (last is None or row["quarter"] <= last)
    ]
    return sorted(rows, key=lambda row: (row["quarter"], row["country"]))


def comparison(rows: Sequence[dict[str, Any]], first: str, second: str) -> list[dict[str, Any]]:
    """P(first > second) and P(equal) in each quarter that has a row of either; no row means zero in every sample."""
    samples = {(row["quarter"], row["country"]): np.array(row["samples"]) for row in rows}
    found = []
    for quarter in sorted({quarter for quarter, _ in samples}):
        a, b = (samples.get((quarter, code), np.zeros(1, dtype=np.int64)) for code in (first, second))
        above, equal = float((a > b).mean()), float((a == b).mean())
        found.append({"quarter": quarter, "p_above": above, "p_equal": equal, "p_below": 1 - above - equal})
    return found


def _checked(quarters: Quarters) -> Quarters:
    for name, quarter in zip(("--from", "--to"), quarters, strict=True):
        if quarter is not None and not (len(quarter) == 6 and quarter[4] == "Q" and quarter[5] in "1234"):
            raise ValueError(f"{name} must be a quarter such as 1995Q1; got {quarter!r}")
    first, last = quarters
    if first and last and first > last:
        raise ValueError(f"--from must not be after --to; got {first} and {last}")
    return quarters


def _write_csv(rows: Sequence[dict[str, Any]]) -> None:
    names = ["query", "unit", "quarter", "country", *FIGURES]
    writer = csv.DictWriter(sys.stdout, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _show(
    console: Console, rows: Sequence[dict[str, Any]], compared: Sequence[dict[str, Any]], codes: list[str], query: Query
) -> None:
    if not rows:
        console.print("No row: zero in every quarter, exactly.")
        return
    console.print(counts_table(rows, query))
    if compared:
        table = Table("quarter", f"P({codes[0]} > {codes[1]})", "P(equal)", title="Compared", title_justify="left")
        for row in compared:
            table.add_row(row["quarter"], f"{row['p_above']:.2f}", f"{row['p_equal']:.2f}")
        console.print(table)


def counts_table(rows: Sequence[dict[str, Any]], query: Query) -> Table:
    """The rows for a person."""
    title = (
        f"{query.unit} per quarter with an entity of the country as {role_word(query.roles)} of: {escape(query.name)}"
    )
    table = Table(
        "quarter", "country", "mean", "95 % interval", "1-best", "articles", title=title, title_justify="left"
    )
    for row in rows:
        table.add_row(
            row["quarter"], row["country"], f"{row['mean']:.1f}", f"{row['q025']} to {row['q975']}",
            str(row["map_count"]), f"{row['n_docs']:,}",
        )  # fmt: skip
    table.caption = "mean and exact interval of the posterior; 1-best: by the likeliest clustering alone"
    return table
