"""Is A above B? Sample by sample."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib_core.events import Counts, compare, compare_countries, empty_tally, posterior_counts, tally


def counts_of(**samples: list[int]) -> Counts:
    """Counts of one quarter, one document per country, by entities so that any numbers can be given."""
    values = np.array(list(samples.values()), dtype=np.uint16)
    return posterior_counts(tally(["q"] * len(samples), list(samples), values, values[:, 0], unit="entities"))


def test_hand_worked_comparison() -> None:
    """Differences 2, 0, −1, 1."""
    result = compare(counts_of(USA=[3, 2, 0, 2], YUG=[1, 2, 1, 1]), ("q", "USA"), ("q", "YUG"))
    assert (result.p_greater, result.p_equal, result.p_less) == (0.5, 0.25, 0.25)
    assert result.difference == 0.5
    assert result.sd == pytest.approx(np.sqrt(5 / 3))
    assert result.hi == pytest.approx(0.5 + 1.96 * np.sqrt(5 / 3))
    assert (result.q025, result.q500, result.q975) == (-1, 0, 2)
    assert result.p_error == pytest.approx(0.25)
    assert result.difference_error == pytest.approx(np.sqrt(5 / 3) / 2)


def counts_of_two_quarters() -> Counts:
    """USA in q1, NATO in q2: each is zero where the other is."""
    samples = np.array([[3, 2, 1, 2], [1, 1, 1, 1]], dtype=np.uint16)
    return posterior_counts(tally(["q1", "q2"], ["USA", "NATO"], samples, samples[:, 0], unit="entities"))


def test_a_row_that_is_not_there_is_zero() -> None:
    result = compare(counts_of_two_quarters(), ("q1", "USA"), ("q1", "NATO"))
    assert result.p_greater == 1.0
    assert result.difference == 2.0


@pytest.mark.parametrize(
    ("cell", "complaint"),
    [(("q3", "USA"), "key 'q3' occurs nowhere"), (("q1", "U.S."), "country 'U.S.' occurs nowhere")],
)
def test_a_key_or_country_that_occurs_nowhere_is_refused(cell: tuple[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        compare(counts_of_two_quarters(), ("q1", "USA"), cell)


def test_nothing_can_be_compared_where_nothing_was_counted() -> None:
    with pytest.raises(ValueError, match="key 'q' occurs nowhere"):
        compare(posterior_counts(empty_tally(10)), ("q", "USA"), ("q", "USA"))


def test_countries_that_occur_nowhere_are_refused() -> None:
    with pytest.raises(ValueError, match="neither 'UK' nor 'US' occurs in the counts"):
        compare_countries(counts_of_two_quarters(), "UK", "US")


def test_agreement_of_all_samples_is_not_certainty() -> None:
    result = compare(counts_of(USA=[3] * 100, NATO=[0] * 100), ("q", "USA"), ("q", "NATO"))
    assert result.p_error == pytest.approx(np.sqrt(0.01 * 0.99 / 100))


def test_what_two_rows_share_cancels() -> None:
    """B is always A + 1: a comparison of separate intervals would call that uncertain."""
    shared = list(np.random.default_rng(0).integers(0, 50, 200))
    result = compare(counts_of(A=shared, B=[value + 1 for value in shared]), ("q", "B"), ("q", "A"))
    assert (result.p_greater, result.sd) == (1.0, 0.0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=30))
def test_turning_a_comparison_round_turns_its_answer(pairs: list[tuple[int, int]]) -> None:
    counts = counts_of(A=[a for a, _ in pairs], B=[b for _, b in pairs])
    one, other = compare(counts, ("q", "A"), ("q", "B")), compare(counts, ("q", "B"), ("q", "A"))
    assert (one.p_greater, one.p_equal, one.p_less) == (other.p_less, other.p_equal, other.p_greater)
    assert one.difference == -other.difference
    assert one.p_greater + one.p_equal + one.p_less == pytest.approx(1.0)


def test_two_countries_are_compared_in_every_quarter_that_has_one() -> None:
    samples = np.array([[1, 1], [2, 0], [1, 3]], dtype=np.uint16)
    counts = posterior_counts(tally(["q1", "q1", "q2"], ["A", "B", "B"], samples, samples[:, 0], unit="entities"))
    results = compare_countries(counts, "A", "B")
    assert [(result.a, result.p_greater) for result in results] == [(("q1", "A"), 0.5), (("q2", "A"), 0.0)]
