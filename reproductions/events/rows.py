"""The figures of the event experiment: counts by period, and what is compared.

Covers: adding up in every way that the page needs, and its rows.
Not here: the samples (`attack_counts`), what the page says (`events`).
"""

from dataclasses import dataclass

from calib_core.events import Comparison, Counts, EventSamples, compare_countries
from reproductions.events.attack_counts import Archive, Period, counts_by, half_month, quarter_start
from reproductions.findings import Row

FEW_SAMPLES = 10


@dataclass(frozen=True, slots=True)
class Study:
    """One archive, what it is counted by, and whom it is about."""

    name: str
    suffix: str
    file: str
    period_name: str
    half_months: int
    one: tuple[str, str]
    """The country over time: code and name."""
    sides: tuple[tuple[str, str], tuple[str, str]]
    """The two that compete."""

    @property
    def period(self) -> Period:
        """What a day is counted under."""
        return half_month if self.half_months == 1 else quarter_start


USA = ("USA", "USA")
REUTERS = Study(
    "Reuters 1987", "", "news/reuters-1987H1.jsonl.gz", "half-month", 1, USA, (("IRQ", "Iraq"), ("IRN", "Iran"))
)
STUDIES = (
    REUTERS,
    Study(
        "current events 2002-2026", "current", "news/current-events-2002-2026.jsonl.gz", "quarter", 6, USA,
        (("RUS", "Russia"), ("UKR", "Ukraine")),
    ),
    Study(
        "Wikinews 2004-2019", "wikinews", "news/wikinews-2004-2019.jsonl.gz", "quarter", 6, USA,
        (("ISR", "Israel"), ("PSE", "Palestine")),
    ),
)  # fmt: skip
"""Which countries, and by what, was decided before the archives were counted."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """Counts of one archive by its periods, and what else is said about them."""

    archive: Archive
    samples: EventSamples
    counts: Counts
    few: Counts
    """From the first ten samples."""
    entities: Counts
    """Counting entities instead of documents."""
    duels: tuple[Comparison, ...]
    periods: list[str]
    """Every period that has an article."""


def analyse(archive: Archive, samples: EventSamples, study: Study) -> Analysis:
    """Add up the samples in every way that the page needs."""
    if not len(samples):
        raise ValueError("no article of the archive counts for any country, so there is nothing to compare")
    counts = counts_by(samples, archive, study.period)
    return Analysis(
        archive=archive,
        samples=samples,
        counts=counts,
        few=counts_by(samples, archive, study.period, first=FEW_SAMPLES),
        entities=counts_by(samples, archive, study.period, unit="entities"),
        duels=compare_countries(counts, *(code for code, _ in study.sides)),
        periods=sorted({study.period(day) for day in archive.per_day}),
    )


def rows(analysis: Analysis, study: Study) -> tuple[Row, ...]:
    """Every figure of one archive."""
    return (*_archive_rows(analysis, study), *_country_rows(analysis, study), *_duel_rows(analysis, study))


def _archive_rows(analysis: Analysis, study: Study) -> list[Row]:
    archive, p = analysis.archive, analysis.samples.p
    return [
        Row(study.name, "articles", float(archive.per_day.total()), theirs=193_403.0),
        Row(study.name, "articles past the gate", float(len(archive.articles))),
        Row(study.name, "articles that count in some sample", float(len(set(analysis.samples.document)))),
        Row(study.name, "samples a document", float(analysis.samples.entities.shape[1]), theirs=100.0),
        Row(study.name, "share of articles and countries between 0.1 and 0.9", float(((p > 0.1) & (p < 0.9)).mean())),
    ]


def _country_rows(analysis: Analysis, study: Study) -> list[Row]:
    """Posterior mean with the paper's interval, the 1-best beside it; off the page, which has the picture."""
    counts, names = analysis.counts, dict((study.one, *study.sides))
    return [
        Row(
            f"{study.name}: articles with an attacker, posterior mean",
            f"{names.get(code, code)}, {key}",
            float(counts.mean[number]),
            lo=float(counts.lo[number]),
            hi=float(counts.hi[number]),
            note=f"1-best {counts.map_count[number]}; exact quantiles {counts.q025[number]} to {counts.q975[number]}",
            detail=study is not REUTERS or code not in names,
        )
        for number, (key, code) in enumerate(counts.cells)
    ]


def _duel_rows(analysis: Analysis, study: Study) -> list[Row]:
    first, second = (name for _, name in study.sides)
    return [
        Row(
            f"{study.name}: P({first} > {second})",
            duel.a[0],
            duel.p_greater,
            note=f"equal {duel.p_equal:.2f}, below {duel.p_less:.2f}; difference {duel.difference:+.2f} "
            f"({duel.lo:+.2f} to {duel.hi:+.2f}); 1-best {best_count(analysis.counts, duel.a)} against "
            f"{best_count(analysis.counts, duel.b)}",
            detail=study is not REUTERS,
        )
        for duel in analysis.duels
    ]


def best_count(counts: Counts, cell: tuple[str, str]) -> int:
    """Count of a key and country under the 1-best clustering."""
    row = counts.row(cell)
    return 0 if row is None else int(counts.map_count[row])
