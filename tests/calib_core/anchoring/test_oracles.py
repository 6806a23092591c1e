"""Agreement with the field's own estimators.

`ppi-python` and `samplics` would bring statsmodels, gdown and polars into the development environment for two formulas.
So they were run once, and what they print is recorded here; the data are written as formulas that anybody can run:

    ppi_py.ppi_mean_pointestimate(truth[:20], score[:20], score, lam=1)           # ppi-python 0.2.3
    TaylorEstimator(PopParam.total).estimate((truth - score)[seen], 1 / pi[seen])  # samplics 0.6.1
"""

import numpy as np
import pytest
from scipy.sparse import csr_array

from calib_core.anchoring import Sampled, group_totals
from calib_core.anchoring.difference import drawn_variance

NUMBER = np.arange(50)
SCORE, TRUTH = NUMBER * 0.6180339887498949 % 1.0, ((NUMBER * NUMBER + 3 * NUMBER) % 7 < 3).astype(float)
PPI_PYTHON, SAMPLICS = 0.3105098312484235, 19.19088645622977


def sample_of(score, truth, pi, seen):
    n = len(score)
    return Sampled(
        stratum=np.zeros(n, dtype=int), pi=pi, labelled=seen, document=np.arange(n), score=score, low=truth, high=truth,
        members=csr_array(np.ones((n, 1))),
    )  # fmt: skip


def test_with_equal_probabilities_the_estimate_is_that_of_ppi_python_at_lambda_1():
    seen = NUMBER < 20
    sampled = sample_of(SCORE, TRUTH, np.full(50, 0.4), seen)
    assert group_totals(sampled, TRUTH)[0] / 50 == pytest.approx(PPI_PYTHON, abs=1e-9)
    # Angelopoulos et al. (2023): mean of f over all + mean of y - f over the labelled ones
    assert SCORE.mean() + (TRUTH[seen] - SCORE[seen]).mean() == pytest.approx(PPI_PYTHON, abs=1e-9)


def test_with_unequal_probabilities_the_correction_is_the_weighted_total_of_samplics():
    pi = 0.2 + 0.6 * (NUMBER * 0.41421356237309503 % 1.0)
    sampled = sample_of(SCORE, TRUTH, pi, pi > NUMBER * 0.7320508075688772 % 1.0)
    assert group_totals(sampled, TRUTH)[0] == pytest.approx(SAMPLICS, abs=1e-9)


def test_the_variance_is_that_of_the_horvitz_thompson_estimator_under_poisson_sampling():
    # Särndal, Swensson & Wretman (1992), 3.5.2, of the residuals
    rng = np.random.default_rng(1)
    pi, seen = rng.uniform(0.1, 0.9, 40), rng.random(40) < 0.5
    y, f = rng.integers(0, 2, 40).astype(float), rng.random(40)
    expected = sum((1 - p) * ((a - b) / p) ** 2 for p, a, b, s in zip(pi, y, f, seen, strict=True) if s)
    assert drawn_variance(sample_of(f, y, pi, seen), y)[0] == pytest.approx(expected, abs=1e-9)
