"""Uncertain: the articles that the model is least sure of.

Covers: choosing them, with their titles.
Not here: why (`flows.jobs.explain`).
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from flows.jobs.choosing import chosen_run, country_codes
from flows.jobs.progress import OnProgress, quiet
from flows.jobs.requests import UncertainRequest
from flows.report.articles import by_uncertainty
from flows.report.rows import EventRows
from workers.event_samples import row_words
from workers.runs import Run
from workers.schemas import ANNOTATIONS

COLUMNS = ["doc_id", "published", "country", "p", "map"]


@dataclass(frozen=True, slots=True)
class UncertainReport:
    """Articles and countries, nearest probability first, and the requested codes."""

    rows: list[dict[str, Any]]
    countries: list[str]


def uncertain(request: UncertainRequest, *, on_progress: OnProgress = quiet) -> UncertainReport:  # noqa: ARG001  takes no time
    """Rows of the event samples whose probability is nearest to `near`."""
    run, settings = chosen_run(request.warehouse, request.run_id)
    countries = country_codes(settings.query, request.countries)
    rows = _rows(run, set(countries))
    chosen = by_uncertainty(rows, near=request.near)[: request.limit].tolist()
    titles = _titles(run, rows, chosen)
    found = [
        {
            "doc_id": rows.doc_id[row], "published": str(rows.published[row]), "country": rows.country[row],
            "p": float(rows.p[row]), "map": bool(rows.best[row]), "title": titles.get(rows.doc_id[row], ""),
        }
        for row in chosen
    ]  # fmt: skip
    return UncertainReport(found, countries)


def _rows(run: Run, countries: set[str]) -> EventRows:
    found: dict[str, list[Any]] = {name: [] for name in [*COLUMNS, "chunk"]}
    for chunk, table in run.event_samples([*COLUMNS, "target"]):
        for row, word in zip(table.to_pylist(), row_words(table), strict=True):
            if not countries or word in countries:
                row["country"] = word
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
        name = run.annotations_path(chunk)
        table = run.warehouse.read_table(name, ANNOTATIONS, ["doc_id", "title"])
        pairs = zip(table["doc_id"].to_pylist(), table["title"].to_pylist(), strict=True)
        titles |= {doc_id: title for doc_id, title in pairs if doc_id in ids}
    return titles
