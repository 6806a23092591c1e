"""The count's exact distribution against enumeration, the binomial, and Fourier transforms."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from calib_core.events import PoissonBinomial, poisson_binomial

PROBABILITIES = st.lists(st.floats(0, 1), max_size=10)


def enumerated(p: list[float]) -> np.ndarray:
    """P(count = k), by adding up all 2^n outcomes."""
    pmf = np.zeros(len(p) + 1)
    for outcome in product([0, 1], repeat=len(p)):
        pmf[sum(outcome)] += np.prod([q if hit else 1 - q for q, hit in zip(p, outcome, strict=True)])
    return pmf


def test_hand_worked_three_documents() -> None:
    """P(0) = .5·.8·.9, P(3) = .5·.2·.1, and the rest by which one or two count."""
    assert poisson_binomial(np.array([0.5, 0.2, 0.1])).pmf == pytest.approx([0.36, 0.49, 0.14, 0.01])


@given(PROBABILITIES)
@settings(deadline=None)
def test_agrees_with_enumeration(p: list[float]) -> None:
    assert poisson_binomial(np.array(p)).pmf == pytest.approx(enumerated(p), abs=1e-14)


@given(PROBABILITIES, st.floats(0.001, 0.999))
@settings(deadline=None)
def test_quantile_is_the_smallest_count_that_reaches_the_level(p: list[float], level: float) -> None:
    distribution = poisson_binomial(np.array(p))
    k = int(distribution.quantile(level))
    assert distribution.cdf[k] >= level - 1e-9
    assert k == 0 or distribution.cdf[k - 1] < level + 1e-9


@given(PROBABILITIES)
@settings(deadline=None)
def test_moments_are_those_of_the_mass(p: list[float]) -> None:
    distribution = poisson_binomial(np.array(p))
    k = np.arange(len(p) + 1)
    assert distribution.pmf @ k == pytest.approx(distribution.mean, abs=1e-12)
    assert distribution.pmf @ (k - distribution.mean) ** 2 == pytest.approx(distribution.sd**2, abs=1e-12)


@given(PROBABILITIES, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_makes_no_difference(p: list[float], chance: object) -> None:
    shuffled = list(p)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert poisson_binomial(np.array(p)).pmf == pytest.approx(poisson_binomial(np.array(shuffled)).pmf, abs=1e-14)


def test_equal_probabilities_are_a_binomial_down_to_the_far_tail() -> None:
    pmf = poisson_binomial(np.full(500, 0.3)).pmf
    assert pmf == pytest.approx(stats.binom.pmf(np.arange(501), 500, 0.3), rel=1e-9)


def test_quantiles_of_a_binomial() -> None:
    levels = np.array([0.025, 0.5, 0.975, 0.999])
    assert poisson_binomial(np.full(60, 0.4)).quantile(levels).tolist() == stats.binom.ppf(levels, 60, 0.4).tolist()


def test_a_hundred_thousand_documents_agree_with_the_characteristic_function() -> None:
    rng = np.random.default_rng(0)
    values = np.array([0.001, 0.01, 0.3, 0.5, 0.9, 1.0])
    repeats = np.array([40_000, 30_000, 10_000, 10_000, 9_000, 1_000])
    pmf = poisson_binomial(rng.permutation(np.repeat(values, repeats))).pmf
    n = repeats.sum()
    turns = np.exp(2j * np.pi * np.arange(n + 1) / (n + 1))
    transform = np.prod([(1 - v + v * turns) ** r for v, r in zip(values, repeats, strict=True)], axis=0)
    assert pmf == pytest.approx(np.fft.fft(transform).real / (n + 1), abs=1e-12)
    assert pmf.sum() == pytest.approx(1.0, abs=1e-12)
    assert (pmf >= 0).all()


def test_certain_documents_shift_and_impossible_ones_vanish() -> None:
    assert poisson_binomial(np.array([1.0, 0.0, 1.0])).pmf.tolist() == [0, 0, 1, 0]


def test_no_documents_count_zero_for_certain() -> None:
    distribution = poisson_binomial(np.zeros(0))
    assert distribution.pmf.tolist() == [1.0]
    assert distribution.quantile(0.975) == 0


@pytest.mark.parametrize(
    ("p", "complaint"),
    [
        ([0.5, 1.5], r"entry 1 is 1\.5"),
        ([-0.1], r"entry 0 is -0\.1"),
        ([np.nan], "entry 0 is nan"),
        ([[0.5]], r"one dimension; got shape \(1, 1\)"),
    ],
)
def test_what_is_no_probability_is_refused(p: list[float], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        poisson_binomial(np.array(p))


@pytest.mark.parametrize("level", [0.0, -1.0, 1.0, np.nan])
def test_what_is_no_level_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        poisson_binomial(np.array([0.5])).quantile(level)


def test_the_cdf_ends_at_one_whatever_rounding_lost() -> None:
    short = PoissonBinomial(np.array([0.25, 0.5, 0.25]) * (1 - 1e-9), 1.0, np.sqrt(0.5))
    assert short.cdf.tolist() == pytest.approx([0.25, 0.75, 1.0], abs=1e-15)
    assert short.quantile(0.75) == 1
