"""The page of experiment `dose`: tests decided before the run."""

from collections.abc import Iterator, Sequence

import altair as alt
import numpy as np

from reproductions.dose.responses import DOSES, MEASURES, Response
from reproductions.findings import Claim, Findings, Picture, Row
from reproductions.resampling import Drawn, combined, difference, largest, ratio, smallest
from reproductions.verdicts import Test

F1_BLIND = Test("Ours: F1 does not notice the dose.", "Largest change of CoNLL F1 over all doses, in points", high=2.0)
ERROR_WARNS = Test(
    "Ours: CalibErr warns on both sides.",
    "CalibErr without noise at doses 0.5 and 2 over that at 1; smaller of both",
    low=1.5,
)
LOSS_WARNS = Test(
    "Ours: Log loss warns on both sides.",
    "Log loss of pairs at doses 0.5 and 2 over that at 1; smaller of both",
    low=1.05,
)
COVERAGE_FALLS = Test(
    "Overconfidence makes the intervals of counts too narrow.",
    "Coverage of 95 % intervals of the events of a document, dose 1 minus dose 2",
    low=0.05,
)
COVERAGE_BLIND = Test(
    "Ours: Underconfidence hides from coverage: flat posteriors have wide intervals.",
    "Coverage at dose 0.5 minus dose 1",
    low=-0.05,
)
COUNTS_SHIFT = Test(
    "Ours: The dose moves the counts themselves, not only their intervals.",
    "Events stated over true, dose 2 over dose 0.5; by more than a tenth",
    low=1.1,
)

_THEY = """
They say that calibration matters for the intervals of counts: of an overconfident model, they would be too narrow. They
do not measure by how much, nor which measure would have told."""
_WE = """
One antecedent model, trained on two thirds of OntoGUM train, read on the other third and on dev ({n} documents, gold
trees). All its logits are multiplied by {doses}: below 1 the model doubts too much, above 1 too little, and its
ranking of single antecedents never changes. At each dose: CalibErr of pairs without noise (bins of 5,000), log loss of
pairs, CoNLL F1 of the 1-best clustering; and of generic events (a description and a verb that meet in an entity), how
often the true number in a document is inside the 95 % interval of 200 samples, and stated over true events."""
_DATA = "There are no figures of theirs to compare. Intervals draw documents, the same at all doses."


def page(responses: Sequence[Response], n_documents: int) -> Findings:
    """All of the page."""
    by_dose = {one.dose: one.measures for one in responses}
    one, two = by_dose[1.0], by_dose[2.0]
    return Findings(
        they=_THEY,
        we=_WE.format(n=n_documents, doses=", ".join(f"{dose:g}" for dose in DOSES)),
        data=_DATA,
        rows=tuple(_rows(responses)),
        pictures=(Picture("", CAPTION, _chart(responses)),),
        claims=tuple(_claims(by_dose)),
        verdict=f"Logits doubled: F1 {one['F1'].value:.1f} to {two['F1'].value:.1f}, CalibErr "
        f"{one['CalibErr'].value:.4f} to {two['CalibErr'].value:.4f}, "
        f"coverage of count intervals {one['coverage'].value:.0%} to "
        f"{two['coverage'].value:.0%}, events stated over true {one['stated over true'].value:.2f} to "
        f"{two['stated over true'].value:.2f}.",
    )


def _rows(responses: Sequence[Response]) -> Iterator[Row]:
    for name in MEASURES:
        for response in responses:
            found = response.measures[name].estimate()
            yield Row(name, f"logits times {response.dose:g}", found.value, lo=found.lo, hi=found.hi)


def _claims(by_dose: dict[float, dict[str, Drawn]]) -> Iterator[Claim]:
    one, low, high = by_dose[1.0], by_dose[DOSES[0]], by_dose[DOSES[-1]]
    changes = [combined(np.abs, difference(found["F1"], one["F1"])) for found in by_dose.values()]
    yield F1_BLIND.judged(largest(*changes).estimate())
    for test, name in ((ERROR_WARNS, "CalibErr"), (LOSS_WARNS, "log loss")):
        yield test.judged(smallest(*(ratio(found[name], one[name]) for found in (low, high))).estimate())
    yield COVERAGE_FALLS.judged(difference(one["coverage"], high["coverage"]).estimate())
    yield COVERAGE_BLIND.judged(difference(low["coverage"], one["coverage"]).estimate())
    yield COUNTS_SHIFT.judged(ratio(high["stated over true"], low["stated over true"]).estimate())


CAPTION = (
    "Each measure against the factor on the logits, with 95 % intervals over documents; dashed: the model as it is."
)


def _chart(responses: Sequence[Response]) -> alt.TopLevelMixin:
    return alt.concat(*(_panel(name, responses) for name in MEASURES), columns=3).configure_view(stroke=None)


def _panel(name: str, responses: Sequence[Response]) -> alt.LayerChart | alt.FacetChart:
    found = [(response.dose, response.measures[name].estimate()) for response in responses]
    rows = [{"dose": dose, "value": one.value, "lo": one.lo, "hi": one.hi} for dose, one in found]
    x = alt.X(
        "dose:Q", title="logits times", scale=alt.Scale(type="log", nice=False), axis=alt.Axis(values=list(DOSES))
    )
    base = alt.Chart(alt.Data(values=rows)).encode(x)
    same = alt.Chart(alt.Data(values=[{"dose": 1.0}])).mark_rule(color="#666666", strokeDash=[4, 3]).encode(x)
    y = alt.Y("value:Q", title=name, scale=alt.Scale(zero=False))
    return alt.layer(
        same,
        base.mark_area(opacity=0.2).encode(alt.Y("lo:Q", title=name), alt.Y2("hi:Q")),
        base.mark_line(point=True).encode(y),
    ).properties(width=200, height=160, title=alt.Title(name, anchor="start", fontWeight="normal"))
