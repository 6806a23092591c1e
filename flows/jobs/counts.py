"""Counts: rows of the posterior counts of a run, and two countries compared.

Covers: choosing rows, the probability that one country's count is above another's.
Not here: computing counts (`workers.propagate`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from calib_core.events import Query
from calib_core.events.dyads import ANY_TARGET, dyad
from flows.jobs.choosing import chosen_run, country_codes, target_codes
from flows.jobs.progress import OnProgress, quiet
from flows.jobs.requests import CountsRequest
from flows.report.anchored import anchored_of


@dataclass(frozen=True, slots=True)
class CountsReport:
    """The chosen rows.

    Attributes
    ----------
    run_id : str
    query : Query
    countries : list of str
        Codes of the countries that were asked for; with a target `AGENT>TARGET`. Of one such pair also its reverse.
    rows : list of dict
        As in `counts.parquet`, by quarter and country.
    anchored : list of dict
        The chosen rows as the labels of a sample anchor them, as in `anchored.parquet`; none without labels.
    comparison : list of dict
        One row per quarter if two countries were asked for, otherwise empty.
    """

    run_id: str
    query: Query
    countries: list[str]
    rows: list[dict[str, Any]]
    comparison: list[dict[str, Any]]
    anchored: list[dict[str, Any]]


def counts(request: CountsRequest, *, on_progress: OnProgress = quiet) -> CountsReport:  # noqa: ARG001  takes no time
    """Read the rows; with two countries, also compare them."""
    _check_quarters(request.first, request.last)
    run, settings = chosen_run(request.warehouse, request.run_id)
    codes = country_codes(settings.query, request.countries)
    targets = target_codes(settings.query, request.targets)
    table = run.counts()
    rows = select(table, codes, request.first, request.last, targets)
    words = [dyad(code, target) for code in codes for target in targets or [ANY_TARGET]]
    if len(codes) == len(targets) == 1:  # a pair is compared with its reverse
        words = [dyad(codes[0], targets[0]), dyad(targets[0], codes[0])]
    both = [{**row, "country": _word(row)} for row in select(table, (), request.first, request.last)]
    compared = comparison([row for row in both if row["country"] in words], *words) if len(words) == 2 else []
    anchored = [row for row in anchored_of(run) if _chosen(row, codes, targets, request.first, request.last)]
    return CountsReport(run.run_id, settings.query, words, rows, compared, anchored)


def _chosen(
    row: Mapping[str, Any], codes: Sequence[str], targets: Sequence[str], first: str | None, last: str | None
) -> bool:
    """Whether an anchored row is about what was asked for; sums over all quarters only where none were asked for."""
    if row["country"] is None:
        return not codes and _within(row, first, last)
    about = (not codes or row["country"] in codes) and (not targets or row["target"] in targets)
    return about and _within(row, first, last)


def _within(row: Mapping[str, Any], first: str | None, last: str | None) -> bool:
    if row["quarter"] is None:
        return first is None and last is None
    return (first is None or row["quarter"] >= first) and (last is None or row["quarter"] <= last)


def _word(row: dict[str, Any]) -> str:
    """Agent and target of a row in one word."""
    return dyad(row["country"], row.get("target", ANY_TARGET))


def select(
    table: pa.Table, countries: Sequence[str] = (), first: str | None = None, last: str | None = None,
    targets: Sequence[str] = (),
) -> list[dict[str, Any]]:  # fmt: skip
    """Rows of the counts, by quarter, country and target."""
    rows = [
        row
        for row in table.to_pylist()
        if (not countries or row["country"] in countries)
        and (not targets or row.get("target") in targets)
        and (first is None or row["quarter"] >= first)
        and (last is None or row["quarter"] <= last)
    ]
    return sorted(rows, key=lambda row: (row["quarter"], row["country"], row.get("target", "")))


def comparison(rows: Sequence[dict[str, Any]], first: str, second: str) -> list[dict[str, Any]]:
    """P(first > second) and P(equal) in each quarter that has a row of either; no row means zero in every sample."""
    samples = {(row["quarter"], row["country"]): np.array(row["samples"]) for row in rows}
    compared = []
    for quarter in sorted({quarter for quarter, _ in samples}):
        a, b = (samples.get((quarter, code), np.zeros(1, dtype=np.int64)) for code in (first, second))
        above, equal = float((a > b).mean()), float((a == b).mean())
        compared.append({"quarter": quarter, "p_above": above, "p_equal": equal, "p_below": 1 - above - equal})
    return compared


def _check_quarters(first: str | None, last: str | None) -> None:
    for name, quarter in (("from", first), ("to", last)):
        if quarter is not None and not (len(quarter) == 6 and quarter[4] == "Q" and quarter[5] in "1234"):
            raise ValueError(f"{name} must be a quarter such as 1995Q1; got {quarter!r}")
    if first and last and first > last:
        raise ValueError(f"from must not be after to; got {first} and {last}")
