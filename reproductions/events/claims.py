"""What section 6 claims, as tests decided before the run, each judged in every archive.

Covers: the figure and the region of each claim.
Not here: the counts (`rows`), the page (`experiment`).
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from calib_core.arrays import Floats
from calib_core.events import Comparison, Counts
from reproductions.events.chart import Point, Series, series_of
from reproductions.events.rows import Analysis, Study, best_count
from reproductions.findings import Claim
from reproductions.resampling import Drawn, share
from reproductions.verdicts import Test

HAZY_STEPS = Test(
    "Intervals show that some ups and downs of a line may be coreference noise.",
    "Of the steps in which the 1-best count changes, the share whose 95 % interval includes no change",
    low=0.05,
)
HAZY_LEADS = Test(
    "Where two sides compete, the 1-best names a leader and the posterior does not.",
    "Of the periods in which the 1-best names a leader, the share in which the interval of the difference includes 0",
    low=0.05,
)
FEW = Test(
    "Ten samples give similar results (footnote 11).",
    "Share of counts whose mean changes by at most half an article",
    low=0.95,
)
ENTITIES = Test(
    "Counting entities instead of documents gives similar results (footnote 11).",
    "Correlation of the means over periods and countries",
    low=0.95,
)
BALKANS = Test(
    "In 1999 the 1-best ranks Yugoslavia and NATO, and the posterior does not.",
    "The interval of the difference in the quarters of 1999",
    low=0.05,
)


def claims(analyses: dict[Study, Analysis]) -> Iterator[Claim]:
    """Every claim in every archive; shares take periods as independent, the correlation draws counts."""
    for study, analysis in analyses.items():
        (line,), _ = panels(study, analysis)
        steps = changes(line)
        yield _share(HAZY_STEPS, study, sum(_hazy(*step) for step in steps), len(steps))
        hazy, decided = undecided(analysis)
        yield _share(HAZY_LEADS, study, len(hazy), len(decided))
        close = np.abs(analysis.few.mean - analysis.counts.mean) <= 0.5
        yield _share(FEW, study, int(close.sum()), len(close))
        yield _named(ENTITIES, study).judged(_correlation(analysis.entities, analysis.counts).estimate())
    yield BALKANS.untestable("No archive here covers 1999.")


def panels(study: Study, analysis: Analysis) -> tuple[list[Series], list[Series]]:
    """The country over time, and the two that compete."""
    series = [
        series_of(analysis.counts, analysis.periods, code, name, half_months=study.half_months)
        for code, name in (study.one, *study.sides)
    ]
    return series[:1], series[1:]


def changes(series: Series) -> list[tuple[Point, Point]]:
    """Neighbouring periods between which the 1-best count changes."""
    pairs = zip(series.points[:-1], series.points[1:], strict=True)
    return [(a, b) for a, b in pairs if a.best != b.best and a.run == b.run]


def undecided(analysis: Analysis) -> tuple[list[Comparison], list[Comparison]]:
    """Periods in which the 1-best names a leader: those that the posterior leaves open, and all."""
    counts = analysis.counts
    decided = [duel for duel in analysis.duels if best_count(counts, duel.a) != best_count(counts, duel.b)]
    return [duel for duel in decided if duel.lo <= 0 <= duel.hi], decided


def _hazy(a: Point, b: Point) -> bool:
    """Whether the interval of the difference of two periods, whose articles are independent, includes zero."""
    return abs(a.mean - b.mean) <= float(np.hypot(a.hi - a.mean, b.hi - b.mean))


def _named(test: Test, study: Study) -> Test:
    return replace(test, claim=f"{test.claim} ({study.name[0].upper()}{study.name[1:]})")


def _share(test: Test, study: Study, held: int, of: int) -> Claim:
    named = _named(test, study)
    return named.judged(share(held, of), f"{held} of {of}.") if of else named.untestable("There is no such period.")


def _correlation(entities: Counts, documents: Counts) -> Drawn:
    pairs = np.column_stack([entities.mean, documents.mean])
    rows = np.random.default_rng(0).integers(0, len(pairs), (1000, len(pairs)))
    return Drawn(_pearson(pairs), np.array([_pearson(pairs[some]) for some in rows]))


def _pearson(pairs: Floats) -> float:
    """Correlation of two columns; 1 where one of them does not vary."""
    left, right = (pairs - pairs.mean(axis=0)).T
    scale = float(np.sqrt((left @ left) * (right @ right)))
    return float(left @ right) / scale if scale else 1.0
