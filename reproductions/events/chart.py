"""Draw posterior counts over time: mean line, 95 % band, 1-best."""

from dataclasses import asdict, dataclass

import altair as alt

from calib_core.events import Counts
from flows.charts.palette import LIGHT


@dataclass(frozen=True, slots=True)
class Point:
    """One period of one country; `run` numbers the stretches without a gap."""

    period: str
    country: str
    mean: float
    lo: float
    hi: float
    best: int
    run: int


@dataclass(frozen=True, slots=True)
class Series:
    """All periods of one country, in order."""

    country: str
    points: tuple[Point, ...]


def series_of(counts: Counts, periods: list[str], code: str, name: str, *, half_months: int = 1) -> Series:
    """A point for every period that the archive has, each of so many half-months; one without a row is zero."""
    points, run = [], 0
    for number, period in enumerate(periods):
        if number and _half_months(period) - _half_months(periods[number - 1]) > half_months:
            run += 1
        row = counts.row((period, code))
        mean, lo, hi, best = (
            (0.0, 0.0, 0.0, 0)
            if row is None
            else (counts.mean[row], counts.lo[row], counts.hi[row], counts.map_count[row])
        )
        points.append(Point(period, name, float(mean), max(0.0, float(lo)), float(hi), int(best), run))
    return Series(name, tuple(points))


def _half_months(period: str) -> int:
    """Half-months since year 0 of a date on which one begins."""
    year, month, day = map(int, period.split("-"))
    return 2 * (12 * year + month) + (day > 1)


def counts_chart(*panels: list[Series], archive: str, period: str) -> alt.TopLevelMixin:
    """One panel above the other, each with one or more countries."""
    heading = alt.Title(
        f"Articles in which a country is the attacker, {archive}",
        subtitle=f"by {period}; posterior mean with 95 % interval, and what the 1-best clustering alone would say",
        anchor="start",
        offset=12,
    )
    colours = {series.country: LIGHT[n] for n, series in enumerate(s for panel in panels for s in panel)}
    drawn = [_panel(panel, colours) for panel in panels]
    return alt.vconcat(*drawn, title=heading).configure_view(stroke=None).resolve_scale(color="independent")


def _panel(panel: list[Series], colours: dict[str, str]) -> alt.LayerChart | alt.FacetChart:
    names = [series.country for series in panel]
    rows = [asdict(point) for series in panel for point in series.points]
    periods = sorted({row["period"] for row in rows})
    few = alt.Axis(format="%-d %b", values=periods) if len(periods) < 20 else alt.Axis(format="%Y")
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("period:T", title=None, axis=few),
        color=alt.Color(
            "country:N",
            title=None,
            scale=alt.Scale(domain=names, range=[colours[name] for name in names]),
            legend=alt.Legend(orient="top-left", labelFontSize=12, symbolOpacity=1) if len(names) > 1 else None,
        ),
        detail="run:N",
    )
    count = alt.Y("mean:Q", title="articles", axis=alt.Axis(tickMinStep=1))
    return alt.layer(
        base.mark_area(opacity=0.2).encode(alt.Y("lo:Q", title="articles"), alt.Y2("hi:Q")),
        base.mark_line(strokeWidth=2.5).encode(count),
        base.mark_point(filled=True, size=40, opacity=1).encode(count),
        base.mark_line(strokeDash=[4, 3], strokeWidth=1.2).encode(alt.Y("best:Q")),
        base.mark_point(size=60).encode(alt.Y("best:Q")),
    ).properties(width=640, height=200, title=alt.Title(" and ".join(names), anchor="start", fontWeight="normal"))
