"""Raw and anchored counts side by side: where each interval lies.

Covers: a chart from rows of the anchored table, and writing it as PNG or SVG.
Not here: the rows (`workers.anchoring`), their words (`flows.report.anchored`).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import altair as alt

from flows.charts.palette import LIGHT, SHAPES
from flows.report.anchored import level_rows
from workers.storage import StorageError

KINDS = ("models alone", "with labels")
COUNTRIES = 12


def anchored_chart(rows: Iterable[Mapping[str, Any]]) -> alt.LayerChart | alt.FacetChart:
    """The largest countries, each with the interval of the models and the one that labels give."""
    values, order = [], []
    for row in level_rows(list(rows), "country")[:COUNTRIES]:
        order.append(row["country"])
        for kind, keys in zip(KINDS, (("raw_mean", "raw_lo", "raw_hi"), ("estimate", "lo", "hi")), strict=True):
            middle, low, high = (row[key] for key in keys)
            values.append({"country": row["country"], "kind": kind, "middle": middle, "low": low, "high": high})
    base = alt.Chart(alt.Data(values=values))
    y, shift = alt.Y("country:N", sort=order, title=None), alt.YOffset("kind:N", sort=KINDS)
    colour = alt.Color("kind:N", title=None, scale=alt.Scale(domain=KINDS, range=LIGHT[:2]))
    shape = alt.Shape("kind:N", title=None, scale=alt.Scale(domain=KINDS, range=SHAPES[:2]))
    bars = base.mark_rule(strokeWidth=2).encode(alt.X("low:Q", title="articles"), alt.X2("high:Q"), y, shift, colour)
    points = base.mark_point(filled=True, size=50, opacity=1).encode(alt.X("middle:Q"), y, shift, colour, shape)
    return alt.layer(bars, points).properties(width=520, height=alt.Step(15))


def write_anchored_chart(rows: Iterable[Mapping[str, Any]], file: Path) -> None:
    """Write the chart; the ending of the name says whether as PNG or SVG."""
    if file.suffix not in (".png", ".svg"):
        raise ValueError(f"a chart is a file .png or .svg; got {file}")
    try:
        anchored_chart(rows).save(file, scale_factor=1.5)
    except OSError as error:
        raise StorageError(str(file), f"cannot be written ({error.strerror})", "name another file") from error
