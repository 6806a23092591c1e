"""Agreement with the field's own estimators, written out as their papers have them.

`ppi-python` (λ = 1, its unlabelled set the whole archive) and `svy` would bring statsmodels, gdown and polars into the
development environment for two formulas, so the formulas stand here instead.
"""

import numpy as np
import pytest
from scipy.sparse import csr_array

from calib_core.anchoring import Sampled, group_totals
from calib_core.anchoring.difference import drawn_variance


def simple_random(n=50, labelled=20, seed=4):
    rng = np.random.default_rng(seed)
    score, truth = rng.random(n), rng.integers(0, 2, n).astype(float)
    seen = np.arange(n) < labelled
    return score, truth, seen, Sampled(
        stratum=np.zeros(n, dtype=int), pi=np.full(n, labelled / n), labelled=seen, document=np.arange(n), score=score,
        low=truth, high=truth, members=csr_array(np.ones((n, 1))),
    )  # fmt: skip


def test_with_equal_probabilities_the_estimate_is_that_of_prediction_powered_inference():
    # Angelopoulos et al. (2023): mean of f over all + mean of y - f over the labelled ones
    score, truth, seen, sampled = simple_random()
    powered = score.mean() + (truth[seen] - score[seen]).mean()
    assert group_totals(sampled, sampled.low)[0] / 50 == pytest.approx(powered, abs=1e-9)


def test_the_variance_is_that_of_the_horvitz_thompson_estimator_under_poisson_sampling():
    # Särndal, Swensson & Wretman (1992), 3.5.2, of the residuals
    rng = np.random.default_rng(1)
    pi, seen = rng.uniform(0.1, 0.9, 40), rng.random(40) < 0.5
    y, f = rng.integers(0, 2, 40).astype(float), rng.random(40)
    sampled = Sampled(
        stratum=np.zeros(40, dtype=int), pi=pi, labelled=seen, document=np.arange(40), score=f, low=y, high=y,
        members=csr_array(np.ones((40, 1))),
    )  # fmt: skip
    expected = sum((1 - p) * ((a - b) / p) ** 2 for p, a, b, s in zip(pi, y, f, seen, strict=True) if s)
    assert drawn_variance(sampled, y)[0] == pytest.approx(expected, abs=1e-9)
