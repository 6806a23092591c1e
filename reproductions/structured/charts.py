"""Pictures of recalibration: curves before and after, loss by features, error by size of the calibration set."""

from collections.abc import Mapping

import altair as alt

from calib_core.calibration.binning import Bins
from flows.charts.palette import LIGHT
from reproductions.structured.events import Scored

COSTS = ("none", "MAP", "marginals", "all")
"""What a group of features needs: the first word of its label."""
METHODS = {"knn": "k-nearest neighbours", "tree": "decision tree"}


def curves_chart(panels: Mapping[str, Mapping[str, Scored]]) -> alt.TopLevelMixin:
    """Figure 2: for each panel, one curve for each way to a probability; dots as large as their buckets."""
    ways = list(dict.fromkeys(way for curves in panels.values() for way in curves))
    drawn = [_curves(title, curves, ways) for title, curves in panels.items()]
    heading = alt.Title(
        "Probabilities before and after recalibration",
        subtitle="observed against predicted, buckets of 0.1; dots as large as the share of events in the bucket",
        anchor="start",
        offset=12,
    )
    return alt.concat(*drawn, columns=3, title=heading).configure_view(stroke=None)


def _curves(title: str, curves: Mapping[str, Scored], ways: list[str]) -> alt.LayerChart | alt.FacetChart:
    rows = [row | {"way": way} for way, found in curves.items() for row in _points(found.bins)]
    unit = alt.Scale(domain=[0, 1], nice=False)
    ticks = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    x = alt.X("predicted:Q", scale=unit, axis=ticks, title="predicted probability")
    y = alt.Y("observed:Q", scale=unit, axis=ticks, title="observed frequency")
    colour = alt.Color(
        "way:N",
        title=None,
        scale=alt.Scale(domain=ways, range=LIGHT[: len(ways)]),
        legend=alt.Legend(orient="bottom", symbolOpacity=1),
    )
    ends = [{"predicted": 0, "observed": 0}, {"predicted": 1, "observed": 1}]
    base = alt.Chart(alt.Data(values=rows)).encode(x, y, colour)
    diagonal = alt.Chart(alt.Data(values=ends)).mark_line(color="#999999", strokeDash=[4, 4]).encode(x, y)
    dots = base.mark_point(filled=True, opacity=0.8).encode(
        size=alt.Size("share:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[15, 500]))
    )
    return alt.layer(diagonal, base.mark_line(opacity=0.5), dots).properties(
        width=200, height=200, title=alt.Title(title, anchor="start", fontWeight="normal", fontSize=12)
    )


def _points(bins: Bins) -> list[dict[str, float]]:
    columns = zip(bins.mean_pred.tolist(), bins.mean_label.tolist(), bins.weight.tolist(), strict=True)
    return [{"predicted": p, "observed": y, "share": share} for p, y, share in columns]


def features_chart(panels: Mapping[str, Mapping[str, Scored]]) -> alt.TopLevelMixin:
    """Figure 3: L2 loss of each group of features, the model's own probability as a line."""
    drawn = [_losses(title, groups) for title, groups in panels.items()]
    heading = alt.Title(
        "L2 loss by features, cheap ones first",
        subtitle="further left is better; the line is the model's own probability",
        anchor="start",
        offset=12,
    )
    return alt.concat(*drawn, columns=2, title=heading).configure_view(stroke=None)


def _losses(title: str, groups: Mapping[str, Scored]) -> alt.LayerChart | alt.FacetChart:
    own, labels = groups["model's own"].loss, [label for label in groups if label != "model's own"]
    rows = [{"features": label, "loss": groups[label].loss, "cost": _cost(label)} for label in labels]
    x = alt.X("loss:Q", title="L2 loss", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4))
    dots = alt.Chart(alt.Data(values=rows)).mark_point(filled=True, size=90, opacity=1)
    line = alt.Chart(alt.Data(values=[{"loss": own}])).mark_rule(color="#666666", strokeDash=[4, 3])
    return alt.layer(
        line.encode(x),
        dots.encode(
            x,
            alt.Y("features:N", sort=labels, title=None, axis=alt.Axis(labelLimit=240)),
            alt.Color(
                "cost:N",
                title="inference needed",
                sort=list(COSTS),
                scale=alt.Scale(domain=list(COSTS), range=LIGHT),
                legend=alt.Legend(orient="bottom"),
            ),
        ),
    ).properties(width=240, height=170, title=alt.Title(title, anchor="start", fontWeight="normal", fontSize=12))


def _cost(label: str) -> str:
    return label.split(":")[0]


def sizes_chart(sizes: Mapping[tuple[str, int], tuple[float, float]]) -> alt.TopLevelMixin:
    """Figure 4: calibration error and sharpness by the number of calibration sentences."""
    heading = alt.Title(
        "Calibration error and sharpness by size of the calibration set",
        subtitle='event "this tag is right", margin of the marginals as the only feature; mean of three draws',
        anchor="start",
        offset=12,
    )
    panels = [_sizes(title, method, sizes) for method, title in METHODS.items()]
    return alt.hconcat(*panels, title=heading).configure_view(stroke=None)


def _sizes(
    title: str, method: str, sizes: Mapping[tuple[str, int], tuple[float, float]]
) -> alt.LayerChart | alt.FacetChart:
    rows = [
        {"size": size, "measure": measure, "value": value}
        for (name, size), found in sizes.items()
        if name == method
        for measure, value in zip(("sharpness", "calibration error"), found[::-1], strict=True)
    ]
    steps = sorted({size for _, size in sizes})
    base = alt.Chart(alt.Data(values=rows)).encode(
        alt.X("size:Q", scale=alt.Scale(type="log"), title="sentences", axis=alt.Axis(values=steps, grid=False)),
        alt.Y(
            "value:Q",
            scale=alt.Scale(type="log", domain=[1e-4, 0.1], clamp=True),
            title=None,
            axis=alt.Axis(values=[1e-4, 1e-3, 1e-2, 0.1], format="~g"),
        ),
        alt.Color(
            "measure:N",
            title=None,
            scale=alt.Scale(domain=["sharpness", "calibration error"], range=[LIGHT[0], LIGHT[2]]),
            legend=alt.Legend(orient="bottom"),
        ),
    )
    return alt.layer(base.mark_line(), base.mark_point(filled=True, size=45, opacity=1)).properties(
        width=280, height=220, title=alt.Title(title, anchor="start", fontWeight="normal", fontSize=12)
    )
