"""What users see: probabilities of events, and intervals of their counts over groups of documents.

Covers: calibration of event probabilities, generic and of the bundled queries; coverage of count intervals.
Not here: the events (`calib_core.events.generic`), the intervals (`calib_core.events.coverage`).

Documents are put into groups at random, like the articles of a quarter. Two kinds of count: how many documents of a
group have one event, such as "president, say" (the paper's equation 4: independent documents, Poisson-binomial, for
each event that is expected at least `LEAST_MEAN` times), and how many events all documents of a group have together
(events of one document depend on the same mentions, so their joint samples are used).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.events import poisson_binomial
from calib_core.events.coverage import sample_pmf
from workers.calibration.measure import DocumentFigures, EventRows
from workers.calibration.metrics import LIKELY, coverage_rows
from workers.calibration.rows import Place, Row, Stated, Tables, calibration_tables, metric_row

GROUP_SIZES = (5, 10)
LEAST_MEAN = 0.5
PARTITIONS = 20
"""Random groupings of the documents to average over. Only groups of one grouping are independent, so the interval of
the average is as wide as that of one."""

_EVENT_BIN = 200

Count = tuple[Floats, int, int]
"""Predicted distribution, true number, and the number of the group."""


def event_tables(place: Place, figures: Sequence[DocumentFigures]) -> Tables:
    """Generic events on the mode's own trees, end to end if the trees are the parser's, and the bundled queries."""
    tables = tables_of_events(replace(place, query="events"), [one.events for one in figures])
    whole = [one.end_to_end for one in figures]
    if all(rows is not None for rows in whole):
        tables.add(
            tables_of_events(replace(place, query="events end to end"), [rows for rows in whole if rows is not None])
        )
    for name in sorted(figures[0].queries) if figures else ():
        rows = [one.queries[name] for one in figures]
        tables.add(tables_of_events(replace(place, query=f"query {name}"), rows))
    return tables


def tables_of_events(place: Place, rows: Sequence[EventRows]) -> Tables:
    """Calibration of predicted events, one entry of `rows` per document, and coverage of counts in random groups."""
    stated = Stated.joined((one.pred, one.label) for one in rows)
    tables = calibration_tables(place, stated, detail=True)
    likely = stated.where(stated.pred > LIKELY)
    where = replace(place, slice=f"q > {LIKELY}")
    tables.add(calibration_tables(where, likely, bin_size=_EVENT_BIN if len(likely) < 20_000 else None, detail=True))
    tables.metrics += _best_rows(place, rows)
    tables.coverage += _count_coverage(place, rows)
    return tables


def _best_rows(place: Place, rows: Sequence[EventRows]) -> list[Row]:
    """The share of true events that the 1-best clustering finds and that the samples expect; and precision."""
    true = sum(float(one.label.sum()) for one in rows)
    found = sum(float((one.label * one.best).sum()) for one in rows)
    stated = sum(float(one.best.sum()) for one in rows)
    expected = sum(float((one.label * one.pred).sum()) for one in rows)
    figures = {
        "best_recall": (found, true), "expected_recall": (expected, true), "best_precision": (found, stated),
        "expected_events_per_true": (sum(float(one.pred.sum()) for one in rows), true),
        "best_events_per_true": (stated, true),
    }  # fmt: skip
    return [
        metric_row(place, name, part / whole, int(whole), len(rows)) for name, (part, whole) in figures.items() if whole
    ]


def _count_coverage(place: Place, rows: Sequence[EventRows]) -> list[Row]:
    found: list[Row] = []
    for size in GROUP_SIZES if any(len(one.events) for one in rows) else ():
        if len(rows) < 2 * size:
            continue
        totals: list[Count] = []
        single: list[Count] = []
        for partition in range(PARTITIONS):
            for group in _groups(len(rows), size, partition):
                members = [rows[d] for d in group]
                single += [(pmf, truth, len(totals)) for pmf, truth in _each_event(members)]
                totals.append((*_total(members), len(totals)))
        level = f"{size} documents"
        found += _rows_of(replace(place, slice="all events together"), level, totals)
        found += _rows_of(replace(place, slice="each event"), level, single)
    return found


def _rows_of(place: Place, level: str, counts: Sequence[Count]) -> list[Row]:
    if not counts:
        return []
    pmfs, truths, groups = zip(*counts, strict=True)
    return coverage_rows(place, level, pmfs, truths, np.array(groups), repeats=PARTITIONS)


def _groups(n_documents: int, size: int, partition: int) -> Iterator[Ints]:
    """Disjoint random groups; leftover documents are not used."""
    order = np.random.default_rng([n_documents, size, partition]).permutation(n_documents)
    for start in range(0, n_documents - size + 1, size):
        yield order[start : start + size]


def _total(members: Sequence[EventRows]) -> tuple[Floats, int]:
    """Distribution of the number of events in a group, and the true number."""
    samples = np.sum([one.totals for one in members], axis=0)
    return sample_pmf(samples), int(sum(one.label.sum() for one in members))


def _each_event(members: Sequence[EventRows]) -> Iterator[tuple[Floats, int]]:
    """For each event that the group is expected to have: the distribution of its documents, and the true number."""
    stated: dict[tuple[str, str], list[float]] = defaultdict(list)
    true: dict[tuple[str, str], float] = defaultdict(float)
    for one in members:
        for event, p, label in zip(one.events, one.pred.tolist(), one.label.tolist(), strict=True):
            stated[event].append(p)
            true[event] += label
    for event in sorted(stated):
        if sum(stated[event]) >= LEAST_MEAN:
            yield poisson_binomial(np.array(stated[event])).pmf, int(true[event])
