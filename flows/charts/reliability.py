"""Reliability diagrams: observed frequency against prediction, with the interval of each bin.

Covers: one panel from rows of a table, several panels side by side from curves.
Not here: the bins (`calib_core.calibration`).
"""

from typing import Any

import altair as alt
import numpy as np

from calib_core.calibration import ReliabilityCurve
from flows.charts.palette import LIGHT, SHAPES, look

COLUMNS = ("mean_pred", "mean_label", "label_lo", "label_hi", "size")
"""As in the table `calibration/bins`."""


def reliability_panel(data: Any) -> alt.LayerChart | alt.FacetChart:
    """Observed frequency against prediction, adaptive bins with their intervals, as in Figures 2, 3 and 5.

    Rows have the columns of the table `calibration/bins`, and of each curve: slot, colour, shape.
    """
    unit = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("mean_pred:Q", title="predicted probability", scale=unit)
    y = alt.Y("mean_label:Q", title="observed frequency", scale=unit)
    base, by = alt.Chart(data), look()
    tooltip = [
        alt.Tooltip("mean_pred:Q", title="predicted", format=".3f"),
        alt.Tooltip("mean_label:Q", title="observed", format=".3f"),
        alt.Tooltip("label_lo:Q", title="from", format=".3f"),
        alt.Tooltip("label_hi:Q", title="to", format=".3f"),
        alt.Tooltip("size:Q", title="predictions", format=","),
    ]
    return alt.layer(
        diagonal(x, y, "mean_pred", "mean_label"),
        base.mark_rule(opacity=0.8, aria=False).encode(x, alt.Y("label_lo:Q"), alt.Y2("label_hi:Q"), by["colour"]),
        base.mark_line(opacity=0.7, aria=False).encode(x, y, by["colour"], by["dash"]),
        base.mark_point(filled=True, size=36, opacity=1).encode(x, y, by["colour"], by["shape"], tooltip=tooltip),
    )


def reliability_chart(
    curves: dict[str, ReliabilityCurve], *, title: str, subtitle: str, columns: int | None = None
) -> alt.TopLevelMixin:
    """One panel per curve, side by side, on equal axes.

    Parameters
    ----------
    curves : dict
        The title of each panel, and its curve.
    columns : int, optional
        Panels per row.
    """
    panels = [_panel(name, curve, LIGHT[number % len(LIGHT)]) for number, (name, curve) in enumerate(curves.items())]
    heading = alt.Title(title, subtitle=subtitle, anchor="start", fontSize=16, subtitleFontSize=12, offset=16)
    return alt.concat(*panels, columns=columns or len(panels), title=heading).configure_view(stroke=None)


def _panel(name: str, curve: ReliabilityCurve, colour: str) -> alt.LayerChart | alt.FacetChart:
    columns = np.column_stack([getattr(curve, column) for column in COLUMNS]).tolist()
    same = {"slot": 0, "colour": colour, "shape": SHAPES[0]}
    rows = [dict(zip(COLUMNS, row, strict=True)) | same for row in columns]
    title = alt.Title(name, anchor="start", fontWeight="normal")
    return reliability_panel(alt.Data(values=rows)).properties(width=300, height=300, title=title)


def diagonal(x: alt.X, y: alt.Y, first: str, second: str) -> alt.Chart:
    """Where prediction and observation agree."""
    ends = alt.Data(values=[{first: end, second: end} for end in (0, 1)])
    return alt.Chart(ends).mark_line(strokeDash=[4, 4], color="#888888", aria=False).encode(x, y)
