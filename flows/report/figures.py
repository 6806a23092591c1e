"""Figures for papers, as SVG and PNG, each with a caption that states the method.

Covers: counts of the leading countries, a comparison of two, reliability and coverage.
Not here: the marks (`charts`), the page (`page`).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import altair as alt

from calib_core.events import compare
from flows.charts.palette import LIGHT, SHAPES
from flows.charts.reliability import reliability_panel
from flows.report import charts
from flows.report.calibration import Calibration, series_name, shown_calibration
from flows.report.content import RunContent
from flows.report.periods import first_day
from flows.report.roles import role_word
from flows.report.series import Country
from flows.report.whole_file import whole_file

PANELS, FEW = 4, 16
MILLISECONDS = 86_400_000
DAYS_IN_QUARTER = 91
EPOCH = first_day("1970")


def write_figures(content: RunContent, folder: Path, *, first: Sequence[str] = ()) -> list[Path]:
    """Write every figure that the run's data allow, with its caption beside it; return the files."""
    written = []
    for name, chart, caption in _figures(content, first):
        for suffix in (".svg", ".png"):
            options: dict[str, Any] = {"scale_factor": 2} if suffix == ".png" else {}
            with whole_file(folder / f"{name}{suffix}") as aside:
                chart.save(str(aside), **options)
        with whole_file(folder / f"{name}.txt") as aside:
            aside.write_text(caption + "\n", encoding="utf-8")
        written += [folder / f"{name}{suffix}" for suffix in (".svg", ".png", ".txt")]
    return written


def method(content: RunContent) -> str:
    """The sentence that every caption of counts ends with."""
    manifest = content.run.manifest
    recalibration = manifest.get("recalibration")
    state = f"recalibrated ({recalibration.get('kind')})" if recalibration else "not recalibrated"
    name, balance = manifest["query"]["name"], manifest["balance"]
    return (
        f"Entity clusterings of {balance['counted']:,} articles (of {balance['documents']:,}; the others cannot count) "
        f"were sampled {manifest['samples']:,} times from antecedent distributions, {state}, and the query “{name}” "
        f"was evaluated on every sample (Nguyen & O'Connor 2015, section 6; seed {manifest['seed']}, run "
        f"{manifest['run_id']}). The interval covers uncertainty about coreference only."
    )


def _figures(content: RunContent, first: Sequence[str]) -> Iterator[tuple[str, Any, str]]:
    shown = sorted(content.countries, key=lambda country: country.code not in first)[:PANELS]
    if shown:
        yield "counts", _styled(_counts(content, shown)), _counts_caption(content, shown)
    if len(shown) > 1:
        yield "comparison", _styled(_comparison(content, shown[0], shown[1])), _comparison_caption(content, shown)
    calibration, _ = shown_calibration(content.run, content.calibrations)
    if calibration is not None and calibration.bins:
        yield "reliability", _styled(_reliability(calibration)), _reliability_caption(calibration)


def _counts_caption(content: RunContent, shown: Sequence[Country]) -> str:
    names = ", ".join(country.name for country in shown)
    unit, role = content.run.manifest["query"]["unit"], role_word(content.settings.query.roles)
    return (
        f"Number of {unit} per quarter in which an entity of the country is the {role}: {names}. Line: posterior mean; "
        f"band: 95 % credible interval (mean ± 1.96 sd, drawn from zero upward); dotted: 1-best clustering. "
        f"{method(content)}"
    )


def _comparison_caption(content: RunContent, shown: Sequence[Country]) -> str:
    first, second = shown[0].name, shown[1].name
    return (
        f"{first} and {second} per quarter, and the share of posterior samples in which {first} has the larger count "
        f"(from below), both are equal (grey), or {second} has (from above); the same samples of the archive are used "
        f"for both, so what they share cancels. {method(content)}"
    )


def _reliability_caption(one: Calibration) -> str:
    sizes = sorted({int(row["size"]) for row in one.bins})
    return (
        f"Observed frequency against predicted probability, calibration {one.id}. Each point is a bin of adaptive "
        f"binning ({sizes[0]:,} to {sizes[-1]:,} predictions per bin, Algorithm 1 of Nguyen & O'Connor 2015); bars are "
        "95 % intervals of the frequency; the dashed line is perfect calibration. Solid with circles: as the model "
        "says; dashed with squares: recalibrated, on documents not used for the fit."
    )


def _counts(content: RunContent, shown: Sequence[Country]) -> alt.VConcatChart:
    panels = [
        _timed(content, _rows(content, country, 0)).properties(
            width=620, height=120, title=alt.Title(country.name, anchor="start", fontSize=12)
        )
        for country in shown
    ]
    return alt.vconcat(*panels)


def _timed(content: RunContent, rows: charts.Rows) -> alt.LayerChart | alt.FacetChart:
    """Counts on a time axis that begins and ends with the quarters themselves."""
    keys, ticks = content.axes["quarter"].keys, _ticks(content)
    ends = [{"mid": _time(keys[0])}, {"mid": _time(keys[-1]) + DAYS_IN_QUARTER * MILLISECONDS}]
    extent = charts.extent_layer(alt.Data(values=ends), ticks=ticks)
    return alt.layer(charts.counts_panel(alt.Data(values=rows), whiskers=_few(content), ticks=ticks), extent)


def _ticks(content: RunContent) -> dict[str, Any] | None:
    """Every quarter by its name, where there are few."""
    keys = content.axes["quarter"].keys
    if not _few(content):
        return None
    return {"values": [_time(key) + DAYS_IN_QUARTER * MILLISECONDS / 2 for key in keys], "format": "%YQ%q"}


def _comparison(content: RunContent, a: Country, b: Country) -> alt.VConcatChart:
    both = [*_rows(content, a, 0), *_rows(content, b, 1)]
    legend = f"{a.name} (solid, circles) and {b.name} (dashed, squares)"
    top = _timed(content, both).properties(width=620, height=200, title=alt.Title(legend, anchor="start", fontSize=12))
    strip = charts.compare_panel(alt.Data(values=_shares(content, a, b)), ticks=_ticks(content)).properties(
        width=620, height=80, title=alt.Title(f"P({a.name} > {b.name}) from below", anchor="start", fontSize=12)
    )
    return alt.vconcat(top, strip)


def _reliability(one: Calibration) -> alt.HConcatChart:
    """The first questions of the closest mode, each with its curves before and after recalibration."""
    first = one.bins[0]
    same = {name: first.get(name) for name in ("dataset", "split", "mode", "genre", "slice")}
    groups: dict[str, charts.Rows] = {}
    for row in one.bins:
        if all(row.get(name) == value for name, value in same.items()):
            slot = 0 if series_name(row) == series_name({}) else 1
            look = {"slot": slot, "colour": LIGHT[slot], "shape": SHAPES[slot]}
            groups.setdefault(f"{row['query']}, {row['dataset']} {row['split']}", []).append(row | look)
    panels = [
        reliability_panel(alt.Data(values=rows)).properties(
            width=220, height=220, title=alt.Title(name, anchor="start", fontSize=12)
        )
        for name, rows in list(groups.items())[:3]
    ]
    return alt.hconcat(*panels)


def _rows(content: RunContent, country: Country, slot: int) -> charts.Rows:
    """The rows of `charts.counts_panel` for one country: every covered quarter, zero where nothing was counted."""
    counts, axis = content.counts["quarter"], content.axes["quarter"]
    found = []
    for key, covered in zip(axis.keys, axis.covered, strict=True):
        if not covered:
            continue
        row = counts.row((key, country.code))
        mean, lo, hi, best = (
            (0.0, 0.0, 0.0, 0)
            if row is None
            else (counts.mean[row], max(0.0, counts.lo[row]), counts.hi[row], int(counts.map_count[row]))
        )
        found.append({
            "mid": _time(key) + DAYS_IN_QUARTER * MILLISECONDS / 2, "country": country.name, "code": country.code,
            "slot": slot, "colour": LIGHT[slot], "shape": SHAPES[slot], "period": key, "interval": "",
            "mean": float(mean), "lo": float(lo), "hi": float(hi), "best": best,
        })  # fmt: skip
    return found


def _shares(content: RunContent, a: Country, b: Country) -> charts.Rows:
    """The rows of `charts.compare_panel`: sample by sample."""
    counts, axis = content.counts["quarter"], content.axes["quarter"]
    known = {key for key, _ in counts.cells}
    found = []
    for key, covered in zip(axis.keys, axis.covered, strict=True):
        if not covered:
            continue
        shares = (0.0, 1.0, 0.0)
        if key in known:
            one = compare(counts, (key, a.code), (key, b.code))
            shares = (one.p_greater, one.p_equal, one.p_less)
        base, start = 0.0, _time(key)
        for share, colour in zip(shares, (LIGHT[0], "#c9c5ba", LIGHT[1]), strict=True):
            end = start + DAYS_IN_QUARTER * MILLISECONDS
            found.append({
                "start": start, "end": end, "y0": base, "y1": base + share, "colour": colour, "period": key,
                "outcome": "", "p": share,
            })  # fmt: skip
            base += share
    return found


def _few(content: RunContent) -> bool:
    return len(content.axes["quarter"].keys) <= FEW


def _time(key: str) -> int:
    """Milliseconds since 1970, as Vega counts time."""
    return (first_day(key) - EPOCH).days * MILLISECONDS


def _styled(chart: Any) -> Any:
    return chart.configure_view(stroke=None).configure_axis(gridColor="#dddddd", labelFontSize=11)
