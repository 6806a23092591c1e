"""The page of experiment `tweets`.

Covers: calibration of the question "is it V?", the curves, and when a claim holds.
Not here: training (`tweets`).
"""

from collections.abc import Iterator

from calib_core.calibration import Estimate, calibration_error_interval, calibration_test, reliability_curve
from flows.charts.reliability import reliability_chart
from reproductions.findings import Claim, Findings, Picture, Row
from reproductions.tagging.tagger_measures import Calibration, Tagged, calibration

QUERY = "V"
BIN_SIZE = 200
"""The thesis does not say its own; 5,000, as in the paper, would leave one bin."""

_THEY = """
The ARK tweets, 1,000 for training, 327 for development, 500 for test. The same HMM, basic CRF and CRF with more
features (CRF-Advanced) as on the Wall Street Journal; the question is whether a word is tagged V. The thesis gives
ratios and one accuracy; its figures are blank."""
_WE = """
The same tweets, splits and question, with our own HMM and CRF: once with a pseudocount of one, as the paper prints it,
and once with the pseudocount that is best on the development tweets ({pseudocount:g}). L2 by accuracy there: {basic:g}
for the basic CRF, {advanced:g} for the advanced one (surrounding words, shape, length, prefixes, suffixes). CalibErr
in bins of {bin_size} rows, {n_bins} of them; the errors without noise and their intervals come from drawing whole
tweets. A perfect model would show {floor:.3f} here."""
_DATA = """
They do not: these are the thesis's own data (oct27 of ark-tweet-nlp), {n_words:,} test words, {share:.0%} of them V."""
_WHY = "{n_words:,} words leave errors of this size uncertain: the intervals are wide."
_VERDICT = """\
Error without noise on V: HMM {:.3f} as printed and {:.3f} tuned, CRF-Basic {:.3f}, CRF-Advanced {:.3f}; the thesis \
has half at each step."""


def page(tagged: dict[str, Tagged], chosen: dict[str, float], seed: int) -> Findings:
    """All of the page."""
    found = {name: calibration(one.one_tag(QUERY), bin_size=BIN_SIZE, seed=seed) for name, one in tagged.items()}
    question = tagged["CRF-Advanced"].one_tag(QUERY)
    test = calibration_test(question.pred, question.label, bin_size=BIN_SIZE)
    n_words = len(question.pred)
    values = [found[name].clean.value for name in ("HMM", "HMM, tuned", "CRF-Basic", "CRF-Advanced")]
    return Findings(
        they=_THEY,
        we=_WE.format(**chosen, bin_size=BIN_SIZE, n_bins=n_words // BIN_SIZE, floor=test.null_error),
        data=_DATA.format(n_words=n_words, share=question.label.mean()),
        rows=tuple(_rows(tagged, found, seed)),
        pictures=(_picture(tagged, found),),
        claims=tuple(_claims(tagged, found)),
        verdict=_VERDICT.format(*values),
    )


def _rows(tagged: dict[str, Tagged], found: dict[str, Calibration], seed: int) -> Iterator[Row]:
    for name, one in tagged.items():
        yield Row("Accuracy", f"accuracy, {name}", one.accuracy, theirs=0.87 if name == "CRF-Advanced" else None)
    for name, errors in found.items():
        yield _row("Is it V?", f"CalibErr, {name}", errors.paper, "interval by Algorithm 2")
    for name, errors in found.items():
        yield _row("Is it V?", f"CalibErr without noise, {name}", errors.clean, "95 % interval by drawing tweets")
    for name, one in tagged.items():
        question = one.one_tag(QUERY)
        squared = calibration_error_interval(question.pred, question.label, bin_size=BIN_SIZE, squared=True, seed=seed)
        yield _row("Is it V?", f"CalibMSE, {name}", squared, "the thesis's score")
    for name, one in tagged.items():
        everything = calibration(one.all_tags(), bin_size=5 * BIN_SIZE, seed=seed).clean
        yield _row("All tags", f"CalibErr without noise, {name}", everything, f"bins of {5 * BIN_SIZE:,}")
    for name, one in tagged.items():
        figure = f"probability of the likeliest tag minus share right, {name}"
        yield Row("All tags", figure, one.overconfidence, note="positive: overconfident")


def _row(table: str, figure: str, found: Estimate, note: str) -> Row:
    return Row(table, figure, found.value, lo=found.lo, hi=found.hi, note=note)


def _claims(tagged: dict[str, Tagged], found: dict[str, Calibration]) -> Iterator[Claim]:
    clean = {name: one.clean for name, one in found.items()}
    for first, second, statement in (
        ("HMM", "CRF-Basic", "The basic CRF has about half the HMM's miscalibration."),
        ("CRF-Basic", "CRF-Advanced", "The advanced CRF has about half the basic one's."),
    ):
        lower, apart = clean[second].value < clean[first].value, clean[second].hi < clean[first].lo
        ratio = clean[second].value / clean[first].value if clean[first].value else float("inf")
        seen = f"{clean[second].value:.4f} against {clean[first].value:.4f} without noise, a ratio of {ratio:.2f}; "
        seen += "the intervals do not overlap." if apart else _WHY.format(n_words=len(tagged[first].gold))
        if first == "HMM":
            seen += f" The tuned HMM has {clean['HMM, tuned'].value:.4f}."
        yield Claim(statement, "yes" if lower and ratio < 0.7 else "partly" if lower else "no", seen)
    right = tagged["CRF-Advanced"].accuracy
    yield Claim(
        "The advanced CRF is not perfectly accurate (87 %), but its predictions are reliable.",
        "yes" if abs(right - 0.87) < 0.03 and clean["CRF-Advanced"].value < 0.03 else "partly",
        f"{100 * right:.1f} % right; error without noise {clean['CRF-Advanced'].value:.4f} "
        f"({clean['CRF-Advanced'].lo:.4f} to {clean['CRF-Advanced'].hi:.4f}).",
    )


def _picture(tagged: dict[str, Tagged], found: dict[str, Calibration]) -> Picture:
    panels = {}
    for name in ("HMM", "CRF-Basic", "CRF-Advanced"):
        question = tagged[name].one_tag(QUERY)
        title = f"{name}: {100 * tagged[name].accuracy:.1f} % right, CalibErr {found[name].paper.value:.3f}"
        panels[title] = reliability_curve(question.pred, question.label, bin_size=BIN_SIZE)
    subtitle = f"Adaptive bins of {BIN_SIZE}; bars: 95 % Wilson intervals; dashed: perfect calibration."
    chart = reliability_chart(panels, title="Is this word of the tweet V?", subtitle=subtitle)
    return Picture("", "Calibration curves, as Figures 4.4 to 4.6 of the thesis; HMM with one pseudocount.", chart)
