"""The page of experiment `nb-lr`.

Covers: the measures of both models, the curves, and when a claim holds.
Not here: training (`nb_lr`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import f1_score

from calib_core.arrays import Bools, Floats
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

NAMES = {"NB": "Naive Bayes", "LR": "logistic regression"}
THEIR_F1 = {"NB": 0.738, "LR": 0.729}
THEIR_ERROR = {"NB": (0.1048, 0.0069), "LR": (0.0409, 0.0062)}
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
about {floor:.3f}. Its interval takes snippets as independent, because the data do not say which come from one
review."""
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


def _claims(nb: Measured, lr: Measured) -> Iterator[Claim]:
    apart = nb.debiased.lo > lr.debiased.hi
    yield Claim(
        "Logistic regression has less than half the calibration error of Naive Bayes.",
        "yes" if lr.debiased.value < nb.debiased.value / 2 and apart else "partly" if apart else "no",
        f"{lr.paper.value:.3f} against {nb.paper.value:.3f} as the paper measures; without noise "
        f"{lr.debiased.value:.3f} against {nb.debiased.value:.3f}, and the intervals "
        f"{'do not overlap' if apart else 'overlap'}.",
    )
    yield Claim(
        "Naive Bayes has a slightly higher F1.",
        "yes" if nb.f1 > lr.f1 else "no",
        f"{nb.f1:.3f} against {lr.f1:.3f}. {_WHY_F1}",
    )
    both = min(nb.low, -nb.high, lr.low, -lr.high) > 0
    more = nb.low > lr.low and -nb.high > -lr.high
    yield Claim(
        "Both are underconfident in the lower range and overconfident in the higher, Naive Bayes more so.",
        "yes" if both and more else "partly" if more and nb.low > 0 > nb.high else "no",
        f"Below one half, events happen more often than predicted by {nb.low:+.3f} (Naive Bayes) and {lr.low:+.3f} "
        f"(logistic regression); above it by {nb.high:+.3f} and {lr.high:+.3f}. {'' if both else _WHY_SIGN}",
    )


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
