"""The page of experiment `people`: in what sense are the intervals good? As tests decided before the run."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import altair as alt
import numpy as np

from calib_core.arrays import Bools, Floats
from calib_core.calibration import Estimate
from calib_core.events import poisson_binomial
from flows.charts.palette import LIGHT
from reproductions.findings import Claim, Findings, Picture, Row
from reproductions.resampling import Drawn, draw_times, ratio, share
from reproductions.verdicts import Test

if TYPE_CHECKING:  # importing it loads torch
    from reproductions.people.archive import Asked, Redraws

BUDGET, N_REDRAWS = 150, 300
GROUP = 20
"""Articles whose events are counted together to see how often the posterior's intervals hold."""

UNBIASED = Test("Ours: Posterior counts are right on average.", "Events stated over true", 0.9, 1.1)
BEST_LOW = Test("Ours: 1-best counts are too low.", "Events of the 1-best over true", high=1.0)
COVERS = Test(
    "Ours: The posterior's 95 % intervals hold for what people read.",
    f"Share of groups of {GROUP} articles whose true count is inside",
    low=0.9,
)
COVERS_FOUND = Test(
    "Ours: They hold for what the models find at all.",
    f"The same, counting only articles with a positive probability, groups of {GROUP}",
    low=0.9,
)
ANCHORED = Test(
    f"Ours: anchored to {BUDGET} labels, 95 % intervals hold.",
    "Share of redraws whose interval has the true total",
    low=0.93,
)
NARROWER = Test(
    "Ours: The models make them narrower than labels alone.",
    "Width of the anchored interval over that by labels alone, mean over redraws",
    high=1.0,
)

_THEY = """
The paper publishes counts with intervals that carry the doubt of the coreference model, and says that coreference is
only one part of the errors of event extraction. No news was read in full to compare them with."""
_WE = """
IndiaPoliceEvents: {n} articles of March 2002, every one read by people, who said whether the police arrested, killed or
used force. The three bundled queries (`police-arrest`, `police-kill`, `police-force`), shipped parser and coreference
model, 100 samples. Beside the truth stand the posterior count with its exact interval, the count of the 1-best, and
counts anchored to {budget} labels, which are drawn {redraws} times as `credence sample` would and answered by what the
readers said. The queries were written with this half of the corpus at hand, so recall is no forecast; the other half is
kept apart."""
_DATA = (
    "Theirs are New York Times articles without labels. Half of these articles, and their wording, were seen before."
)


def page(found: "dict[str, tuple[Asked, Redraws]]") -> Findings:
    """All of the page."""
    first = next(iter(found.values()))[0]
    counts = "; ".join(
        f"{name} {one.p.sum():.0f} stated, {one.best.sum():.0f} by the 1-best, {one.truth.sum():.0f} true"
        for name, (one, _) in found.items()
    )
    return Findings(
        they=_THEY,
        we=_WE.format(n=len(first.p), budget=BUDGET, redraws=N_REDRAWS),
        data=_DATA,
        rows=tuple(row for name, pair in found.items() for row in _rows(name, *pair)),
        pictures=(Picture("", CAPTION, _chart(found)),),
        claims=tuple(claim for name, pair in found.items() for claim in _claims(name, *pair)),
        verdict=f"{counts}.",
    )


def _rows(name: str, asked: "Asked", redraws: "Redraws") -> Iterator[Row]:
    raw = raw_interval(asked.p)
    yield Row(name, "true articles, by people", float(asked.truth.sum()))
    yield Row(name, "posterior count", raw.value, lo=raw.lo, hi=raw.hi, note="exact Poisson-binomial interval")
    yield Row(name, "1-best count", float(asked.best.sum()))
    ends = (float(redraws.lower.mean()), float(redraws.upper.mean()))
    yield Row(name, "anchored count", sum(ends) / 2, lo=ends[0], hi=ends[1], note="mean ends over redraws")
    alone = (float(redraws.alone_lower.mean()), float(redraws.alone_upper.mean()))
    yield Row(name, "labels alone", sum(alone) / 2, lo=alone[0], hi=alone[1], note="mean ends over redraws")
    held = share(*_held(redraws.alone_lower, redraws.alone_upper, asked.truth))
    yield Row(name, "labels alone: intervals that hold", held.value, lo=held.lo, hi=held.hi)
    missed = float((asked.truth & (asked.p == 0)).sum())
    yield Row(name, "true articles without a positive probability", missed)


def raw_interval(p: Floats) -> Estimate:
    """The posterior count with its exact 95 % interval."""
    lo, hi = poisson_binomial(p).quantile(np.array([0.025, 0.975]))
    return Estimate(float(p.sum()), float(lo), float(hi))


def _held(lower: Floats, upper: Floats, truth: Bools) -> tuple[int, int]:
    total = truth.sum()
    return int(((lower <= total + 1e-9) & (total <= upper + 1e-9)).sum()), len(lower)


def _groups(asked: "Asked", chosen: Bools) -> tuple[int, int]:
    """How many groups of neighbouring articles have their true count in the interval, and how many there are."""
    rows = np.flatnonzero(chosen)
    parts = np.array_split(rows, max(1, len(rows) // GROUP))
    inside = [(one := raw_interval(asked.p[part])).lo <= asked.truth[part].sum() <= one.hi for part in parts]
    return int(sum(inside)), len(parts)


def _claims(name: str, asked: "Asked", redraws: "Redraws") -> Iterator[Claim]:
    times = draw_times(int(asked.story.max()) + 1)
    truth, stated, best = (_total(part, asked, times) for part in (asked.truth, asked.p, asked.best))
    widths = redraws.upper - redraws.lower, redraws.alone_upper - redraws.alone_lower
    rows = np.random.default_rng(0).integers(0, len(widths[0]), (2000, len(widths[0])))
    width, alone = (Drawn(float(part.mean()), part[rows].mean(axis=1)) for part in widths)
    for test, estimate in (
        (UNBIASED, ratio(stated, truth).estimate()),
        (BEST_LOW, ratio(best, truth).estimate()),
        (COVERS, share(*_groups(asked, np.ones(len(asked.p), dtype=np.bool_)))),
        (COVERS_FOUND, share(*_groups(asked, asked.p > 0))),
        (ANCHORED, share(*_held(redraws.lower, redraws.upper, asked.truth))),
        (NARROWER, ratio(width, alone).estimate()),
    ):
        yield replace(test, claim=f"{test.claim} ({name})").judged(estimate)


def _total(values: Floats | Bools, asked: "Asked", times: Floats) -> Drawn:
    """A total, under draws of stories: articles that report the same stay together."""
    sums = np.bincount(asked.story, values.astype(np.float64), times.shape[1])
    present = np.bincount(asked.story, minlength=times.shape[1]) > 0
    drawn = times[:, present]
    return Drawn(float(sums.sum()), (drawn @ sums[present]) * present.sum() / np.maximum(drawn.sum(axis=1), 1))


CAPTION = (
    "Counts of articles by query: posterior with its interval, 1-best, anchored to labels, labels alone; line: people."
)


def _chart(found: "dict[str, tuple[Asked, Redraws]]") -> alt.TopLevelMixin:
    return alt.vconcat(*(_panel(name, *pair) for name, pair in found.items())).configure_view(stroke=None)


def _panel(name: str, asked: "Asked", redraws: "Redraws") -> alt.LayerChart | alt.FacetChart:
    rows = [
        {"way": row.figure, "value": row.ours, "lo": row.lo or row.ours, "hi": row.hi or row.ours}
        for row in _rows(name, asked, redraws)
        if row.figure in ("posterior count", "1-best count", "anchored count", "labels alone")
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("way:N", sort=None, title=None))
    truth = alt.Chart(alt.Data(values=[{"value": float(asked.truth.sum())}])).mark_rule(strokeDash=[4, 3])
    return alt.layer(
        truth.encode(alt.X("value:Q", title="articles")),
        base.mark_rule(strokeWidth=3, color=LIGHT[0]).encode(alt.X("lo:Q"), alt.X2("hi:Q")),
        base.mark_point(filled=True, size=60, color=LIGHT[0]).encode(alt.X("value:Q")),
    ).properties(width=420, height=110, title=alt.Title(name, anchor="start", fontWeight="normal"))
