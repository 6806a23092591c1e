"""The charts, as Vega-Lite: counts with their bands, comparisons, reliability, coverage.

Covers: marks and scales. The page fills them with data when a reader chooses; figures fill them at once.
Not here: data (`series`, `calibration`), colours of text and grid (the page's theme, `figures`).

Countries differ by colour, dash and marker, so that no reader depends on colour alone.
"""

from typing import Any

import altair as alt

from flows.charts.palette import look
from flows.charts.reliability import diagonal, reliability_panel

Layers = alt.LayerChart | alt.FacetChart
Rows = list[dict[str, Any]]

ZOOM = "zoom"
LEFT_MARGIN = 34
"""Room for the labels of the vertical axis, the same in all panels, so that they line up."""


def counts_spec(*, compare: bool, zoom: bool) -> dict[str, Any]:
    """The page's main chart, without data: the names `counts` and `compare` are filled in by the reader's choice."""
    brush = alt.selection_interval(name=ZOOM, encodings=["x"]) if zoom else None
    data, extent = alt.NamedData(name="counts"), extent_layer(alt.NamedData(name="extent"), brush)
    panels: list[Any] = [
        alt.layer(counts_panel(data, brush, whiskers=not zoom), extent).properties(width=600, height=300)
    ]
    if compare:
        panels.append(compare_panel(alt.NamedData(name="compare"), brush).properties(width=600, height=110))
    if brush is not None:
        overview = alt.layer(_overview(data), extent_layer(alt.NamedData(name="extent"), None))
        panels.append(overview.add_params(brush).properties(width=600, height=44))
    chart = alt.vconcat(*panels, spacing=14).resolve_scale(x="independent")
    return chart.to_dict()


def counts_panel(data: Any, brush: Any = None, *, whiskers: bool = True, ticks: dict[str, Any] | None = None) -> Layers:
    """Mean line, 95 % band and 1-best line of each country, as in the paper's Figure 6.

    Rows have: mid (date), country, code, slot (0 to 3), colour, shape, mean, lo, hi, best, and the texts of the
    tooltip: period, interval. Whiskers help where periods are few; so do `ticks`, options of the time axis.
    """
    base = alt.Chart(data)
    x = _time(brush, ticks=ticks)
    colour = alt.Color("colour:N", scale=None)
    y = alt.Y("mean:Q", title=None, axis=_left_axis(tickCount=6))
    marks = look()
    dash, shape = marks["dash"], marks["shape"]
    clip = brush is not None
    ends = (x, alt.Y("lo:Q"), alt.Y2("hi:Q"), colour)
    layers = [base.mark_area(opacity=0.2, clip=clip, aria=False).encode(*ends, alt.Detail("code:N"))]
    if whiskers:
        layers.append(base.mark_rule(opacity=0.75, strokeWidth=1.5, clip=clip, aria=False).encode(*ends))
    best = base.mark_line(strokeWidth=1.2, strokeDash=[2, 3], clip=clip, aria=False)
    mean = base.mark_line(strokeWidth=2.4, clip=clip, aria=False)
    point = base.mark_point(filled=True, size=46, clip=clip, aria=False)
    seen = alt.condition("datum.mean > 0", alt.value(1), alt.value(0))  # a row of markers on the axis says nothing
    target = base.mark_point(filled=True, size=620, opacity=0, clip=clip, cursor="pointer")
    return alt.layer(
        *layers,
        best.encode(x, alt.Y("best:Q"), colour, alt.Detail("code:N")),
        mean.encode(x, y, colour, dash, alt.Detail("code:N")),
        point.encode(x, y, colour, shape, opacity=seen),
        target.encode(x, y, tooltip=_figures_of_a_point()),
    )


def _figures_of_a_point() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("country:N"),
        alt.Tooltip("period:N"),
        alt.Tooltip("mean:Q", title="expected", format=".2f"),
        alt.Tooltip("interval:N", title="95 %"),
        alt.Tooltip("best:Q", title="1-best"),
    ]


def compare_panel(data: Any, brush: Any = None, *, ticks: dict[str, Any] | None = None) -> alt.Chart:
    """For each period the shares of samples in which the first country leads, both are equal, the second leads.

    Rows have: start, end (dates), y0, y1, colour, outcome, period, p.
    """
    tooltip = [alt.Tooltip("period:N"), alt.Tooltip("outcome:N"), alt.Tooltip("p:Q", title="probability", format=".2f")]
    axis = _left_axis(values=[0, 0.5, 1], format=".1f")
    return (
        alt.Chart(data)
        .mark_rect(clip=brush is not None, stroke="white", strokeWidth=0.5)
        .encode(
            _time(brush, field="start", ticks=ticks),
            alt.X2("end:T"),
            alt.Y("y0:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=axis),
            alt.Y2("y1:Q"),
            alt.Color("colour:N", scale=None),
            tooltip=tooltip,
        )
    )


def coverage_panel(data: Any) -> Layers:
    """Share of intervals that held the truth, against what they promise.

    Rows have the columns of the table `calibration/coverage`, lo and hi where they are known, and of each kind: slot,
    colour, shape.
    """
    unit = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("nominal:Q", title="promised coverage", scale=unit)
    y = alt.Y("covered:Q", title="actual coverage", scale=unit)
    base, by = alt.Chart(data), look()
    tooltip = [
        alt.Tooltip("kind:N"),
        alt.Tooltip("nominal:Q", title="promised", format=".2f"),
        alt.Tooltip("covered:Q", title="actual", format=".3f"),
        alt.Tooltip("n:Q", title="intervals", format=","),
    ]
    return alt.layer(
        diagonal(x, y, "nominal", "covered"),
        base.mark_rule(opacity=0.8, aria=False).encode(x, alt.Y("lo:Q"), alt.Y2("hi:Q"), by["colour"]),
        base.mark_point(filled=True, size=60, opacity=0.9).encode(x, y, by["colour"], by["shape"], tooltip=tooltip),
    )


def history_panel(data: Any) -> Layers:
    """The calibration error of each calibration, in the order in which they were made, with its interval.

    Rows have: label, order, value, lo, hi, and of each series: slot, colour, shape.
    """
    base, by = alt.Chart(data), look()
    x = alt.X("label:N", title=None, sort=alt.SortField("order"), axis=alt.Axis(labelAngle=-30, labelLimit=90))
    y = alt.Y("value:Q", title="calibration error")
    tooltip = [alt.Tooltip("label:N"), *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("value", "lo", "hi"))]
    return alt.layer(
        base.mark_rule(aria=False).encode(x, alt.Y("lo:Q", title="calibration error"), alt.Y2("hi:Q"), by["colour"]),
        base.mark_line(opacity=0.7, aria=False).encode(x, y, by["colour"], by["dash"]),
        base.mark_point(filled=True, size=60, opacity=1).encode(x, y, by["colour"], by["shape"], tooltip=tooltip),
    )


def page_specs() -> dict[str, Any]:
    """Every chart of the page, without data."""
    counts = {
        f"counts{'-compare' if compare else ''}{'-zoom' if zoom else ''}": counts_spec(compare=compare, zoom=zoom)
        for compare in (False, True)
        for zoom in (False, True)
    }
    return counts | {
        "reliability": reliability_panel(alt.NamedData(name="bins")).to_dict(),
        "coverage": coverage_panel(alt.NamedData(name="coverage")).to_dict(),
        "history": history_panel(alt.NamedData(name="history")).to_dict(),
    }


def _time(brush: Any, field: str = "mid", ticks: dict[str, Any] | None = None) -> alt.X:
    scale = alt.Scale(type="utc") if brush is None else alt.Scale(type="utc", domain=brush)
    return alt.X(f"{field}:T", title=None, scale=scale, axis=alt.Axis(grid=False, labelOverlap=True, **(ticks or {})))


def extent_layer(data: Any, brush: Any = None, ticks: dict[str, Any] | None = None) -> alt.Chart:
    """Nothing to see: holds the first and the last moment, so that all panels have one time axis."""
    return alt.Chart(data).mark_point(opacity=0, aria=False, clip=brush is not None).encode(_time(brush, ticks=ticks))


def _left_axis(**options: Any) -> alt.Axis:
    return alt.Axis(minExtent=LEFT_MARGIN, maxExtent=LEFT_MARGIN, **options)


def _overview(data: Any) -> alt.Chart:
    """All periods, small, to drag over."""
    hidden = alt.Axis(labels=False, ticks=False, grid=False, domain=False, minExtent=LEFT_MARGIN, maxExtent=LEFT_MARGIN)
    return (
        alt.Chart(data)
        .mark_line(strokeWidth=1.2)
        .encode(
            _time(None),
            alt.Y("mean:Q", title=None, axis=hidden),
            alt.Color("colour:N", scale=None),
            alt.Detail("code:N"),
        )
    )
