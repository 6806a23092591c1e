"""The figures of the event experiment: counts by period, and what is compared.

Covers: adding up in every way that the page needs, and its rows.
Not here: the samples (`attack_counts`), what the page says (`events`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.events import Comparison, Counts, EventSamples, compare_countries
from reproductions.events.attack_counts import Archive, counts_by, half_month, month, quarter
from reproductions.findings import Row

COUNTRIES = {"USA": "USA", "IRQ": "Iraq", "IRN": "Iran"}
FEW_SAMPLES = 10


@dataclass(frozen=True, slots=True)
class Analysis:
    """Counts by half-month, month and quarter, and what else is said about them."""

    archive: Archive
    samples: EventSamples
    halves: Counts
    months: Counts
    quarters: Counts
    few: Counts
    """Halves, from the first ten samples."""
    entities: Counts
    """Halves, counting entities instead of documents."""


def analyse(archive: Archive, samples: EventSamples) -> Analysis:
    """Add up the samples in every way that the page needs."""
    if not len(samples):
        raise ValueError("no article of the archive counts for any country, so there is nothing to compare")
    return Analysis(
        archive=archive,
        samples=samples,
        halves=counts_by(samples, archive, half_month),
        months=counts_by(samples, archive, month),
        quarters=counts_by(samples, archive, quarter),
        few=counts_by(samples, archive, half_month, first=FEW_SAMPLES),
        entities=counts_by(samples, archive, half_month, unit="entities"),
    )


def rows(analysis: Analysis, duels: tuple[Comparison, ...]) -> tuple[Row, ...]:
    """Every figure of the page."""
    return (*_archive_rows(analysis), *_country_rows(analysis), *_duel_rows(analysis, duels), *_doubt_rows(analysis))


def _archive_rows(analysis: Analysis) -> list[Row]:
    archive, table = analysis.archive, "The archive"
    return [
        Row(table, "articles", float(archive.per_day.total()), theirs=193_403.0),
        Row(table, "articles past the gate", float(len(archive.articles))),
        Row(table, "articles that count for some country in some sample", float(len(set(analysis.samples.document)))),
        Row(table, "samples a document", float(analysis.samples.entities.shape[1]), theirs=100.0),
    ]


def _country_rows(analysis: Analysis) -> list[Row]:
    """Posterior mean with the paper's interval, the 1-best beside it."""
    rows = []
    for heading, counts in (
        ("quarter", analysis.quarters),
        ("month", analysis.months),
        ("half-month", analysis.halves),
    ):
        for number, (key, code) in enumerate(counts.cells):
            rows.append(
                Row(
                    f"Articles with an attacker, by {heading}: posterior mean",
                    f"{COUNTRIES.get(code, code)}, {key}",
                    float(counts.mean[number]),
                    lo=float(counts.lo[number]),
                    hi=float(counts.hi[number]),
                    note=f"1-best {counts.map_count[number]}; exact quantiles {counts.q025[number]} "
                    f"to {counts.q975[number]}",
                    detail=code not in COUNTRIES or heading == "half-month",
                )
            )
    return rows


def _duel_rows(analysis: Analysis, duels: tuple[Comparison, ...]) -> list[Row]:
    months = compare_countries(analysis.months, "IRQ", "IRN")
    rows = []
    for heading, found, counts in (("month", months, analysis.months), ("half-month", duels, analysis.halves)):
        for duel in found:
            note = (
                f"equal {duel.p_equal:.2f}, below {duel.p_less:.2f}; difference {duel.difference:+.2f} "
                f"({duel.lo:+.2f} to {duel.hi:+.2f}); "
                f"1-best {best_count(counts, duel.a)} against {best_count(counts, duel.b)}"
            )
            rows.append(Row(f"P(Iraq > Iran), by {heading}", duel.a[0], duel.p_greater, note=note))
    return rows


def _doubt_rows(analysis: Analysis) -> list[Row]:
    """The documents nearest to one half."""
    p, samples = analysis.samples.p, analysis.samples
    nearest = np.argsort(np.abs(p - 0.5), kind="stable")[:8]
    return [
        Row(
            "The least certain documents: P(counts)",
            f"{analysis.archive.articles[samples.document[row]].doc_id}, {samples.country[row]}",
            float(p[row]),
            note=f"1-best {'yes' if samples.best[row] else 'no'}",
        )
        for row in nearest.tolist()
    ]


def best_count(counts: Counts, cell: tuple[str, str]) -> int:
    """Count of a key and country under the 1-best clustering."""
    row = counts.row(cell)
    return 0 if row is None else int(counts.map_count[row])
