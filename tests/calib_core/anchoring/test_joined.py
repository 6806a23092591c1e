import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import hypergeom, t

from calib_core.anchoring import fewest_hidden, most_hidden
from calib_core.anchoring.joined import Inside, Outside, largest_sum, smallest_sum

TAIL = 0.025


def outside(total, error, *, degrees=8, least=0.0, most=500.0):
    total = np.atleast_1d(total)
    each = np.ones(len(total))
    return Outside(total, error * each, degrees, least * each, most * each)


def inside(size, labelled, found):
    found = np.atleast_1d(found)
    return Inside(size, labelled, found, size - labelled + found)


def test_with_nothing_uncertain_outside_the_ends_are_those_of_the_exact_bounds():
    # no event among 100 of 1,190: at most 33 at 5 % (test_cold has it from the hypergeometric distribution)
    known = outside(7.0, 0.0, least=7.0, most=7.0)
    assert largest_sum(known, inside(1190, 100, 0), 0.05) == 7 + 33
    assert smallest_sum(known, inside(1190, 100, 0), 0.05) == 7


def test_where_the_other_part_decides_the_cold_stratum_costs_nothing():
    reach = t.ppf(1 - TAIL, 8) * 30
    assert largest_sum(outside(100.0, 30.0), inside(60, 30, 0), TAIL) == pytest.approx(100 + reach, rel=0.01)


def test_both_parts_together_reach_less_far_than_one_after_the_other():
    alone, hidden = t.ppf(1 - TAIL, 8) * 3, most_hidden(560, 88, np.array([0]), TAIL)[0]
    assert largest_sum(outside(20.0, 3.0), inside(560, 88, 0), TAIL)[0] < 20 + max(alone, hidden)


@pytest.mark.parametrize(("size", "labelled", "found"), [(64, 13, 3), (389, 144, 2), (377, 129, 0), (130, 41, 1)])
@pytest.mark.parametrize("error", [0.3, 6.0, 25.0])
def test_ends_are_those_of_trying_every_pair(size, labelled, found, error):
    """The definition, pair by pair, with another library's distributions and root finder."""
    x, ends = np.arange(labelled + 1), []
    for bounds, sign in ((fewest_hidden, 1), (most_hidden, -1)):
        bound, sums = bounds(size, labelled, x, TAIL), []
        for hidden in range(found, size - labelled + found + 1):
            chance = hypergeom.pmf(x, size, hidden, labelled)

            def excess(g, chance=chance, bound=bound, sign=sign):
                return (chance * t.cdf(sign * (g + bound - 30 - bound[found]) / error, 8)).sum() - TAIL

            furthest = brentq(excess, -1e4, 1e4)
            if sign > 0 or furthest >= 3:
                sums.append(hidden + max(furthest, 3.0))
        ends.append(min(sums) if sign > 0 else max(sums))
    part, cold = outside(30.0, error, least=3.0), inside(size, labelled, found)
    assert smallest_sum(part, cold, TAIL)[0] == pytest.approx(ends[0], abs=0.1)
    assert ends[1] - 0.1 <= largest_sum(part, cold, TAIL)[0] <= ends[1] + 1  # where K is tried in steps, the worse


@pytest.mark.parametrize(("error", "hidden"), [(3.0, 0), (3.0, 8), (1.0, 15), (8.0, 4), (5.0, 40)])
def test_each_end_is_missed_as_rarely_as_promised(error, hidden):
    rng, n = np.random.default_rng(3), 20_000
    seen = rng.normal(50.0, error, n)
    found = rng.hypergeometric(hidden, 100 - hidden, 30, n) if hidden else np.zeros(n, dtype=int)
    part, cold, truth = outside(seen, error, degrees=1000), inside(100, 30, found), 50 + hidden
    assert (largest_sum(part, cold, TAIL) < truth).mean() <= TAIL + 0.003
    assert (smallest_sum(part, cold, TAIL) > truth).mean() <= TAIL + 0.003
