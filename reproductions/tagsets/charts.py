"""The charts of experiment `tagsets`: errors before and after, as Figures 2 and 3 of Kranzlein et al.

Covers: one row per technique, with a circle before, a square after shared and a diamond after grouped recalibration.
Not here: the figures themselves (`measures`).
"""

import altair as alt

from flows.charts.palette import LIGHT
from reproductions.findings import Picture
from reproductions.tagsets.measures import METHODS, NONE, Study

_KINDS = ["before", "after, shared (SCW)", "after, grouped (TFG)"]
_CAPTION = (
    "Black circle: before; square: shared recalibration; diamond: grouped. Line: change by grouping, orange if worse."
)


def overall_picture(studies: dict[str, Study]) -> Picture:
    """SMCE of each technique and treebank."""
    panels = [
        _panel(
            {kind: {method: study.errors[key].smce for method, key in keys.items()} for kind, keys in _keys().items()},
            title=name, axis="SMCE", width=300,
        )
        for name, study in studies.items()
    ]  # fmt: skip
    chart = alt.hconcat(*panels).resolve_scale(x="shared").configure_view(stroke=None)
    return Picture("", f"SMCE before and after recalibration, as their Figure 2. {_CAPTION}", chart)


def group_picture(studies: dict[str, Study]) -> Picture:
    """GMCE of each technique, group and treebank."""
    rows = []
    for name, study in studies.items():
        panels = [
            _panel(
                {kind: {method: float(study.errors[key].gmce[group]) for method, key in keys.items()}
                 for kind, keys in _keys().items()},
                title=f"{name}, group {group + 1}", axis="GMCE", width=125,
            )
            for group in range(len(study.tags_in_group))
        ]  # fmt: skip
        rows.append(alt.hconcat(*panels).resolve_scale(x="shared"))
    chart = alt.vconcat(*rows).configure_view(stroke=None)
    return Picture("groups", f"GMCE by group, the most frequent tags first, as their Figure 3. {_CAPTION}", chart)


def _keys() -> dict[str, dict[str, tuple[str, str]]]:
    return {
        kind: {method: NONE if sharing is None else (method, sharing) for method in METHODS}
        for kind, sharing in zip(_KINDS, (None, "SCW", "TFG"), strict=True)
    }


def _panel(
    errors: dict[str, dict[str, float]], *, title: str, axis: str, width: int
) -> alt.LayerChart | alt.FacetChart:
    points = [
        {"technique": method, "kind": kind, "error": value}
        for kind, values in errors.items()
        for method, value in values.items()
    ]
    moves = [
        {
            "technique": method,
            "from": errors[_KINDS[0]][method],
            "to": value,
            "worse": value > errors[_KINDS[0]][method],
        }
        for method, value in errors[_KINDS[2]].items()
    ]
    x = alt.X("error:Q", title=axis, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=3, format="~g"))
    y = alt.Y("technique:N", sort=list(METHODS), title=None)
    shape = alt.Shape(
        "kind:N", sort=_KINDS, title=None, scale=alt.Scale(domain=_KINDS, range=["circle", "square", "diamond"])
    )
    colour = alt.Color(
        "kind:N", sort=_KINDS, title=None, scale=alt.Scale(domain=_KINDS, range=["#000000", LIGHT[0], LIGHT[2]])
    )
    rule = (
        alt.Chart(alt.Data(values=moves))
        .mark_rule(strokeWidth=2, opacity=0.7)
        .encode(
            alt.X("from:Q", title=axis), alt.X2("to:Q"), y,
            color=alt.condition("datum.worse", alt.value(LIGHT[1]), alt.value(LIGHT[2])),
        )
    )  # fmt: skip
    marks = alt.Chart(alt.Data(values=points)).mark_point(filled=True, size=70, opacity=0.9).encode(x, y, shape, colour)
    return alt.layer(rule, marks).properties(
        width=width, height=110, title=alt.Title(title, anchor="start", fontWeight="normal")
    )
