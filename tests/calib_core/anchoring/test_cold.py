from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.anchoring import ColdStratum, cold_ceiling, cold_estimate, fewest_hidden, most_hidden


def share_of_samples(size, events, labelled, found):
    """P(X ≤ found), by drawing every sample of `labelled` documents of which the first `events` hold an event."""
    counts = [sum(i < events for i in drawn) for drawn in combinations(range(size), labelled)]
    return np.mean([count <= found for count in counts])


@pytest.mark.parametrize(("labelled", "hidden"), [(30, 111), (60, 56), (100, 33), (200, 16), (400, 7)])
def test_no_event_among_n_of_1190_leaves_this_many(labelled, hidden):
    assert most_hidden(1190, labelled, np.array([0]), 0.05) == hidden


@given(
    st.integers(1, 8), st.data(), st.sampled_from([0.0251, 0.0507, 0.1983])
)  # no ratio of small numbers: ties would hang on rounding
def test_bounds_agree_with_drawing_every_sample(size, data, alpha):
    labelled = data.draw(st.integers(0, size))
    found = data.draw(st.integers(0, labelled))
    possible = range(found, size - labelled + found + 1)
    upper = max(k for k in possible if share_of_samples(size, k, labelled, found) > alpha)
    lower = min(k for k in possible if 1 - share_of_samples(size, k, labelled, found - 1) > alpha)
    assert most_hidden(size, labelled, np.array([found]), alpha) == upper
    assert fewest_hidden(size, labelled, np.array([found]), alpha) == lower


def test_a_group_cannot_hide_more_than_its_unread_documents():
    group = np.array([5]), np.array([2]), np.array([0]), np.array([1])
    cold = ColdStratum(100, 10, *group)
    assert cold_ceiling(cold, 0.05) == [4]
    assert cold_estimate(cold, np.array([0.5])) == pytest.approx([5.0])


def test_counts_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="fails in group 1"):
        ColdStratum(9, 3, np.array([9, 9]), np.array([3, 3]), np.array([0, 2]), np.array([0, 1]))
