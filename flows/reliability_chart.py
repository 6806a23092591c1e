"""Draw reliability diagrams: observed frequency against prediction, with the interval of each bin."""

import altair as alt
import numpy as np

from calib_core.calibration import ReliabilityCurve

COLOURS = ["#D55E00", "#0072B2", "#009E73", "#CC79A7"]
"""Okabe and Ito's, which colour-blind readers can tell apart."""


def reliability_chart(
    curves: dict[str, ReliabilityCurve], *, title: str, subtitle: str, columns: int | None = None
) -> alt.TopLevelMixin:
    """One panel per curve, side by side, on equal axes.

    Parameters
    ----------
    curves : dict
        The title of each panel, and its curve.
    columns : int, optional
        Begin a new row of panels after so many.
    """
    panels = [
        _panel(name, curve, COLOURS[number % len(COLOURS)]) for number, (name, curve) in enumerate(curves.items())
    ]
    heading = alt.Title(title, subtitle=subtitle, anchor="start", fontSize=16, subtitleFontSize=12, offset=16)
    return alt.concat(*panels, columns=columns or len(panels), title=heading).configure_view(stroke=None)


def _panel(name: str, curve: ReliabilityCurve, colour: str) -> alt.LayerChart | alt.FacetChart:
    rows = alt.Data(values=_rows(curve))
    unit = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("prediction:Q", title="predicted probability", scale=unit)
    diagonal = alt.Chart(alt.Data(values=[{"prediction": 0, "observed": 0}, {"prediction": 1, "observed": 1}]))
    base = alt.Chart(rows)
    frequency = alt.Y("observed:Q", title="observed frequency", scale=unit)
    tooltip = [alt.Tooltip(f"{field}:Q", format=".3f") for field in ("prediction", "observed", "lo", "hi")]
    return alt.layer(
        diagonal.mark_line(color="#999999", strokeDash=[4, 4]).encode(x, frequency),
        base.mark_rule(color=colour, opacity=0.6).encode(x, alt.Y("lo:Q", title="observed frequency"), alt.Y2("hi:Q")),
        base.mark_line(color=colour, opacity=0.5).encode(x, frequency),
        base.mark_point(color=colour, filled=True, size=35, opacity=1).encode(
            x, frequency, tooltip=[*tooltip, alt.Tooltip("rows:Q", format=",")]
        ),
    ).properties(width=300, height=300, title=alt.Title(name, anchor="start", fontWeight="normal"))


def _rows(curve: ReliabilityCurve) -> list[dict[str, float]]:
    columns = np.column_stack([curve.mean_pred, curve.mean_label, curve.label_lo, curve.label_hi, curve.size])
    return [dict(zip(("prediction", "observed", "lo", "hi", "rows"), row, strict=True)) for row in columns.tolist()]
