"""`credence uncertain`: the articles that the model is least sure of.

Covers: choosing and listing them.
Not here: why (`credence explain`).
"""

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from flows.report.articles import by_uncertainty
from flows.report.rows import EventRows
from workers.runs import Run
from workers.schemas import ANNOTATIONS

COLUMNS = ["doc_id", "published", "country", "p", "map"]


def show_uncertain(run: Run, near: float, countries: Sequence[str], limit: int, *, as_json: bool) -> None:
    """Print the rows nearest to a probability, of all countries or some."""
    found = uncertain_rows(run, near, countries, limit)
    if as_json:
        sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in found)
        return
    console = Console(highlight=False)
    if not found:
        where = f" for {', '.join(countries)}" if countries else ""
        console.print(f"No article has a positive probability{where}.", soft_wrap=True)
        return
    table = Table("probability", "1-best", "country", "published", "article", "title")
    for row in found:
        best = "yes" if row["map"] else "no"
        table.add_row(
            f"{row['p']:.2f}", best, row["country"], row["published"], Text(row["doc_id"]), Text(row["title"])
        )
    console.print(table)


def uncertain_rows(run: Run, near: float, countries: Sequence[str], limit: int) -> list[dict[str, Any]]:
    """Rows of the event samples whose probability is nearest to `near`, with titles; at most `limit`."""
    rows = _rows(run, set(countries))
    chosen = by_uncertainty(rows, near=near)[:limit].tolist()
    titles = _titles(run, rows, chosen)
    return [
        {
            "doc_id": rows.doc_id[row], "published": str(rows.published[row]), "country": rows.country[row],
            "p": float(rows.p[row]), "map": bool(rows.best[row]), "title": titles.get(rows.doc_id[row], ""),
        }
        for row in chosen
    ]  # fmt: skip


def _rows(run: Run, countries: set[str]) -> EventRows:
    found: dict[str, list[Any]] = {name: [] for name in [*COLUMNS, "chunk"]}
    for chunk, table in run.event_samples(COLUMNS):
        for row in table.to_pylist():
            if not countries or row["country"] in countries:
                for name in COLUMNS:
                    found[name].append(row[name])
                found["chunk"].append(chunk)
    p, best = np.array(found["p"], dtype=np.float64), np.array(found["map"], dtype=np.bool_)
    return EventRows(found["doc_id"], found["published"], found["country"], p, best, found["chunk"])


def _titles(run: Run, rows: EventRows, chosen: list[int]) -> dict[str, str]:
    wanted: dict[str, set[str]] = defaultdict(set)
    for row in chosen:
        wanted[rows.chunk[row]].add(rows.doc_id[row])
    titles: dict[str, str] = {}
    for chunk, ids in wanted.items():
        name = f"annotations/{run.manifest['annotator_id']}/{chunk}.parquet"
        table = run.warehouse.read_table(name, ANNOTATIONS, ["doc_id", "title"])
        pairs = zip(table["doc_id"].to_pylist(), table["title"].to_pylist(), strict=True)
        titles |= {doc_id: title for doc_id, title in pairs if doc_id in ids}
    return titles
