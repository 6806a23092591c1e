"""What experiment `tagsets` measures: SMCE and GMCE before and after each recalibration.

Covers: scores above the threshold, the six recalibrations, and their errors.
Not here: the tagger (`tagsets`), the page (`page`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import (
    Estimate,
    HistogramBinning,
    IsotonicCalibration,
    ScalingBinning,
    TagScores,
    adaptive_bins,
    binarise,
    cluster_bootstrap,
    grouped,
    tag_frequency_groups,
    top_label_calibration_error,
)
from calib_core.calibration.error import binned_error
from reproductions.resampling import Drawn, draw_times, squared_error

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
    """As the paper measures it: equal scores share a bin."""
    smce_by_rank: float
    """With bins of equally many rows, which split runs of equal scores."""
    gmce: Floats
    """Shape (n_groups,)."""
    gmce_by_rank: Floats
    clean: Estimate
    """Over all tags, debiased; interval by drawing documents."""
    shared: Drawn
    """Squared SMCE without noise, under the same draws of documents for all ways."""
    grouped: tuple[Drawn, ...]
    """Squared GMCE of each group."""


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
    document = np.unique(test.document, return_inverse=True)[1]
    times = draw_times(int(document.max()) + 1, seed=seed)
    errors = {
        key: _errors(pred, test, group_of_row, document, times, seed)
        for key, pred in recalibrated(fit.above, test.above, groups).items()
    }
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


def _errors(pred: Floats, test: Scored, group: Ints, document: Ints, times: Floats, seed: int) -> Errors:
    label = test.above.label
    members = [group == number for number in range(group.max() + 1)]
    return Errors(
        _error(pred, label, split_ties=False),
        _error(pred, label, split_ties=True),
        np.array([_error(pred[rows], label[rows], split_ties=False) for rows in members]),
        np.array([_error(pred[rows], label[rows], split_ties=True) for rows in members]),
        cluster_bootstrap(pred, label, test.document, n_bins=N_BINS, seed=seed),
        squared_error(pred, label, document, times, n_bins=N_BINS),
        tuple(squared_error(pred[rows], label[rows], document[rows], times, n_bins=N_BINS) for rows in members),
    )


def _error(pred: Floats, label: Bools, *, split_ties: bool) -> float:
    """The measure of `calib_core.calibration.smce`, on scores that are pairs already."""
    if not len(pred):
        return float("nan")
    return binned_error(adaptive_bins(pred, label, n_bins=min(N_BINS, len(pred)), split_ties=split_ties))
