import numpy as np
import pytest

from calib_core.calibration import adaptive_bins, cluster_bootstrap, debiased_error_interval, synthetic_pairs
from calib_core.calibration.cluster_bootstrap import group_sums


def test_sums_by_group_and_bin_by_hand() -> None:
    pred, label, groups = [0.1, 0.2, 0.8, 0.9], [0, 1, 1, 1], ["a", "b", "a", "a"]
    sums = group_sums(pred, label, groups, adaptive_bins(pred, label, bin_size=2, split_ties=False))
    assert sums.size.toarray().tolist() == [[1, 2], [1, 0]]
    assert sums.gap.toarray() == pytest.approx(np.array([[0.1, -0.3], [-0.8, 0]]))


def test_with_one_row_per_group_it_agrees_with_the_interval_for_independent_rows() -> None:
    pred, label = synthetic_pairs(20_000, k=0.1, seed=3)
    grouped = cluster_bootstrap(pred, label, np.arange(20_000), bin_size=1000, n_samples=1000)
    independent = debiased_error_interval(pred, label, bin_size=1000)
    assert grouped.value == pytest.approx(independent.value, rel=0.01)
    assert grouped.hi - grouped.lo == pytest.approx(independent.hi - independent.lo, rel=0.15)


def test_repeating_every_row_widens_the_independent_interval_only_by_mistake() -> None:
    """Ten copies of each row, each copy in its row's group, tell no more than one copy."""
    pred, label = synthetic_pairs(3000, k=0.1, seed=5)
    groups = np.arange(3000)
    once = cluster_bootstrap(pred, label, groups, n_bins=10)
    copied = cluster_bootstrap(np.repeat(pred, 10), np.repeat(label, 10), np.repeat(groups, 10), n_bins=10)
    assert copied.lo == pytest.approx(once.lo, rel=0.05)
    assert copied.hi == pytest.approx(once.hi, rel=0.05)


def test_row_order_and_group_names_do_not_matter() -> None:
    pred, label = synthetic_pairs(1000, k=0.1, seed=5)
    groups = np.arange(1000) // 10
    order = np.random.default_rng(0).permutation(1000)
    named = np.char.add("doc", np.char.zfill(groups.astype(str), 4))
    first = cluster_bootstrap(pred, label, groups, n_bins=5, n_samples=100)
    again = cluster_bootstrap(pred[order], label[order], named[order], n_bins=5, n_samples=100)
    assert again == first


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 1], "at least 2 different groups; got 1"),
        ([1.0, np.nan], "groups must not be NaN; got NaN at row 1"),
        (np.array(["a", np.nan], dtype=object), "groups must not be NaN; got NaN at row 1"),
        (np.array([None, 1], dtype=object), "groups must be all numbers or all strings"),
    ],
)
def test_bad_groups_are_refused(groups: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cluster_bootstrap([0.2, 0.7], [0, 1], groups)
