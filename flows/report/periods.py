"""Months, quarters and years: their keys, first days, and which of them the archive covers.

Covers: the time axis of the charts.
Not here: what is counted in each period (`series`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

import pyarrow.parquet as pq

from workers.quarters import quarter_of
from workers.runs import Run

Span = Literal["month", "quarter", "year"]
SPANS: tuple[Span, ...] = ("month", "quarter", "year")

MAX_FOOTERS = 4000
"""Most archive files whose first and last day are looked up; with more, every month of a quarter counts as covered,
because opening that many files would take longer than the rest of the report."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Consecutive periods from the first covered one to the last.

    Attributes
    ----------
    keys : tuple of str
        "1987-03", "1987Q1" or "1987".
    covered : tuple of bool
        Whether the archive has articles then; only there does a count of zero mean anything.
    """

    keys: tuple[str, ...]
    covered: tuple[bool, ...]


def key_of(day: date, span: Span) -> str:
    """The period that a day is in.

    Examples
    --------
    >>> [key_of(date(1987, 5, 1), span) for span in SPANS]
    ['1987-05', '1987Q2', '1987']
    """
    if span == "month":
        return f"{day.year:04d}-{day.month:02d}"
    return quarter_of(day) if span == "quarter" else f"{day.year:04d}"


def first_day(key: str) -> date:
    """The day on which a period begins.

    Examples
    --------
    >>> [str(first_day(key)) for key in ("1987-05", "1987Q2", "1987")]
    ['1987-05-01', '1987-04-01', '1987-01-01']
    """
    year = int(key[:4])
    if "Q" in key:
        return date(year, 3 * int(key[5:]) - 2, 1)
    return date(year, int(key[5:]) if len(key) > 4 else 1, 1)


def axis(months: Iterable[str], span: Span) -> Axis:
    """The axis of a span, given the months that the archive covers."""
    covered = {key_of(first_day(month), span) for month in months}
    if not covered:
        return Axis((), ())
    days = _month_starts(first_day(min(covered)), first_day(max(covered)))
    keys = tuple(dict.fromkeys(key_of(day, span) for day in days))
    return Axis(keys, tuple(key in covered for key in keys))


def covered_months(run: Run) -> list[str]:
    """Months in which the run's part of the archive has articles, according to file footers."""
    quarters = sorted(key for key, figures in run.manifest["quarters"].items() if figures["n_docs"])
    ranges = _chunk_days(run) or [_quarter_days(quarter) for quarter in quarters]
    months = {key_of(day, "month") for first, last in ranges for day in _month_starts(first, last)}
    since, until = str(run.manifest.get("since") or "")[:7], str(run.manifest.get("until") or "9999")[:7]
    kept = {key_of(first_day(month), "quarter") for month in months} & set(quarters)
    return sorted(m for m in months if since <= m <= until and key_of(first_day(m), "quarter") in kept)


def _chunk_days(run: Run) -> list[tuple[date, date]]:
    """First and last day of each of the run's chunks, by its footer; empty if too many or without statistics.

    The run's own chunks, not the archive's folder: a later ingest must not change what an earlier run covers.
    """
    names = run.manifest["chunks"]
    if not names or len(names) > MAX_FOOTERS:
        return []
    found: list[tuple[date, date]] = []
    for name in names:
        with run.warehouse.filesystem.open_input_file(run.warehouse.path(name)) as file:
            footer = pq.ParquetFile(file).metadata
            column = footer.schema.to_arrow_schema().get_field_index("published")
            groups = [footer.row_group(number).column(column).statistics for number in range(footer.num_row_groups)]
        if any(group is None or not group.has_min_max for group in groups):
            return []
        if groups:
            found.append((min(group.min for group in groups), max(group.max for group in groups)))
    return found


def _quarter_days(quarter: str) -> tuple[date, date]:
    start = first_day(quarter)
    return start, start.replace(month=start.month + 2)


def _month_starts(first: date, last: date) -> list[date]:
    """The first days of all months from that of `first` to that of `last`."""
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    months = [first.month - 1 + number for number in range(count)]
    return [date(first.year + month // 12, month % 12 + 1, 1) for month in months]
