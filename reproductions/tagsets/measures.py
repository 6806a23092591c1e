"""What experiment `tagsets` measures: SMCE and GMCE before and after each recalibration.

Covers: scores above the threshold, the six recalibrations, and their errors.
Not here: the tagger (`tagsets`), the page (`page`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.calibration import (
    Estimate,
    HistogramBinning,
    IsotonicCalibration,
    ScalingBinning,
    TagScores,
    binarise,
    calibration_error,
    cluster_bootstrap,
    gmce,
    grouped,
    smce,
    tag_frequency_groups,
    top_label_calibration_error,
)

N_GROUPS = 5
N_BINS = 10
THRESHOLD = 0.01
METHODS = {"SB": ScalingBinning(n_bins=N_BINS), "IR": IsotonicCalibration(), "HB": HistogramBinning(n_bins=N_BINS)}
NONE = ("none", "")


@dataclass(frozen=True, slots=True)
class Scored:
    """A tagger's scores on a text."""

    above: TagScores
    """Those of at least `THRESHOLD`."""
    document: Ints
    """Which document each of them is from."""
    marginal: Floats
    """All of them, shape (n_words, n_tags)."""
    gold: Ints
    accuracy: float
    """Share of words whose likeliest tag is right."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Errors of one way to recalibrate."""

    smce: float
    gmce: Floats
    """Shape (n_groups,)."""
    clean: Estimate
    """Over all tags, debiased; interval by drawing documents."""


@dataclass(frozen=True, slots=True)
class Study:
    """One treebank."""

    errors: dict[tuple[str, str], Errors]
    """By method (`none`, `SB`, `IR`, `HB`) and sharing (`SCW`, `TFG`)."""
    accuracy: float
    top_label: float
    n_tags: int
    n_words: int
    n_scores: Ints
    """Scores above the threshold in each group."""
    tags_in_group: Ints
    share_above: float
    """Share of all scores that reach the threshold."""


def scored(marginal: Floats, gold: Ints, document: Ints) -> Scored:
    """Take the scores above the threshold, and remember where they are from."""
    above = binarise(marginal, gold, threshold=THRESHOLD)
    word = np.nonzero(marginal >= THRESHOLD)[0]  # the order of `binarise`: by word, then tag
    return Scored(above, document[word], marginal, gold, float(np.mean(marginal.argmax(axis=1) == gold)))


def recalibrated(fit: TagScores, test: TagScores, groups: Ints) -> dict[tuple[str, str], Floats]:
    """The test scores after each method, learned from `fit`: shared by all tags (SCW), or by frequency group (TFG)."""
    found = {NONE: test.pred}
    for name, calibrator in METHODS.items():
        for sharing, of_tag in (("SCW", np.zeros_like(groups)), ("TFG", groups)):
            fitted = grouped(calibrator, of_tag).fit(fit.pred, fit.label, fit.tag)
            found[name, sharing] = fitted.predict(test.pred, test.tag)
    return found


def measure(fit: Scored, test: Scored, frequencies: Ints, *, seed: int) -> Study:
    """Recalibrate on one text, measure on the other."""
    groups = tag_frequency_groups(frequencies, N_GROUPS)
    group_of_row = groups[test.above.tag]
    errors = {
        key: _errors(pred, test, group_of_row, seed)
        for key, pred in recalibrated(fit.above, test.above, groups).items()
    }
    # the untouched scores are measured by the library's own functions, which see the whole table
    errors[NONE] = Errors(
        smce(test.marginal, test.gold, threshold=THRESHOLD, n_bins=N_BINS),
        gmce(test.marginal, test.gold, groups, threshold=THRESHOLD, n_bins=N_BINS),
        errors[NONE].clean,
    )
    return Study(
        errors,
        test.accuracy,
        top_label_calibration_error(test.marginal, test.gold, n_bins=N_BINS),
        len(frequencies),
        len(test.gold),
        np.bincount(group_of_row, minlength=groups.max() + 1),
        np.bincount(groups),
        len(test.above.pred) / test.marginal.size,
    )


def _errors(pred: Floats, test: Scored, group: Ints, seed: int) -> Errors:
    label = test.above.label
    by_group = [
        calibration_error(
            pred[group == number], label[group == number], n_bins=min(N_BINS, int((group == number).sum()))
        )
        if (group == number).any()
        else np.nan
        for number in range(group.max() + 1)
    ]
    clean = cluster_bootstrap(pred, label, test.document, n_bins=N_BINS, seed=seed)
    return Errors(calibration_error(pred, label, n_bins=N_BINS), np.array(by_group), clean)
