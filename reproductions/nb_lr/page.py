"""The page of experiment `nb-lr`.

Covers: the measures of both models, the curves, and when a claim holds.
Not here: training (`nb_lr`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import f1_score

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import (
    Estimate,
    bin_size_sweep,
    calibration_error_interval,
    calibration_test,
    debiased_error_interval,
    log_loss,
    reliability_curve,
)
from flows.charts.reliability import reliability_chart
from reproductions.findings import Claim, Findings, Picture, Row
from reproductions.resampling import (
    Drawn,
    combined,
    difference,
    draw_times,
    mean_of,
    ratio,
    root_mean,
    smallest,
    squared_error,
)
from reproductions.verdicts import Test

NAMES = {"NB": "Naive Bayes", "LR": "logistic regression"}
THEIR_F1 = {"NB": 0.738, "LR": 0.729}
THEIR_ERROR = {"NB": (0.1048, 0.0069), "LR": (0.0409, 0.0062)}
N_DRAWS = 500
"""Draws of the snippets, which are too many for the usual number of draws in memory."""
BINS = 20
"""As many as the paper had: 100,000 test tweets in bins of 5,000."""

_THEY = """
The task: tell tweets that contained ":)" from others, by their other words. 100,000 tweets each for training,
development and test, half of them positive; binary unigram features; scikit-learn's Bernoulli Naive Bayes and L2
logistic regression; smoothing and penalty chosen by F1 on the development set. CalibErr in bins of 5,000, that is 20
bins."""
_WE = """
The same two scikit-learn models and features, hyperparameters by F1 on held-out text, on review snippets. Five parts
in rotation: three train, one chooses, one tests, so that each snippet is tested once, {n:,} in all. 20 adaptive bins
of {size} rows. Beside the paper's figure stands the debiased one: with bins this small even a perfect model would show
about {floor:.3f}. Intervals take snippets as independent, because the data do not say which come from one review."""
_DATA = """
The tweets are not public. Instead: the sentence polarity data of Pang & Lee (2005), 10,662 snippets of film reviews,
half positive. These are also two balanced classes of short texts, but with some 6,400 training texts instead of
100,000, written English instead of Twitter, and the reviewer's own verdict as the label instead of a smiley. The words
are tokenised as distributed."""
_WHY_F1 = """
With few training texts the stronger assumptions of Naive Bayes help it (Ng & Jordan 2002); with more, the order may
reverse."""
_WHY_SIGN = """
The penalty that F1 chose shrinks the weights of logistic regression; where it shrinks them too far, predictions stay
too close to one half and the sign turns."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Test predictions of one model on one fifth of the texts, shape (n,), and the hyperparameter it was given."""

    pred: Floats
    label: Bools
    chosen: float


@dataclass(frozen=True, slots=True)
class Measured:
    """All test predictions of one model, and what was measured on them."""

    pred: Floats
    label: Bools
    f1: float
    paper: Estimate
    debiased: Estimate
    low: float
    """Mean of label minus prediction where the prediction is below one half."""
    high: float
    """The same above one half."""


def measure(folds: list[Fold]) -> Measured:
    """Pool the folds and measure."""
    pred, label = np.concatenate([fold.pred for fold in folds]), np.concatenate([fold.label for fold in folds])
    low, high = (float((label[side] - pred[side]).mean()) for side in (pred < 0.5, pred >= 0.5))
    paper = calibration_error_interval(pred, label, n_bins=BINS)
    debiased = debiased_error_interval(pred, label, n_bins=BINS)
    return Measured(pred, label, float(f1_score(label, pred >= 0.5)), paper, debiased, low, high)


def page(folds: dict[str, list[Fold]]) -> Findings:
    """All of the page."""
    found = {name: measure(parts) for name, parts in folds.items()}
    n, nb, lr = len(found["NB"].pred), found["NB"], found["LR"]
    floor = calibration_test(lr.pred, lr.label, n_bins=BINS).null_error
    ratio = nb.debiased.value / lr.debiased.value if lr.debiased.value else np.inf
    return Findings(
        they=_THEY,
        we=_WE.format(n=n, size=n // BINS, floor=floor),
        data=_DATA,
        rows=tuple(_rows(found, folds)),
        pictures=(_picture(found),),
        claims=tuple(_claims(nb, lr)),
        verdict=f"CalibErr {nb.paper.value:.3f} for Naive Bayes and {lr.paper.value:.3f} for logistic regression "
        f"(theirs 0.105 and 0.041); without noise the ratio is {ratio:.1f}.",
    )


def _rows(found: dict[str, Measured], folds: dict[str, list[Fold]]) -> Iterator[Row]:
    for name, full in NAMES.items():
        chosen = ", ".join(f"{fold.chosen:g}" for fold in folds[name])
        yield Row("Accuracy", f"F1, {full}", found[name].f1, theirs=THEIR_F1[name], note=f"hyperparameters {chosen}")
    for name, full in NAMES.items():
        one, (value, half) = found[name], THEIR_ERROR[name]
        note = f"interval by Algorithm 2; theirs ± {half}"
        yield Row(
            "Calibration",
            f"CalibErr, {full}",
            one.paper.value,
            theirs=value,
            lo=one.paper.lo,
            hi=one.paper.hi,
            note=note,
        )
    for name, full in NAMES.items():
        clean = found[name].debiased
        yield Row("Calibration", f"CalibErr without noise, {full}", clean.value, lo=clean.lo, hi=clean.hi)
    for name, full in NAMES.items():
        one = found[name]
        yield Row("Direction", f"observed minus predicted below one half, {full}", one.low)
        yield Row("Direction", f"observed minus predicted above one half, {full}", one.high)
        yield Row("Direction", f"log loss, {full}", log_loss(one.pred, one.label))
    for name, full in NAMES.items():
        sweep = bin_size_sweep(found[name].pred, found[name].label)
        for size, error, debiased in zip(sweep.bin_size, sweep.error, sweep.debiased, strict=True):
            figure, note = f"CalibErr, {full}, bins of {size}", f"without noise {debiased:.4f}"
            yield Row("By bin size", figure, error, note=note, detail=True)


HALF = Test(
    "Logistic regression has less than half the calibration error of Naive Bayes.",
    "CalibErr without noise, logistic regression over Naive Bayes; theirs is 0.39",
    high=0.5,
)
F1 = Test("Naive Bayes has a slightly higher F1.", "F1, Naive Bayes minus logistic regression", low=0.0)
LOW = Test(
    "Both are underconfident in the lower range.",
    "Observed minus predicted below one half; smaller of both",
    low=0.0,
)
HIGH = Test(
    "Both are overconfident in the higher range.",
    "Predicted minus observed above one half; smaller of both",
    low=0.0,
)
MORE = Test(
    "Naive Bayes is more so.",
    "Those two gaps, Naive Bayes minus logistic regression; smaller of both",
    low=0.0,
)


def _claims(nb: Measured, lr: Measured) -> Iterator[Claim]:
    rows = np.arange(len(nb.pred))
    times = draw_times(len(rows), n_draws=N_DRAWS)
    errors = [root_mean([squared_error(one.pred, one.label, rows, times, n_bins=BINS)]) for one in (lr, nb)]
    seen = f"As the paper measures it, {lr.paper.value:.3f} against {nb.paper.value:.3f}."
    yield HALF.judged(ratio(*errors).estimate(), seen)
    yield F1.judged(difference(_f1(nb, rows, times), _f1(lr, rows, times)).estimate(), _WHY_F1)
    low, high = ([_gap(one, rows, times, above=above) for one in (nb, lr)] for above in (False, True))
    yield LOW.judged(smallest(*low).estimate())
    yield HIGH.judged(smallest(*high).estimate(), _WHY_SIGN if smallest(*high).value < 0 else "")
    yield MORE.judged(smallest(difference(*low), difference(*high)).estimate())


def _gap(one: Measured, rows: Ints, times: Floats, *, above: bool) -> Drawn:
    """How far predictions on one side of one half are from it beyond what happens."""
    side = (one.pred >= 0.5) == above
    gap = one.pred - one.label if above else one.label - one.pred
    return mean_of(gap[side], rows[side], times)


def _f1(one: Measured, rows: Ints, times: Floats) -> Drawn:
    said = one.pred >= 0.5
    right, wrong = (mean_of(part.astype(np.float64), rows, times) for part in (said & one.label, said != one.label))
    return combined(lambda r, w: 2 * r / (2 * r + w), right, wrong)


def _picture(found: dict[str, Measured]) -> Picture:
    curves = {
        f"{full}: CalibErr {found[name].paper.value:.3f}": reliability_curve(
            found[name].pred, found[name].label, n_bins=BINS
        )
        for name, full in NAMES.items()
    }
    subtitle = "20 adaptive bins; bars: 95 % Wilson intervals; dashed: perfect calibration."
    chart = reliability_chart(curves, title="Is a review snippet positive?", subtitle=subtitle)
    return Picture("", "Calibration curves, as Figure 2 of the paper.", chart)
