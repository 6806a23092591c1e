import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.calibration import (
    binarise,
    calibration_error,
    gmce,
    marginal_calibration_error,
    smce,
    tag_frequency_groups,
    top_label_calibration_error,
)

PROBS = np.array([[0.7, 0.3, 0.0], [0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.005, 0.5, 0.495]])
GOLD = np.array([0, 1, 1, 2])


def random_tagger(n: int = 400, n_tags: int = 6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.full(n_tags, 0.3), n)
    return probs, np.array([rng.choice(n_tags, p=row) for row in probs])


def test_scores_below_the_threshold_are_left_out() -> None:
    scores = binarise(PROBS, GOLD, threshold=0.2)
    assert scores.pred.tolist() == [0.7, 0.3, 0.6, 0.2, 0.2, 0.8, 0.5, 0.495]
    assert scores.label.tolist() == [True, False, False, True, False, True, False, True]
    assert scores.tag.tolist() == [0, 1, 0, 1, 2, 1, 1, 2]


def test_figure_1_overflow_stays_in_its_group() -> None:
    """45 instances and 3 groups: a quota of 15, which the first group overshoots and the last makes up for."""
    groups = tag_frequency_groups([17, 9, 6, 5, 4, 2, 1, 1], 3)
    assert groups.tolist() == [0, 1, 1, 2, 2, 2, 2, 2]


def test_groups_follow_frequency_not_column_order() -> None:
    assert tag_frequency_groups([1, 50, 3, 46], 2).tolist() == [1, 0, 1, 1]


def test_one_giant_tag_leaves_fewer_groups_than_asked_for() -> None:
    assert tag_frequency_groups([96, 1, 1, 1, 1], 5).tolist() == [0, 1, 1, 1, 1]


@given(st.lists(st.integers(0, 100), min_size=1, max_size=30).filter(sum), st.integers(1, 6))
def test_every_group_but_the_last_reaches_its_quota(freqs: list, n_groups: int) -> None:
    groups, counts = tag_frequency_groups(freqs, n_groups), np.array(freqs)
    assert 0 <= groups.min() <= groups.max() < n_groups
    for number in range(groups.max()):
        assert counts[groups == number].sum() >= counts.sum() / n_groups
        assert counts[groups == number].min() >= counts[groups == number + 1].max()


@given(st.lists(st.integers(1, 100), min_size=1, max_size=30), st.integers(1, 6))
def test_shares_group_as_counts_do(freqs: list, n_groups: int) -> None:
    shares = np.array(freqs) / sum(freqs)
    assert tag_frequency_groups(shares, n_groups).tolist() == tag_frequency_groups(freqs, n_groups).tolist()


def test_smce_by_hand() -> None:
    # scores 0.2 0.2 | 0.3 0.495 | 0.5 0.6 | 0.7 0.8 with labels averaging 1/2, 1/2, 0, 1
    gaps = np.array([0.2 - 0.5, 0.3975 - 0.5, 0.55 - 0, 0.75 - 1])
    assert smce(PROBS, GOLD, threshold=0.2, n_bins=4) == pytest.approx(np.sqrt((gaps**2).mean()))
    assert smce(PROBS, GOLD, threshold=0.2, bin_size=2) == pytest.approx(np.sqrt((gaps**2).mean()))


def test_equal_scores_share_a_bin() -> None:
    """Half of the scores are 0.2 and hold no gold tag, half 0.8 and hold all: three bins by rank would mix them."""
    probs = np.tile([0.8, 0.2], (6, 1))
    assert smce(probs, np.zeros(6, dtype=int), n_bins=3) == pytest.approx(0.2)


def test_gmce_of_one_group_is_smce() -> None:
    probs, gold = random_tagger()
    assert gmce(probs, gold, np.zeros(6, dtype=int)) == pytest.approx([smce(probs, gold)])


def test_gmce_of_each_group_is_smce_of_its_columns() -> None:
    probs, gold = random_tagger()
    errors = gmce(probs, gold, [0, 0, 1, 1, 1, 1])
    scores = binarise(probs, gold).of_tags(np.array([True, True, False, False, False, False]))
    assert errors[0] == pytest.approx(calibration_error(scores.pred, scores.label, n_bins=10))


def test_a_group_without_scores_has_no_error() -> None:
    assert np.isnan(gmce([[1.0, 0.0]], [0], [0, 1])).tolist() == [False, True]


def test_marginal_error_is_the_root_mean_over_tags() -> None:
    probs, gold = random_tagger()
    each = [calibration_error(probs[:, tag], gold == tag, n_bins=10) for tag in range(6)]
    assert marginal_calibration_error(probs, gold) == pytest.approx(np.sqrt(np.mean(np.square(each))))


def test_top_label_error_is_that_of_the_best_score() -> None:
    probs, gold = random_tagger()
    right = probs.argmax(axis=1) == gold
    assert top_label_calibration_error(probs, gold) == pytest.approx(
        calibration_error(probs.max(axis=1), right, n_bins=10)
    )


def test_tags_with_few_scores_get_one_bin_a_score() -> None:
    assert smce([[0.9, 0.1]], [0]) == pytest.approx(0.1)
    assert marginal_calibration_error([[0.9, 0.1]], [0]) == pytest.approx(0.1)
    assert top_label_calibration_error([[0.9, 0.1]], [0]) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: smce([[0.5, np.nan]], [0]), "got nan at row 0, column 1"),
        (lambda: smce([[0.5, 1.5]], [0]), r"probs must be numbers in \[0, 1\]; got 1.5 at row 0, column 1"),
        (lambda: smce([[0.5, 0.5]], [2]), r"gold must be in \[0, 2\), the tags that are known; got 2 at row 0"),
        (lambda: smce([[0.5, 0.5]], [0.5]), "gold must be whole numbers; got dtype float64"),
        (lambda: smce([[0.5, 0.5]], [0, 1]), "same length; got 1 and 2"),
        (lambda: smce([0.5], [0]), r"probs must have 2 dimensions; got shape \(1,\)"),
        (lambda: smce([[0.5, 0.5]], [0], threshold=0.6), "no score reaches threshold 0.6"),
        (lambda: smce([[0.5, 0.5]], [0], n_bins=2, bin_size=3), "give n_bins or bin_size, not both; got 2 and 3"),
        (lambda: smce([[0.5, 0.5]], [0], threshold=2), r"threshold must be in \[0, 1\]; got 2"),
        (lambda: gmce([[0.5, 0.5]], [0], [0]), "one entry per tag; got 1 for 2 tags"),
        (lambda: tag_frequency_groups([], 2), "freqs must be one number per tag"),
        (lambda: tag_frequency_groups([3, -1], 2), "freqs must be at least 0 and not all 0; got -1.0"),
        (lambda: tag_frequency_groups([0, 0], 2), "not all 0; got 0.0"),
        (lambda: tag_frequency_groups([1], 0), "n_groups must be at least 1; got 0"),
    ],
)
def test_bad_input(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
