"""The charts, as Vega-Lite: counts with their bands, comparisons, reliability, coverage.

Covers: marks and scales. The page fills them with data when a reader chooses; figures fill them at once.
Not here: data (`series`, `calibration`), colours of text and grid (the page's theme, `figures`).

Countries differ by colour, dash and marker, so that no reader depends on colour alone.
"""

from typing import Any

import altair as alt

Layers = alt.LayerChart | alt.FacetChart
Rows = list[dict[str, Any]]

DASHES = [[1, 0], [9, 3], [3, 2], [9, 3, 2, 3]]
SHAPES = ["circle", "square", "triangle-up", "diamond"]
LIGHT = ["#0072B2", "#C04A00", "#00775A", "#8F3F75"]
DARK = ["#56B4E9", "#FF9A4D", "#3DD6A3", "#F0A6D2"]
"""Okabe and Ito's hues, darker or lighter so that each has at least 4.5 : 1 against the page."""

ZOOM = "zoom"
LEFT_MARGIN = 34
"""Room for the labels of the vertical axis, the same in all panels, so that they line up."""


def counts_spec(*, compare: bool, zoom: bool) -> dict[str, Any]:
    """The page's main chart, without data: the names `counts` and `compare` are filled in by the reader's choice."""
    brush = alt.selection_interval(name=ZOOM, encodings=["x"]) if zoom else None
    data = alt.NamedData(name="counts")
    panels: list[Any] = [counts_panel(data, brush).properties(width=600, height=300)]
    if compare:
        panels.append(compare_panel(alt.NamedData(name="compare"), brush).properties(width=600, height=110))
    if brush is not None:
        panels.append(_overview(data).add_params(brush).properties(width=600, height=44))
    chart = alt.vconcat(*panels, spacing=14).resolve_scale(x="independent")
    return chart.to_dict()


def counts_panel(data: Any, brush: Any = None) -> Layers:
    """Mean line, 95 % band and 1-best line of each country, as in the paper's Figure 6.

    Rows have: mid (date), country, code, slot (0 to 3), colour, shape, mean, lo, hi, best, few (whether there are so
    few periods that whiskers help), and the texts of the tooltip: period, interval.
    """
    base = alt.Chart(data)
    x = _time(brush)
    colour = alt.Color("colour:N", scale=None)
    y = alt.Y("mean:Q", title=None, axis=_left_axis())
    dash = alt.StrokeDash("slot:O", legend=None, scale=alt.Scale(domain=[0, 1, 2, 3], range=DASHES))
    shape = alt.Shape("shape:N", scale=None)
    tooltip = [
        alt.Tooltip("country:N"),
        alt.Tooltip("period:N"),
        alt.Tooltip("mean:Q", title="expected", format=".2f"),
        alt.Tooltip("interval:N", title="95 %"),
        alt.Tooltip("best:Q", title="1-best"),
    ]
    clip = brush is not None
    return alt.layer(
        base.mark_area(opacity=0.2, clip=clip, aria=False).encode(
            x, alt.Y("lo:Q"), alt.Y2("hi:Q"), colour, alt.Detail("code:N")
        ),
        base.transform_filter("datum.few")
        .mark_rule(opacity=0.75, strokeWidth=1.5, clip=clip, aria=False)
        .encode(x, alt.Y("lo:Q"), alt.Y2("hi:Q"), colour),
        base.mark_line(strokeWidth=1.2, strokeDash=[2, 3], clip=clip, aria=False).encode(
            x, alt.Y("best:Q"), colour, alt.Detail("code:N")
        ),
        base.mark_line(strokeWidth=2.4, clip=clip, aria=False).encode(x, y, colour, dash, alt.Detail("code:N")),
        base.mark_point(filled=True, size=46, opacity=1, clip=clip, aria=False).encode(x, y, colour, shape),
        base.mark_point(filled=True, size=620, opacity=0, clip=clip, cursor="pointer").encode(x, y, tooltip=tooltip),
    )


def compare_panel(data: Any, brush: Any = None) -> alt.Chart:
    """For each period the shares of samples in which the first country leads, both are equal, the second leads.

    Rows have: start, end (dates), y0, y1, colour, outcome, period, p.
    """
    tooltip = [alt.Tooltip("period:N"), alt.Tooltip("outcome:N"), alt.Tooltip("p:Q", title="probability", format=".2f")]
    axis = _left_axis(values=[0, 0.5, 1], format=".1f")
    return (
        alt.Chart(data)
        .mark_rect(clip=brush is not None)
        .encode(
            _time(brush, field="start"),
            alt.X2("end:T"),
            alt.Y("y0:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=axis),
            alt.Y2("y1:Q"),
            alt.Color("colour:N", scale=None),
            tooltip=tooltip,
        )
    )


def reliability_panel(data: Any, colour: str = LIGHT[0], *, domain: tuple[float, float] = (0.0, 1.0)) -> Layers:
    """Observed frequency against prediction, adaptive bins with their intervals, as in Figures 2, 3 and 5.

    Rows have the columns of the table `calibration/bins`.
    """
    unit = alt.Scale(domain=list(domain), nice=False)
    x = alt.X("mean_pred:Q", title="predicted probability", scale=unit)
    y = alt.Y("mean_label:Q", title="observed frequency", scale=unit)
    ends = [{"mean_pred": end, "mean_label": end} for end in domain]
    base = alt.Chart(data)
    tooltip = [
        alt.Tooltip("mean_pred:Q", title="predicted", format=".3f"),
        alt.Tooltip("mean_label:Q", title="observed", format=".3f"),
        alt.Tooltip("label_lo:Q", title="from", format=".3f"),
        alt.Tooltip("label_hi:Q", title="to", format=".3f"),
        alt.Tooltip("size:Q", title="predictions", format=","),
    ]
    return alt.layer(
        alt.Chart(alt.Data(values=ends)).mark_line(strokeDash=[4, 4], color="#888888").encode(x, y),
        base.mark_rule(color=colour, opacity=0.8).encode(x, alt.Y("label_lo:Q"), alt.Y2("label_hi:Q")),
        base.mark_line(color=colour, opacity=0.6).encode(x, y),
        base.mark_point(color=colour, filled=True, size=40, opacity=1).encode(x, y, tooltip=tooltip),
    )


def coverage_panel(data: Any, colour: str = LIGHT[0]) -> Layers:
    """Share of intervals that held the truth, against what they promise; rows as in `calibration/coverage`."""
    unit = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("nominal:Q", title="promised coverage", scale=unit)
    y = alt.Y("covered:Q", title="actual coverage", scale=unit)
    tooltip = [alt.Tooltip(name) for name in ("level:N", "nominal:Q", "covered:Q", "n:Q")]
    ends = [{"nominal": 0, "covered": 0}, {"nominal": 1, "covered": 1}]
    level = alt.Shape("level:N", title=None, legend=alt.Legend(orient="bottom", columns=1, labelLimit=260))
    return alt.layer(
        alt.Chart(alt.Data(values=ends)).mark_line(strokeDash=[4, 4], color="#888888").encode(x, y),
        alt.Chart(data)
        .mark_point(color=colour, filled=True, size=70, opacity=0.9)
        .encode(x, y, level, tooltip=tooltip),
    )


def history_panel(data: Any, colour: str = LIGHT[0]) -> Layers:
    """A figure of each calibration, in the order in which they were made, with its interval.

    Rows have: label, order, value, lo, hi, n.
    """
    base = alt.Chart(data)
    x = alt.X("label:N", title=None, sort=alt.SortField("order"), axis=alt.Axis(labelAngle=0, labelLimit=90))
    tooltip = [alt.Tooltip("label:N"), *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("value", "lo", "hi"))]
    return alt.layer(
        base.mark_rule(color=colour).encode(x, alt.Y("lo:Q", title="calibration error"), alt.Y2("hi:Q")),
        base.mark_line(color=colour, opacity=0.6).encode(x, alt.Y("value:Q")),
        base.mark_point(color=colour, filled=True, size=60, opacity=1).encode(x, alt.Y("value:Q"), tooltip=tooltip),
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


def _time(brush: Any, field: str = "mid") -> alt.X:
    scale = alt.Scale(type="utc") if brush is None else alt.Scale(type="utc", domain=brush)
    return alt.X(f"{field}:T", title=None, scale=scale, axis=alt.Axis(grid=False, labelOverlap=True))


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
