"""Charts of a calibration: reliability of pairs and events, error by kind of pair, coverage.

Covers: charts from the rows of the three tables, and writing them as PNG.
Not here: measuring (`workers.calibration`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np

from calib_core.calibration import ReliabilityCurve, label_interval
from calib_core.coref.recalibration.forms import Identity
from flows.charts.palette import LIGHT
from flows.charts.reliability import reliability_chart
from workers.calibration.drive import NOT_RECALIBRATED
from workers.calibration.rows import Row, Tables

_POINTS = 40
_LEVEL = "5 documents"
_INTERVALS = {"normal": "normal (the paper's)", "exact": "exact", "randomised": "without rounding"}


def write_charts(tables: Tables, mode: str, form: str, folder: Path) -> list[Path]:
    """Write every chart as a PNG file and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    charts = {
        "pairs": pair_chart(tables.bins, mode, form),
        "events": event_chart(tables.bins, mode),
        "slices": slice_chart(tables.metrics, mode),
        "coverage": coverage_chart(tables.coverage, mode, form),
    }
    paths = []
    for name, chart in charts.items():
        path = folder / f"calibration-{name}.png"
        chart.save(path, scale_factor=0.95)
        paths.append(path)
    return paths


def curve_of(rows: Sequence[Row]) -> ReliabilityCurve:
    """The reliability curve from rows of the bins table, with neighbouring bins joined if there are too many."""
    ordered = sorted(rows, key=lambda row: row["bin"])
    size, pred, label = (np.array([row[name] for row in ordered]) for name in ("size", "mean_pred", "mean_label"))
    # even steps in prediction give one point to the many near 0 and enough to the rest
    step = np.floor(pred * _POINTS).astype(np.int64)
    _, start = np.unique(step, return_index=True)
    total = np.add.reduceat(size, start)
    mean_pred, mean_label = (np.add.reduceat(size * column, start) / total for column in (pred, label))
    return ReliabilityCurve(total, mean_pred, mean_label, *label_interval(mean_label, total))


def pair_chart(bins: Sequence[Row], mode: str, form: str) -> alt.TopLevelMixin:
    """Pairs with a probability above 0.01, before and after recalibration."""
    panels = {"as the model states them": _selected(bins, mode, NOT_RECALIBRATED, "pairs", "q > 0.01")}
    if form != Identity.kind:
        panels[f"recalibrated ({form})"] = _selected(bins, mode, form, "pairs", "q > 0.01")
    return reliability_chart(
        {name: curve_of(rows) for name, rows in panels.items() if rows},
        title="Do two mentions mean the same entity?",
        subtitle="Each point: pairs of mentions with about the same probability (those above 0.01)",
    )


def event_chart(bins: Sequence[Row], mode: str) -> alt.TopLevelMixin:
    """Events, on the mode's own trees and end to end."""
    panels = {
        "coreference alone": _selected(bins, mode, NOT_RECALIBRATED, "events", "q > 0.01"),
        "end to end, parsing errors included": _selected(bins, mode, NOT_RECALIBRATED, "events end to end", "q > 0.01"),
    }
    return reliability_chart(
        {name: curve_of(rows) for name, rows in panels.items() if rows},
        title="Did an entity described as m do v?",
        subtitle="Each point: events of annotated documents with about the same probability (those above 0.01)",
    )


def slice_chart(metrics: Sequence[Row], mode: str) -> alt.TopLevelMixin:
    """Debiased calibration error of pairs by distance, types and genre, with intervals over documents."""
    rows = [
        {"what": _kind(row), "slice": _label(row), "error": row["value"], "lo": row["lo"], "hi": row["hi"]}
        for row in metrics
        if row["mode"] == mode
        and row["recalibrated"] == NOT_RECALIBRATED
        and row["query"] == "pairs"
        and row["metric"] == "debiased_calibration_error"
        and row["reliable"]
    ]
    y = alt.Y("slice:N", title=None, sort=None)
    base = alt.Chart(alt.Data(values=rows))
    point = base.mark_point(filled=True, size=45, color=LIGHT[0]).encode(
        alt.X("error:Q", title="calibration error (debiased)"), y
    )
    rule = base.mark_rule(color=LIGHT[0]).encode(alt.X("lo:Q", title="calibration error (debiased)"), y, x2="hi:Q")
    chart = alt.layer(rule, point).properties(width=420).facet(row=alt.Row("what:N", title=None, sort=None))
    heading = alt.Title("Where are pair probabilities off?", subtitle="Lines: 95 % intervals over documents")
    return chart.resolve_scale(y="independent").properties(title=heading)


def coverage_chart(coverage: Sequence[Row], mode: str, form: str) -> alt.TopLevelMixin:
    """Coverage against the nominal level, for counts of events, before and after recalibration."""
    rows = [
        {
            "counts": f"{row['slice']}, {row['level']}",
            "interval": _INTERVALS[row["interval"]],
            "promised": 100 * row["nominal"],
            "held": 100 * row["covered"],
            "recalibration": "before recalibration"
            if row["recalibrated"] == NOT_RECALIBRATED
            else f"recalibrated ({form})",
        }
        for row in coverage
        if row["mode"] == mode
        and row["query"] == "events"
        and row["level"] == _LEVEL
        and (row["recalibrated"] == NOT_RECALIBRATED or form != Identity.kind)
    ]
    scale = alt.Scale(domain=[30, 100], nice=False)
    x = alt.X("promised:Q", title="promised, %", scale=scale)
    y = alt.Y("held:Q", title="held the truth, %", scale=scale)
    ends = [{"promised": 30, "held": 30}, {"promised": 100, "held": 100}]
    diagonal = alt.Chart(alt.Data(values=ends)).mark_line(color="#999999", strokeDash=[4, 4]).encode(x, y)
    panels = []
    for name in dict.fromkeys(row["counts"] for row in rows):
        lines = alt.Chart(alt.Data(values=[row for row in rows if row["counts"] == name])).mark_line(point=True)
        marks = lines.encode(
            x, y, alt.Color("interval:N", scale=alt.Scale(range=LIGHT), title="interval"),
            alt.StrokeDash("recalibration:N", title=None),
        )  # fmt: skip
        panels.append(alt.layer(diagonal, marks).properties(width=230, height=230, title=name))
    heading = alt.Title("Do intervals of event counts hold the truth as often as they promise?", anchor="start")
    return alt.concat(*panels, columns=2, title=heading).configure_view(stroke=None)


def _selected(bins: Sequence[Row], mode: str, form: str, query: str, part: str) -> list[Row]:
    wanted: dict[str, Any] = {"mode": mode, "recalibrated": form, "query": query, "slice": part, "genre": "all"}
    return [row for row in bins if all(row[name] == value for name, value in wanted.items())]


def _kind(row: Row) -> str:
    return "genre" if row["genre"] != "all" else str(row["slice"]).partition(" ")[0]


def _label(row: Row) -> str:
    return str(row["genre"]) if row["genre"] != "all" else str(row["slice"]).partition(" ")[2] or str(row["slice"])
