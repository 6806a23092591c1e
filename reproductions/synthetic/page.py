"""The page of experiment `synthetic`.

Covers: which figures of the studies are shown, the charts, and when a claim holds.
Not here: the studies (`synthetic`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import altair as alt
import numpy as np

from calib_core.arrays import Floats, Ints
from flows.charts.palette import LIGHT
from reproductions.findings import Claim, Findings, Picture, Row
from reproductions.resampling import Drawn, ratio, share
from reproductions.verdicts import Test

_THEY = """
Predictions are drawn from a Beta distribution; each event happens with probability t(prediction). If t is the
identity, the predictor is perfectly calibrated; otherwise t pushes away from one half by k = 0.1. They compute
CalibMSE of 100,000 pairs for bins of 2¹ to 2¹⁶ rows and of 1,000 to 50,000 rows, and of 10,000 to 50,000 pairs in bins
of the square root of their number. They report patterns; the text of the thesis has no figures for this section."""
_WE = """
The same, with each draw repeated 100 times (20 for sample sizes) to show the scatter, with sample sizes up to a
million, and with the score that theory expects beside each: the variance of the observed frequencies, about E[t(1 −
t)] / bin size, plus the squared gap that is left after averaging inside the bins. Seeded; no data folder needed."""
_DATA = """
Generated in both cases. The thesis does not say which Beta distributions it drew from; we take Beta(0.2, 0.6), and for
the doubled bin sizes also {named}. It prints min(0, p + k) in t(p), which would be 0 everywhere; it means min(1, p +
k)."""
_UNPREDICTABLE = """
Between 1,000 and 50,000 rows a bin, its rises add up to {ours:.1f} times its net fall, those of the perfect predictor
to {perfect:.1f} times. But chance plays little part in it: single draws are close to their mean. The score moves with
the position of the bin edges around one half, where t jumps: in a bin across the jump, the underconfidence on its two
sides averages out. The dashed line, which has no chance in it, makes the same leaps. With two or three bins the score
says almost nothing about the error."""
_DOTS = "Line: mean of {} draws; band: middle 95 %; dots: one draw; dashed: theory."


@dataclass(frozen=True, slots=True)
class Study:
    """Scores of repeated draws over a range of sizes."""

    sizes: Ints
    scores: Floats
    """CalibMSE, shape (n_draws, n_sizes)."""
    theory: Floats
    """Expected CalibMSE, shape (n_sizes,)."""

    @property
    def n_rises(self) -> int:
        """How often the score of one draw rose from a size to the next."""
        return int((np.diff(self.scores, axis=1) > 1e-12).sum())

    @property
    def share_of_rises(self) -> float:
        """`n_rises` over the number of steps."""
        return self.n_rises / (self.scores.shape[0] * (self.scores.shape[1] - 1))

    @property
    def off(self) -> float:
        """Root mean squared distance of mean scores from theory, in standard errors: about 1 if theory is right."""
        error = self.scores.std(axis=0) / np.sqrt(len(self.scores))
        return float(np.sqrt(np.mean(((self.scores.mean(axis=0) - self.theory) / error) ** 2)))

    @property
    def retraced(self) -> float:
        """Sum of all rises of a draw over its fall from first to last; mean over draws."""
        rises = np.maximum(np.diff(self.scores, axis=1), 0.0).sum(axis=1)
        return float(np.mean(rises) / np.mean(self.scores[:, 0] - self.scores[:, -1]))


def page(
    studies: dict[str, Study], others: list[Study], shapes: tuple[tuple[float, float], ...], true: float
) -> Findings:
    """All of the page; `true` is the CalibMSE of the uncalibrated predictor."""
    doubled = [studies["doubled, perfect"], studies["doubled, uncalibrated"], *others]
    rises, steps = sum(study.n_rises for study in doubled), sum(study.scores[:, 1:].size for study in doubled)
    named = ", ".join(f"Beta({a:g}, {b:g})" for a, b in shapes)
    off = max(study.off for study in studies.values())
    return Findings(
        they=_THEY,
        we=_WE,
        data=_DATA.format(named=named),
        rows=tuple(_rows(studies, rises, steps, true)),
        pictures=(_bin_size_picture(studies), _sample_size_picture(studies)),
        claims=tuple(_claims(studies, rises, steps, true)),
        verdict="The patterns are there and theory explains them: mean scores lie, typically, "
        f"{off:.1f} standard errors or less from it. A perfect model scores E[q(1 − q)] / bin size.",
    )


def _rows(studies: dict[str, Study], rises: int, steps: int, true: float) -> Iterator[Row]:
    yield Row("Bin size", "rises of the score when the bin size doubles", float(rises), note=f"of {steps:,} doublings")
    for name in ("perfect", "uncalibrated"):
        spaced = studies[f"spaced, {name}"]
        yield Row("Bin size", f"share of steps of 1,000 at which the score rises, {name}", spaced.share_of_rises)
        yield Row("Bin size", f"rises added up, over the net fall, {name}", spaced.retraced)
    for name, study in studies.items():
        yield Row("Theory", f"mean scores from theory: {name}", study.off, note="in standard errors, root mean square")
    for name, truth in (("perfect", 0.0), ("uncalibrated", true)):
        study = studies[f"samples, {name}"]
        mean, sd = study.scores.mean(axis=0), study.scores.std(axis=0)
        for n in (10_000, 50_000, 1_000_000):
            at = int(np.flatnonzero(study.sizes == n)[0])
            lo, hi = mean[at] - 1.96 * sd[at], mean[at] + 1.96 * sd[at]
            figure = f"CalibMSE, {n:,} pairs, {name}"
            yield Row(
                "Sample size", figure, mean[at], lo=lo, hi=hi, note=f"true value {truth:.5f}; interval of a single draw"
            )
    for name, study in studies.items():
        for at, size in enumerate(study.sizes):
            yield Row(
                name, f"size {size}", study.scores[:, at].mean(), note=f"theory {study.theory[at]:.6g}", detail=True
            )


NEVER = Test("Doubling the bin size never raises the score.", "Share of doublings at which it rises", high=0.01)
FALLS = Test(
    "Over any range of bin sizes the score of a perfect predictor falls.",
    "Share of draws in which the score at 50,000 rows is below that at 1,000",
    low=0.9,
)
NOT_ALWAYS = Test("But not at every step.", "Share of steps of 1,000 at which it rises", 0.01, 0.5)
ERRATIC = Test(
    "For an uncalibrated predictor the score is much more unpredictable.",
    "Rises added up over the net fall, uncalibrated over perfect",
    low=1.5,
)
VANISHES = Test(
    "With bins of the square root of the sample size, the score of a perfect predictor goes to zero.",
    "Score at a million pairs over that at 10,000; one over the bin size would give 0.1",
    high=0.2,
)
CONVERGES = Test(
    "That of an uncalibrated predictor converges weakly.",
    "Distance from the true value at a million pairs over that at 10,000",
    high=0.5,
)


def _claims(studies: dict[str, Study], rises: int, steps: int, true: float) -> Iterator[Claim]:
    perfect, uncalibrated = studies["spaced, perfect"], studies["spaced, uncalibrated"]
    yield NEVER.judged(share(rises, steps), "As Jensen's inequality has it: larger bins are unions of smaller ones.")
    falls = perfect.scores[:, 0] > perfect.scores[:, -1]
    yield FALLS.judged(share(int(falls.sum()), len(falls)))
    yield NOT_ALWAYS.judged(share(perfect.n_rises, perfect.scores[:, 1:].size))
    retraced = ratio(*(_redrawn(one, lambda part: part.retraced) for one in (uncalibrated, perfect)))
    seen = _UNPREDICTABLE.format(ours=uncalibrated.retraced, perfect=perfect.retraced)
    yield ERRATIC.judged(retraced.estimate(), seen)
    small, large = studies["samples, perfect"], studies["samples, uncalibrated"]
    yield VANISHES.judged(_redrawn(small, _last_over_first).estimate())
    off = _redrawn(large, lambda part: _last_over_first(part, true))
    yield CONVERGES.judged(off.estimate(), f"Its true value is {true:.5f}.")


def _last_over_first(study: Study, true: float = 0.0) -> float:
    mean = study.scores.mean(axis=0)
    return float(abs(mean[-1] - true) / abs(mean[0] - true))


def _redrawn(study: Study, figure: Callable[[Study], float]) -> Drawn:
    """A figure of a study under draws of its repetitions."""
    rows = np.random.default_rng(0).integers(0, len(study.scores), (1000, len(study.scores)))
    draws = [figure(Study(study.sizes, study.scores[some], study.theory)) for some in rows]
    return Drawn(figure(study), np.array(draws))


def _bin_size_picture(studies: dict[str, Study]) -> Picture:
    charts = [
        _chart(studies["doubled, perfect"], "perfect, sizes doubled", "bin size", LIGHT[0], log=True),
        _chart(studies["spaced, perfect"], "perfect, 1,000 to 50,000", "bin size", LIGHT[0]),
        _chart(studies["spaced, uncalibrated"], "uncalibrated, k = 0.1", "bin size", LIGHT[1]),
    ]
    caption = f"CalibMSE against bin size, 100,000 pairs. {_DOTS.format(100)}"
    return Picture("", caption, alt.hconcat(*charts).configure_view(stroke=None))


def _sample_size_picture(studies: dict[str, Study]) -> Picture:
    charts = [
        _chart(studies["samples, perfect"], "perfect", "pairs", LIGHT[0], log=True),
        _chart(studies["samples, uncalibrated"], "uncalibrated, k = 0.1", "pairs", LIGHT[1], log_x=True),
    ]
    caption = f"CalibMSE against sample size, bins of the square root of it. {_DOTS.format(20)}"
    return Picture("samples", caption, alt.hconcat(*charts).configure_view(stroke=None))


def _chart(
    study: Study, title: str, axis: str, colour: str, *, log: bool = False, log_x: bool = False
) -> alt.LayerChart | alt.FacetChart:
    lo, hi = np.quantile(study.scores, [0.025, 0.975], axis=0)
    columns = (study.sizes, study.scores.mean(axis=0), lo, hi, study.scores[0], study.theory)
    names = ("size", "mean", "lo", "hi", "one", "theory")
    rows = [dict(zip(names, map(float, row), strict=True)) for row in zip(*columns, strict=True)]
    x = alt.X(
        "size:Q",
        title=axis,
        scale=alt.Scale(type="log" if log or log_x else "linear", nice=False),
        axis=alt.Axis(format="~s", tickCount=5),
    )
    scale = alt.Scale(type="log") if log else alt.Scale(zero=False)
    y = lambda field: alt.Y(f"{field}:Q", title="CalibMSE", scale=scale, axis=alt.Axis(format="~e", tickCount=6))  # noqa: E731
    base = alt.Chart(alt.Data(values=rows))
    return alt.layer(
        base.mark_area(opacity=0.2, color=colour).encode(x, y("lo"), alt.Y2("hi:Q")),
        base.mark_line(color=colour).encode(x, y("mean")),
        base.mark_point(color=colour, filled=True, size=12, opacity=0.7).encode(x, y("one")),
        base.mark_line(color="#333333", strokeDash=[5, 4]).encode(x, y("theory")),
    ).properties(width=250, height=220, title=alt.Title(title, anchor="start", fontWeight="normal"))
