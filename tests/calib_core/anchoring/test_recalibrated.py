from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import expit, logit

from calib_core.anchoring import Recalibration, Sampled, recalibrated, story_folds


def misjudged(n=4000, seed=0, shift=1.0):
    """All labelled; the scores are too low by `shift` on the logit scale."""
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0.05, 0.95, n)
    label = (rng.random(n) < truth).astype(float)
    return truth, Sampled(
        stratum=np.arange(n) % 2,
        pi=np.full(n, 0.5),
        labelled=np.ones(n, dtype=bool),
        document=np.arange(n),
        score=expit(logit(truth) - shift),
        low=label,
        high=label,
        members=csr_array(np.ones((n, 1))),
    )


def test_a_story_is_never_cut():
    story = np.repeat(np.arange(20), 3)
    fold = story_folds(story, 5, seed=0)
    assert (fold.reshape(20, 3) == fold[::3, None]).all()
    assert np.bincount(fold).tolist() == [12] * 5


def test_scores_that_are_too_low_are_raised():
    truth, sampled = misjudged()
    repaired = recalibrated(sampled, np.arange(len(truth))).score
    assert np.abs(repaired - truth).mean() < 0.2 * np.abs(sampled.score - truth).mean()


def test_without_labels_scores_stay_as_they_are():
    _, sampled = misjudged(50)
    unread = replace(sampled, labelled=np.zeros(50, dtype=bool))
    assert recalibrated(unread, np.arange(50)).score == pytest.approx(np.clip(sampled.score, 0.005, 0.995))


def test_a_label_does_not_move_the_scores_of_its_own_story():
    _, sampled = misjudged(60)
    story = np.arange(60) // 3
    flipped = replace(sampled, low=np.r_[1 - sampled.low[0], sampled.low[1:]], high=np.ones(60))
    flipped = replace(flipped, high=np.r_[flipped.low[0], sampled.high[1:]])
    before, after = recalibrated(sampled, story).score, recalibrated(flipped, story).score
    assert after[:3] == pytest.approx(before[:3], abs=0)
    assert (after != before).any()


def test_where_the_model_saw_no_chance_the_rate_is_learned():
    _, sampled = misjudged(2000)
    blind = replace(sampled, score=np.zeros(2000))
    repaired = recalibrated(blind, np.arange(2000)).score
    assert repaired == pytest.approx(np.full(2000, sampled.low.mean()), abs=0.06)


def test_a_single_fold_is_refused():
    with pytest.raises(ValueError, match="n_folds must be at least 2; got 1"):
        Recalibration(n_folds=1)
