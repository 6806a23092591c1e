"""The page of experiment `tweets`.

Covers: calibration of the question "is it V?", the curves, and when a claim holds.
Not here: training (`tweets`).
"""

from collections.abc import Iterator

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.calibration import Estimate, calibration_error_interval, calibration_test, reliability_curve
from flows.charts.reliability import reliability_chart
from reproductions.findings import Claim, Findings, Picture, Row
from reproductions.resampling import Drawn, draw_times, largest, mean_of, ratio, root_mean, squared_error
from reproductions.tagging.tagger_measures import Calibration, Question, Tagged, calibration
from reproductions.verdicts import Test

QUERY = "V"
KINDS = ("CRF-Basic", "CRF-Advanced", "HMM")
BIN_SIZE = 200
"""The thesis does not say its own; 5,000, as in the paper, would leave one bin."""

_THEY = """
The ARK tweets, 1,000 for training, 327 for development, 500 for test. The same HMM, basic CRF and CRF with more
features (CRF-Advanced) as on the Wall Street Journal; the question is whether a word is tagged V. The thesis gives
ratios and one accuracy; its figures are blank."""
_WE = """
The same tweets, splits and question, with the thesis's estimators: an HMM by maximum likelihood, and CRFs by AdaGrad
with batches of 100. Beside them an HMM with a pseudocount of one, as the paper prints it, one with the pseudocount that
is best on the development tweets ({pseudocount:g}), and CRFs by L-BFGS. L2 is the best on the development tweets of
0.003 to 3: by accuracy {basic:g} and by likelihood {basic_likely:g} for the basic CRF, {advanced:g} and
{advanced_likely:g} for the advanced one (surrounding words, shape, length, prefixes, suffixes). CalibErr in bins of
{bin_size} rows, {n_bins} of them; the errors without noise and their intervals come from drawing whole tweets. A
perfect model would show {floor:.3f} here."""
_DATA = """
They do not: these are the thesis's own data (oct27 of ark-tweet-nlp), {n_words:,} test words, {share:.0%} of them V."""
_VERDICT = """\
Error without noise on V: HMM {:.3f} by maximum likelihood and {:.3f} tuned, CRF-Basic {:.3f}, CRF-Advanced {:.3f}; \
the thesis has half at each step."""
HALF_BASIC = Test(
    "The basic CRF has about half the HMM's miscalibration.",
    "CalibErr without noise on V, CRF-Basic over HMM by maximum likelihood",
    0.4,
    0.65,
)
HALF_ADVANCED = Test(
    "The advanced CRF has about half the basic one's.",
    "CalibErr without noise on V, CRF-Advanced over CRF-Basic",
    0.4,
    0.65,
)
LOWER_BASIC = Test(
    "The basic CRF is better calibrated than the HMM.",
    "CalibErr without noise on V, CRF-Basic over HMM; largest over three HMMs and three CRFs",
    high=1.0,
)
LOWER_ADVANCED = Test(
    "The advanced CRF is better calibrated than the basic one.",
    "CalibErr without noise on V, CRF-Advanced over CRF-Basic; largest over three ways to train",
    high=1.0,
)
ACCURATE = Test("The advanced CRF is 87 % accurate.", "Share right", 0.86, 0.88)
RELIABLE = Test(
    "Its predictions are reliable.", "CalibErr without noise on V; theirs was a quarter of the HMM's", high=0.03
)


def page(tagged: dict[str, Tagged], chosen: dict[str, float], seed: int) -> Findings:
    """All of the page."""
    found = {name: calibration(one.one_tag(QUERY), bin_size=BIN_SIZE, seed=seed) for name, one in tagged.items()}
    question = tagged["CRF-Advanced"].one_tag(QUERY)
    test = calibration_test(question.pred, question.label, bin_size=BIN_SIZE)
    n_words = len(question.pred)
    values = [found[name].clean.value for name in ("HMM", "HMM, tuned", "CRF-Basic", "CRF-Advanced")]
    return Findings(
        they=_THEY,
        we=_WE.format(**_words(chosen), bin_size=BIN_SIZE, n_bins=n_words // BIN_SIZE, floor=test.null_error),
        data=_DATA.format(n_words=n_words, share=question.label.mean()),
        rows=tuple(_rows(tagged, found, seed)),
        pictures=(_picture(tagged, found),),
        claims=tuple(_claims(tagged)),
        verdict=_VERDICT.format(*values),
    )


def _words(chosen: dict[str, float]) -> dict[str, float]:
    return {
        "pseudocount": chosen["pseudocount"],
        "basic": chosen["CRF-Basic, accuracy"],
        "basic_likely": chosen["CRF-Basic, likelihood"],
        "advanced": chosen["CRF-Advanced, accuracy"],
        "advanced_likely": chosen["CRF-Advanced, likelihood"],
    }


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


def _claims(tagged: dict[str, Tagged]) -> Iterator[Claim]:
    tweet = np.unique(next(iter(tagged.values())).document, return_inverse=True)[1]
    times = draw_times(int(tweet.max()) + 1)
    errors = {name: _error(one.one_tag(QUERY), tweet, times) for name, one in tagged.items()}
    yield HALF_BASIC.judged(ratio(errors["CRF-Basic"], errors["HMM"]).estimate())
    yield HALF_ADVANCED.judged(ratio(errors["CRF-Advanced"], errors["CRF-Basic"]).estimate())
    basic, advanced, hmms = ([one for name, one in errors.items() if name.startswith(kind)] for kind in KINDS)
    yield LOWER_BASIC.judged(largest(*(ratio(crf, hmm) for crf in basic for hmm in hmms)).estimate())
    pairs = zip(advanced, basic, strict=True)
    yield LOWER_ADVANCED.judged(largest(*(ratio(one, other) for one, other in pairs)).estimate())
    last = tagged["CRF-Advanced"]
    right = (last.marginal.argmax(axis=1) == last.gold).astype(float)
    yield ACCURATE.judged(mean_of(right, tweet, times).estimate())
    yield RELIABLE.judged(errors["CRF-Advanced"].estimate())


def _error(question: Question, tweet: Ints, times: Floats) -> Drawn:
    return root_mean([squared_error(question.pred, question.label, tweet, times, bin_size=BIN_SIZE)])


def _picture(tagged: dict[str, Tagged], found: dict[str, Calibration]) -> Picture:
    panels = {}
    for name in ("HMM", "CRF-Basic", "CRF-Advanced"):
        question = tagged[name].one_tag(QUERY)
        title = f"{name}: {100 * tagged[name].accuracy:.1f} % right, CalibErr {found[name].paper.value:.3f}"
        panels[title] = reliability_curve(question.pred, question.label, bin_size=BIN_SIZE)
    subtitle = f"Adaptive bins of {BIN_SIZE}; bars: 95 % Wilson intervals; dashed: perfect calibration."
    chart = reliability_chart(panels, title="Is this word of the tweet V?", subtitle=subtitle)
    return Picture("", "Calibration curves, as Figures 4.4 to 4.6 of the thesis; HMM by maximum likelihood.", chart)
