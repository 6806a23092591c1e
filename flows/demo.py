"""`credence demo`: the whole service on the demonstration archive, in one command.

Covers: ingest, propagate, a table and a chart in the terminal, the truth beside them, where to look next.
Not here: the archive (`flows.demonstration`); any step of the work: they are those of the other commands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from calib_core.arrays import Ints
from flows.cluster_options import cluster_config
from flows.counts_command import comparison
from flows.demonstration import ARCHIVE, read_truth
from flows.failures import exit_codes
from flows.propagate_command import Request, propagate_request
from flows.report.writing import write_report
from workers.explanations import RunSettings
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.runs import Run, open_run
from workers.schemas import ARCHIVE as SCHEMA
from workers.storage import Warehouse

RIVALS = ("ETH", "ERI")
"""Two countries at war in the archive, whose counts overlap."""
COUNTRIES_SHOWN, ARTICLES_SHOWN = 12, 1000
BAR = 4
"""Characters of the chart for one article."""

Cell = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Answers:
    """What the run found, and what is true, by quarter and country."""

    samples: Mapping[Cell, Ints]
    best: Mapping[Cell, int]
    truth: Mapping[Cell, int]
    rows: Sequence[dict[str, Any]]

    def total(self, country: str) -> tuple[Ints, int, int]:
        """Samples, 1-best and truth of all quarters together."""
        found = [sample for cell, sample in self.samples.items() if cell[1] == country]
        best = sum(count for cell, count in self.best.items() if cell[1] == country)
        true = sum(count for cell, count in self.truth.items() if cell[1] == country)
        return np.sum(found, axis=0) if found else np.zeros(1, dtype=np.int64), best, true


def run_demo(out: Path, *, workers: int | None, seed: int) -> None:
    """Run everything on the embedded archive and models; the warehouse stays in `out`."""
    console = Console()
    root = out / "warehouse"
    with exit_codes(Console(stderr=True), "demo"):
        warehouse = Warehouse.open(root)
        report = ingest([str(ARCHIVE)], warehouse, IngestConfig())
        console.print(f"{report.total.read:,} invented articles, 1987 to 2007, are in {root}/archive.")
        cluster = cluster_config(workers, "3GiB", None, tls=(None, None, None))
        console.print(f"Parsing and sampling those that could matter, on {cluster.workers} processes ...")
        published = propagate_request(Request(str(root), seed=seed), cluster, Console(stderr=True))
        run = open_run(warehouse)
        answers = read_answers(run)
    console.print(
        f"{published.gated_out:,} articles cannot matter and were not parsed, {published.counted:,} were, "
        f"{published.quarantined:,} failed.\n"
    )
    console.print(by_country(answers))
    console.print(rivals_chart(answers))
    console.print(summary(answers))
    with exit_codes(Console(stderr=True), "demo"):
        write_report(run, RunSettings.of(run), str(root), out / "report.html", None, RIVALS, ARTICLES_SHOWN)
    console.print(next_steps(root), soft_wrap=True, highlight=False)


def read_answers(run: Run) -> Answers:
    """Counts of the run beside the truth of the archive."""
    truth: dict[Cell, int] = {}
    published = dict(_quarters(run.warehouse))
    for true in read_truth():
        for country in true.countries:
            cell = (published[true.doc_id], country)
            truth[cell] = truth.get(cell, 0) + 1
    rows = run.counts().to_pylist()
    samples = {(row["quarter"], row["country"]): np.array(row["samples"]) for row in rows}
    best = {(row["quarter"], row["country"]): row["map_count"] for row in rows}
    return Answers(samples, best, truth, rows)


def _quarters(warehouse: Warehouse) -> Sequence[tuple[str, str]]:
    """Quarter of each article of the archive."""
    return [
        (doc_id, chunk.quarter)
        for chunk in archive_chunks(warehouse)
        for doc_id in warehouse.read_table(chunk.path, SCHEMA, ["doc_id"]).column("doc_id").to_pylist()
    ]


def by_country(answers: Answers) -> Table:
    """All quarters together, the busiest countries first."""
    totals = {country: answers.total(country) for country in {cell[1] for cell in answers.samples}}
    table = Table(
        "country", "posterior mean", "95 % interval", "1-best", "truth",
        title="How many articles describe an entity of the country as the attacker?", title_justify="left",
    )  # fmt: skip
    for country in sorted(totals, key=lambda code: -totals[code][0].mean())[:COUNTRIES_SHOWN]:
        samples, best, true = totals[country]
        low, high = np.quantile(samples, [0.025, 0.975], method="inverted_cdf")
        table.add_row(country, f"{samples.mean():.1f}", f"{low:.0f} to {high:.0f}", str(best), str(true))
    table.caption = "1-best: by the likeliest clustering alone; truth: how the invented articles were made"
    return table


def rivals_chart(answers: Answers) -> Group:
    """A bar for each quarter of the war: solid up to the mean, light up to the upper end of the interval."""
    quarters = sorted({quarter for quarter, country in answers.truth if country in RIVALS})
    rows = {(row["quarter"], row["country"]): row for row in answers.rows}
    above = {row["quarter"]: row["p_above"] for row in comparison(list(rows.values()), *RIVALS)}
    title = f"{RIVALS[0]} or {RIVALS[1]}: who attacked in more articles?"
    lines = [
        Text(f"\n{title}", style="italic"),
        Text("quarter        mean  ┃ solid: mean, light: 95 % interval, ◆ truth"),
    ]
    for quarter in quarters:
        for number, country in enumerate(RIVALS):
            row = rows.get((quarter, country), {"mean": 0.0, "q975": 0})
            lines.append(_bar(quarter if number == 0 else "", country, row, answers.truth.get((quarter, country), 0)))
        lines.append(Text(f"{'':7}P({RIVALS[0]} > {RIVALS[1]}) = {above.get(quarter, 0.0):.2f}", style="dim"))
    return Group(*lines)


def _bar(quarter: str, country: str, row: Mapping[str, Any], true: int) -> Text:
    solid, light = round(BAR * row["mean"]), round(BAR * row["q975"])
    cells = list("█" * solid + "░" * max(light - solid, 0)) + [" "] * (BAR * true)
    cells[max(BAR * true - 1, 0) : max(BAR * true, 1)] = ["◆"]
    return Text(f"{quarter:7}{country:4}{row['mean']:8.1f}  ┃{''.join(cells).rstrip()}")


def summary(answers: Answers) -> str:
    """How well the run did, all in all."""
    cells = sorted({*answers.truth, *answers.samples})
    held = sum(_holds(answers, cell) for cell in cells)
    expected = sum(float(sample.mean()) for sample in answers.samples.values())
    true, best = sum(answers.truth.values()), sum(answers.best.values())
    return (
        f"\nIn all, {true} attackers are described; the posterior expects {expected:.0f}, the likeliest clusterings "
        f"find {best}. The 95 % interval holds the truth in {held} of {len(cells)} quarters and countries. "
        f"What is missing is what the models cannot yet read; docs/demonstration.md says where.\n"
    )


def next_steps(root: Path) -> str:
    """What to try now."""
    return (
        f"\nNext (after `. .venv/bin/activate`, if credence is not on your path):\n"
        f"  credence counts {root} --country {RIVALS[0]} --country {RIVALS[1]}\n"
        f"  credence uncertain {root}             articles that the model is least sure of\n"
        f"  credence explain {root} DOC_ID        why an article counts\n"
        f"  DuckDB, pandas or polars on {root}/latest/counts.parquet\n"
        f"  README.md, for an archive of your own"
    )


def _holds(answers: Answers, cell: Cell) -> bool:
    row = next((row for row in answers.rows if (row["quarter"], row["country"]) == cell), None)
    true = answers.truth.get(cell, 0)
    return true == 0 if row is None else row["q025"] <= true <= row["q975"]
