"""Calibration of taggers with many tags, most of them rare (Kranzlein, Liu & Schneider 2021).

Covers: turning scores per tag into binary pairs, and their errors: top-label, marginal, shared, by frequency group.
Not here: recalibrating the scores (`grouped`, `histogram`, `scaling`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration.binning import adaptive_bins
from calib_core.calibration.error import binned_error
from calib_core.calibration.inputs import check_at_least, check_tag_scores, check_tags

THRESHOLD = 0.01
"""Scores below it are left out (section 4.2): nearly all are close to 0 and would drown the rest."""


@dataclass(frozen=True, slots=True)
class TagScores:
    """One entry for each token and tag whose score reached the threshold: the set D of eq. 2; shape (n_scores,)."""

    pred: Floats
    """Score of the tag."""
    label: Bools
    """Whether it is the token's gold tag."""
    tag: Ints
    """Which tag, as a column number."""

    def of_tags(self, chosen: Bools) -> "TagScores":
        """The scores of some tags; `chosen` has shape (n_tags,)."""
        keep = chosen[self.tag]
        return TagScores(self.pred[keep], self.label[keep], self.tag[keep])


def binarise(probs: ArrayLike, gold: ArrayLike, *, threshold: float = THRESHOLD) -> TagScores:
    """Turn a table of tag scores into one yes/no question per token and tag.

    Parameters
    ----------
    probs : shape (n_tokens, n_tags)
        Score of each tag, in [0, 1]; rows need not sum to 1.
    gold : shape (n_tokens,)
        Column number of the right tag.
    threshold : float
        Scores below it are left out, both before recalibrating and before measuring; 0 keeps all.
    """
    scores, tags = check_tag_scores(probs, gold)
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold must be in [0, 1]; got {threshold}")
    token, tag = np.nonzero(scores >= threshold)
    return TagScores(scores[token, tag], tag == tags[token], tag)


def top_label_calibration_error(
    probs: ArrayLike, gold: ArrayLike, *, n_bins: int | None = None, bin_size: int | None = None
) -> float:
    """CalibErr of the best tag's score alone; of equal best scores the lowest tag number wins."""
    scores, tags = check_tag_scores(probs, gold)
    best = scores.argmax(axis=1)
    return _pooled_error(TagScores(scores.max(axis=1), best == tags, best), n_bins, bin_size)


def marginal_calibration_error(
    probs: ArrayLike, gold: ArrayLike, *, threshold: float = 0.0, n_bins: int | None = None, bin_size: int | None = None
) -> float:
    """Root mean over tags of each tag's own CalibMSE: eq. 1.

    Parameters
    ----------
    probs, gold, threshold
        As in `binarise`. A tag with no score above the threshold has no error to measure and is left out of the mean.
    n_bins, bin_size
        Number of adaptive bins of each tag, or rows per bin; 10 bins if neither is given. A tag with fewer scores than
        bins gets one bin per score.
    """
    scores = binarise(probs, gold, threshold=threshold)
    _refuse_none(scores, threshold)
    order = np.argsort(scores.tag, kind="stable")
    cuts = np.flatnonzero(np.diff(scores.tag[order])) + 1
    tags = [TagScores(scores.pred[rows], scores.label[rows], scores.tag[rows]) for rows in np.split(order, cuts)]
    return float(np.sqrt(np.mean([_pooled_error(one, n_bins, bin_size) ** 2 for one in tags])))


def smce(
    probs: ArrayLike,
    gold: ArrayLike,
    *,
    threshold: float = THRESHOLD,
    n_bins: int | None = None,
    bin_size: int | None = None,
) -> float:
    """Shared marginal calibration error: CalibErr over the scores of all tags together, eq. 2.

    Parameters
    ----------
    probs, gold, threshold
        As in `binarise`.
    n_bins, bin_size
        Number of adaptive bins, or rows per bin (the paper's β); 10 bins, as in the paper, if neither is given.
    """
    scores = binarise(probs, gold, threshold=threshold)
    _refuse_none(scores, threshold)
    return _pooled_error(scores, n_bins, bin_size)


def gmce(
    probs: ArrayLike,
    gold: ArrayLike,
    groups: ArrayLike,
    *,
    threshold: float = THRESHOLD,
    n_bins: int | None = None,
    bin_size: int | None = None,
) -> Floats:
    """Grouped marginal calibration error: eq. 2 for each group of tags, eq. 3.

    Parameters
    ----------
    probs, gold, threshold, n_bins, bin_size
        As in `smce`.
    groups : shape (n_tags,)
        Group of each tag, from `tag_frequency_groups`.

    Returns
    -------
    shape (n_groups,)
        NaN for a group without a score above the threshold.
    """
    scores = binarise(probs, gold, threshold=threshold)
    group = check_groups(groups, np.asarray(probs).shape[1])
    errors = np.full(group.max() + 1, np.nan)
    for number in range(len(errors)):
        members = scores.of_tags(group == number)
        if len(members.pred):
            errors[number] = _pooled_error(members, n_bins, bin_size)
    return errors


def tag_frequency_groups(freqs: ArrayLike, n_groups: int) -> Ints:
    """Put tags of similar frequency together (section 3.3): group 0 has the most frequent tags.

    Tags are added in order of falling frequency until the group holds at least 1 / n_groups of all instances. The
    excess stays in the group (the paper's overflow), and the last group takes what is left. If overflow uses up the
    instances early, there are fewer groups than asked for.

    Parameters
    ----------
    freqs : shape (n_tags,)
        How often each tag is the gold tag in the *training* data. Ties go to the lower tag number.
    n_groups : int
        The paper uses 5.

    Returns
    -------
    shape (n_tags,)
        Group of each tag.

    Examples
    --------
    >>> tag_frequency_groups([20, 10, 5, 5, 3, 2], 3)
    array([0, 1, 1, 2, 2, 2])
    """
    counts = np.asarray(freqs, dtype=np.float64)
    if counts.ndim != 1 or not len(counts):
        raise ValueError(f"freqs must be one number per tag; got shape {counts.shape}")
    refused = ~(np.isfinite(counts) & (counts >= 0))
    if refused.any() or not counts.any():
        raise ValueError(f"freqs must be at least 0 and not all 0; got {counts[refused.argmax()]}")
    check_at_least("n_groups", n_groups, 1)
    group = np.empty(len(counts), dtype=np.int64)
    # shares instead of counts must give the same groups, so a quota counts as met up to rounding
    number, held, quota = 0, 0.0, counts.sum() / n_groups * (1 - 1e-12)
    for tag in np.argsort(-counts, kind="stable"):
        if held >= quota and number < n_groups - 1:
            number, held = number + 1, 0.0
        group[tag] = number
        held += counts[tag]
    return group


def check_groups(groups: ArrayLike, n_tags: int) -> Ints:
    """A group number for each tag."""
    group = check_tags(groups, max(n_tags, 1), "groups")
    if len(group) != n_tags:
        raise ValueError(f"groups must have one entry per tag; got {len(group)} for {n_tags} tags")
    return group


def _pooled_error(scores: TagScores, n_bins: int | None, bin_size: int | None) -> float:
    """CalibErr of some tags' scores; equal scores share a bin, as recalibrated ones take few values."""
    if bin_size is None:
        n_bins = min(10 if n_bins is None else n_bins, len(scores.pred))
        return binned_error(adaptive_bins(scores.pred, scores.label, n_bins=n_bins, split_ties=False))
    if n_bins is not None:
        raise ValueError(f"give n_bins or bin_size, not both; got {n_bins} and {bin_size}")
    return binned_error(adaptive_bins(scores.pred, scores.label, bin_size=bin_size, split_ties=False))


def _refuse_none(scores: TagScores, threshold: float) -> None:
    if not len(scores.pred):
        raise ValueError(f"no score reaches threshold {threshold}; lower it")
