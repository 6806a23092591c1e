"""The counts of the demonstration beside the truth, in the terminal.

Covers: a table by country, a chart of two rivals, the balance, what to try next.
Not here: the figures (`flows.jobs.demo`).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from flows.jobs.counts import comparison
from flows.jobs.demo import RIVALS, Answers, Cell, DemoReport
from flows.report.anchored import level_rows

COUNTRIES_SHOWN = 12
BAR = 4
"""Characters of the chart per article."""


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
    table.caption = "1-best: one best reading of each article; truth: what the invented articles were written to say"
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
    """How well the run did overall."""
    cells = sorted({*answers.truth, *answers.samples})
    held = sum(_holds(answers, cell) for cell in cells)
    expected = sum(float(sample.mean()) for sample in answers.samples.values())
    true, best = sum(answers.truth.values()), sum(answers.best.values())
    return (
        f"\nIn all, {true} attackers are described; the posterior expects {expected:.0f}, the 1-best readings "
        f"find {best}. The 95 % interval holds the truth in {held} of {len(cells)} quarters and countries. "
        f"The models cannot yet read the rest; docs/demonstration.md says where.\n"
    )


def with_labels(report: DemoReport) -> Group:
    """Raw and anchored totals beside the truth; the labels are simulated, and it says so."""
    table = Table(
        "count of", "models alone", "95 %", "with labels", "95 %", "truth",
        title="\nAnchored counts: models and labels together", title_justify="left",
    )  # fmt: skip
    rows = level_rows(report.anchored.rows, "total") + level_rows(report.anchored.rows, "country")[:COUNTRIES_SHOWN]
    truth = report.answers.truth
    held = 0
    for row in rows:
        true = sum(count for cell, count in truth.items() if row["country"] in (None, cell[1]))
        held += row["lo"] <= true <= row["hi"]
        table.add_row(
            row["country"] or "all", f"{row['raw_mean']:.0f}", f"{row['raw_lo']:.0f} to {row['raw_hi']:.0f}",
            f"{row['estimate']:.0f}", f"{row['lo']:.0f} to {row['hi']:.0f}", str(true),
        )  # fmt: skip
    return Group(
        table,
        Text(
            f"{report.anchored.labelled} articles of a random sample were answered. Nobody read them: the answers are "
            f"simulated from the known truth, as of a perfect reader. {held} of these {len(rows)} intervals "
            f"hold the truth. They promise 95 % whatever the models get wrong; docs/anchoring.md has the measurements."
        ),
    )


def next_steps(root: str) -> str:
    """What to try next."""
    return (
        f"\nNext (after `. .venv/bin/activate`, if credence is not on your path):\n"
        f"  credence counts {root} --country {RIVALS[0]} --country {RIVALS[1]}\n"
        f"  credence uncertain {root}             articles the model is least sure of\n"
        f"  credence explain {root} DOC_ID        why an article counts\n"
        f"  DuckDB, pandas or polars on {root}/latest/counts.parquet\n"
        f"  README.md, for your own archive"
    )


def _holds(answers: Answers, cell: Cell) -> bool:
    row = next((row for row in answers.rows if (row["quarter"], row["country"]) == cell), None)
    true = answers.truth.get(cell, 0)
    return true == 0 if row is None else row["q025"] <= true <= row["q975"]
