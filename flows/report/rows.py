"""The event samples of a run, without their text: one row per article and country, and their sums per period.

Covers: reading the samples chunk by chunk, adding up bits exactly for months, quarters and years.
Not here: which of them a page shows (`series`, `articles`).

Rows are articles that may count, about one in a hundred of an archive, so they fit in memory. Bits are not kept, and
sums are finished as soon as their quarter or year is complete, so memory grows with the counts, not with the files.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import pyarrow as pa

from calib_core.arrays import Bools, Floats
from calib_core.events import Counts, Tally, empty_tally, posterior_counts, tally
from flows.report.periods import SPANS, Span, key_of
from workers.event_samples import added_by, row_words
from workers.runs import Run

TOGETHER: dict[Span, Span] = {"month": "quarter", "quarter": "quarter", "year": "year"}
"""Files come quarter by quarter: after this period ends, no more rows of the span's periods follow."""
SAMPLES_KEPT = 1000
"""Samples kept of months and years, for comparisons; quarters keep all. All figures use all samples."""

ARRAYS = ("mean", "sd", "lo", "hi", "q025", "q500", "q975", "map_count", "n_docs", "n_possible", "samples")
PARTS = ["from_coreference", "from_syntax"]
COLUMNS = ["doc_id", "published", "country", "target", "p", "map", "bits", "entities", *PARTS]


@dataclass(frozen=True, slots=True)
class EventRows:
    """Articles that may count, one row per article and country; every field has length n_rows.

    For a query with targets a country may be `AGENT>TARGET`; the agent alone is any target or none. The last three are
    variances of each row's answer: all of it, and what comes from one doubt alone (None where a run does not tell).
    """

    doc_id: Sequence[str]
    published: Sequence[date]
    country: Sequence[str]
    p: Floats
    best: Bools
    chunk: Sequence[str]
    variance: Floats | None = None
    from_coreference: Floats | None = None
    from_syntax: Floats | None = None

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.doc_id)


def read_rows(run: Run, advance: Callable[[], None] = lambda: None) -> tuple[EventRows, dict[Span, Counts]]:
    """All rows of a run, and its posterior counts per month, quarter and year.

    Parameters
    ----------
    run : Run
    advance : callable
        Called after every chunk, for a progress bar.
    """
    unit, n_samples = run.manifest["query"]["unit"], int(run.manifest["samples"])
    sums = {span: _Sums(span, empty_tally(n_samples, unit=unit)) for span in SPANS}
    tables, chunks, variances = [], [], []
    for chunk, table in run.event_samples(COLUMNS):
        samples, best = added_by(table, n_samples=n_samples, unit=unit)
        days, countries = table.column("published").to_pylist(), row_words(table)
        for span in SPANS:
            keys = [key_of(day, span) for day in days]
            sums[span].add(key_of(days[0], TOGETHER[span]), tally(keys, countries, samples, best, unit=unit))
        variances.append(samples.var(axis=1, ddof=1))
        tables.append(table.drop_columns(["bits", "entities"]))
        chunks.extend([chunk] * table.num_rows)
        advance()
    return _rows(tables, chunks, variances), {span: part.counts() for span, part in sums.items()}


class _Sums:
    """Adds up tallies that come period by period, and keeps only counts of the periods that are complete."""

    def __init__(self, span: Span, nothing: Tally) -> None:
        self.kept = nothing.n_samples if span == "quarter" else SAMPLES_KEPT
        self.period, self.open = "", nothing
        self.nothing, self.closed = nothing, list[Counts]()

    def add(self, period: str, part: Tally) -> None:
        """Add the tally of a chunk; a new period closes the one before."""
        if period != self.period:
            self._close()
        self.period, self.open = period, self.open + part

    def counts(self) -> Counts:
        """All of them, in order."""
        self._close()
        parts = self.closed or [self._finished(self.nothing)]
        arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}
        errors = {name: np.concatenate([part.errors[name] for part in parts]) for name in parts[0].errors}
        cells = tuple(cell for part in parts for cell in part.cells)
        return Counts(unit=parts[0].unit, cells=cells, errors=errors, **arrays)

    def _close(self) -> None:
        if self.open.cells:
            self.closed.append(self._finished(self.open))
        self.open = self.nothing

    def _finished(self, total: Tally) -> Counts:
        counts = posterior_counts(total)
        return replace(counts, samples=counts.samples[:, : self.kept].astype(np.int32))


def _rows(tables: list[pa.Table], chunks: list[str], variances: list[Floats]) -> EventRows:
    if not tables:
        return EventRows((), (), (), np.zeros(0), np.zeros(0, dtype=np.bool_), (), np.zeros(0))
    table = pa.concat_tables(tables)
    doc_id, published = (table.column(name).to_pylist() for name in ("doc_id", "published"))
    country = row_words(table)
    p = table.column("p").to_numpy()
    best = np.array(table.column("map").to_pylist(), dtype=np.bool_)
    parts = [table.column(name).to_numpy() if name in table.column_names else None for name in PARTS]
    return EventRows(doc_id, published, country, p, best, chunks, np.concatenate(variances), *parts)
