from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from calib_core.anchoring import Sampled, anchored_counts, covariance, group_totals, no_cold, variance
from calib_core.anchoring.difference import drawn_covariance, drawn_variance, pooled_covariance, pooled_variance


def population(seed=0, n_docs=6, labelled=None):
    """Documents with two countries each; groups: the total and both countries."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 2 * n_docs).astype(float)
    return Sampled(
        stratum=rng.integers(0, 2, n_docs),
        pi=rng.uniform(0.2, 0.9, n_docs),
        labelled=np.ones(n_docs, dtype=bool) if labelled is None else labelled,
        document=np.repeat(np.arange(n_docs), 2),
        score=rng.random(2 * n_docs),
        low=truth,
        high=truth,
        members=csr_array(np.tile([[1, 1, 0], [1, 0, 1]], (n_docs, 1))),
    )


def every_sample(sampled):
    """All Poisson samples of the documents and their probabilities."""
    for drawn in product([False, True], repeat=len(sampled.pi)):
        labelled = np.array(drawn)
        probability = np.where(labelled, sampled.pi, 1 - sampled.pi).prod()
        yield probability, replace(sampled, labelled=labelled)


def test_estimate_and_variance_by_hand():
    # f sums to 0.8; the labelled document is 1 where 0.5 was said, and stands for two: 0.8 + 0.5 / 0.5
    sampled = Sampled(
        stratum=np.zeros(2, dtype=int),
        pi=np.array([0.5, 0.5]),
        labelled=np.array([True, False]),
        document=np.array([0, 1]),
        score=np.array([0.5, 0.3]),
        low=np.array([1.0, np.nan]),
        high=np.array([1.0, np.nan]),
        members=csr_array(np.ones((2, 1))),
    )
    assert group_totals(sampled, sampled.low) == pytest.approx([1.8])
    assert drawn_variance(sampled, sampled.low) == pytest.approx([0.5 / 0.25 * 0.25])
    # the only residual² is 0.25, as are the borrowed ones
    assert pooled_variance(sampled, sampled.low) == pytest.approx([0.25 + 0.25])


@pytest.mark.parametrize("seed", range(5))
def test_over_all_samples_the_estimate_is_unbiased_and_its_variance_exact(seed):
    whole = population(seed)
    truth = whole.members.T @ whole.low
    mean, spread, claimed = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
    for probability, sampled in every_sample(whole):
        total = group_totals(sampled, sampled.low)
        mean += probability * total
        spread += probability * np.outer(total - truth, total - truth)
        claimed += probability * drawn_covariance(sampled, sampled.low)
    assert np.abs(mean - truth).max() < 1e-12
    assert np.abs(claimed - spread).max() < 1e-12 * max(1, np.abs(spread).max())


@given(st.integers(0, 2**32), st.integers(1, 20))
def test_a_full_census_gives_the_truth_without_width(seed, n_docs):
    sampled = replace(population(seed, n_docs), pi=np.ones(n_docs))
    truth = sampled.members.T @ sampled.low
    counts = anchored_counts(sampled, no_cold(3))
    assert counts.estimate == pytest.approx(truth, abs=1e-9)
    assert counts.lower == pytest.approx(truth, abs=1e-9)
    assert counts.upper == pytest.approx(truth, abs=1e-9)


@given(st.integers(0, 2**32), st.integers(1, 20))
def test_covariances_have_no_negative_direction_and_the_right_diagonal(seed, n_docs):
    labelled = np.random.default_rng(seed).random(n_docs) < 0.5
    sampled = population(seed, n_docs, labelled)
    together = covariance(sampled, sampled.low)
    assert np.diag(together) == pytest.approx(variance(sampled, sampled.low))
    assert np.linalg.eigvalsh(together).min() > -1e-9 * together.max()
    assert np.diag(pooled_covariance(sampled, sampled.low)) == pytest.approx(pooled_variance(sampled, sampled.low))


def test_a_group_without_a_sampled_error_has_a_width():
    sampled = population(1, 6, np.zeros(6, dtype=bool))
    assert (drawn_variance(sampled, sampled.low) == 0).all()
    assert (variance(sampled, sampled.low) > 0).all()


def test_unsure_labels_widen_the_interval_on_both_sides():
    sampled = population(2, 40)
    unsure = np.arange(80) < 20
    doubtful = replace(sampled, low=np.where(unsure, 0, sampled.low), high=np.where(unsure, 1, sampled.high))
    sure, wide = anchored_counts(sampled, no_cold(3)), anchored_counts(doubtful, no_cold(3))
    assert wide.lower[0] < sure.lower[0]
    assert wide.upper[0] > sure.upper[0]


def test_a_probability_of_zero_is_refused():
    with pytest.raises(ValueError, match=r"pi must be in \(0, 1\]; got 0"):
        replace(population(), pi=np.zeros(6))


def test_a_labelled_row_without_a_label_is_refused():
    with pytest.raises(ValueError, match="low must be at most high"):
        replace(population(), low=np.full(12, np.nan))
