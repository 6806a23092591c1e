"""Coverage of intervals of whole-number counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.events import poisson_binomial
from calib_core.events.coverage import NOMINAL, coverage, covered_by, sample_pmf


def test_by_hand() -> None:
    """0, 1, 2 with 1/4, 1/2, 1/4: the exact 50 % interval is [0, 1], the normal one 1 ± 0.67 · 0.707."""
    found = covered_by(np.array([0.25, 0.5, 0.25]), 1, 0.5)
    assert found["exact"] == (1.0, 0.75)
    assert found["normal"] == (1.0, 0.5)
    assert found["randomised"] == (1.0, 0.5)
    assert covered_by(np.array([0.25, 0.5, 0.25]), 2, 0.5)["exact"][0] == 0.0
    assert covered_by(np.array([0.25, 0.5, 0.25]), 0, 0.8)["randomised"][0] == pytest.approx(0.6)


def test_a_truth_that_was_held_impossible_is_not_covered() -> None:
    assert all(covered == 0.0 for covered, _ in covered_by(np.array([0.5, 0.5]), 7, 0.95).values())


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=8), nominal=st.sampled_from(NOMINAL))
def test_a_right_model_covers_what_is_expected(p: list[float], nominal: float) -> None:
    """Averaged over its own distribution each kind covers what it says it expects."""
    pmf = poisson_binomial(np.array(p)).pmf
    for interval in ("normal", "exact", "randomised"):
        each = [covered_by(pmf, truth, nominal)[interval] for truth in range(len(pmf))]
        assert float(pmf @ [covered for covered, _ in each]) == pytest.approx(each[0][1], abs=1e-6)


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=8), nominal=st.sampled_from(NOMINAL))
def test_exact_intervals_promise_no_more_than_they_expect_to_hold(p: list[float], nominal: float) -> None:
    assert covered_by(poisson_binomial(np.array(p)).pmf, 0, nominal)["exact"][1] >= nominal - 1e-9


def test_simulated_counts_are_covered_as_promised() -> None:
    rng, pmfs, truths = np.random.default_rng(0), [], []
    for _ in range(2000):
        p = rng.uniform(0, 1, 12)
        pmfs.append(poisson_binomial(p).pmf)
        truths.append(int((rng.uniform(size=12) < p).sum()))
    for one in coverage(pmfs, truths, np.arange(2000)):
        assert one.lo - 0.01 <= one.expected <= one.hi + 0.01
        if one.interval == "randomised":
            assert one.covered == pytest.approx(one.nominal, abs=0.03)


def test_counts_of_one_group_count_once_for_the_interval() -> None:
    pmfs, truths = [np.array([0.5, 0.5])] * 20, [0, 5] * 10
    alone = coverage(pmfs, truths, np.arange(20))[0]
    together = coverage(pmfs, truths, np.repeat([0, 1], 10))[0]
    twice = coverage(pmfs, truths, np.arange(20), repeats=4)[0]
    assert twice.hi - twice.lo == pytest.approx(min(1.0, 2 * (alone.hi - alone.lo)))
    assert together.covered == alone.covered


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="nominal must lie between 0 and 1; got 1"):
        covered_by(np.array([1.0]), 0, 1.0)
    with pytest.raises(ValueError, match="truth must be at least 0; got -1"):
        covered_by(np.array([1.0]), -1, 0.5)
    with pytest.raises(ValueError, match="1 distributions, 2 truths and 1 groups differ"):
        coverage([np.array([1.0])], [0, 0], np.array([0]))


def test_shares_of_sampled_counts() -> None:
    assert sample_pmf(np.array([0, 2, 2, 2])).tolist() == [0.25, 0.0, 0.75]
