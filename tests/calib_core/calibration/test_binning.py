import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.calibration import adaptive_bins, distinct_bins, equal_width_bins
from tests.calib_core.calibration.pairs import pairs, random_pairs


def algorithm_1_as_printed(pred: np.ndarray, label: np.ndarray, bin_size: int) -> list[tuple[int, float, float]]:
    """Steps 1-4, word for word; only defined where no two predictions are equal."""
    ordered = sorted(zip(pred.tolist(), label.tolist(), strict=True))
    bins: dict[int, list[tuple[float, int]]] = {}
    for k, row in enumerate(ordered, start=1):
        bins.setdefault((k - 1) // bin_size + 1, []).append(row)
    last = max(bins)
    if len(bins[last]) < bin_size and last > 1:
        bins[last - 1] += bins.pop(last)
    return [(len(b), sum(q for q, _ in b) / len(b), sum(y for _, y in b) / len(b)) for b in bins.values()]


def test_hand_worked_bins() -> None:
    bins = adaptive_bins([0.9, 0.1, 0.5, 0.3, 0.7], [1, 0, 0, 1, 1], bin_size=2)
    assert bins.size.tolist() == [2, 3]  # the fifth row is short of a bin and joins the last
    assert bins.mean_pred == pytest.approx([0.2, 0.7])
    assert bins.mean_label == pytest.approx([1 / 2, 2 / 3])
    assert bins.lowest.tolist() == [0.1, 0.5]
    assert bins.highest.tolist() == [0.3, 0.9]


@pytest.mark.parametrize("n", [1, 6, 7, 13, 20, 97])
def test_agrees_with_the_printed_algorithm(n: int) -> None:
    pred, label = random_pairs(n)
    bins = adaptive_bins(pred, label, bin_size=7)
    printed = algorithm_1_as_printed(pred, label, 7)
    assert np.array(printed) == pytest.approx(np.array([bins.size, bins.mean_pred, bins.mean_label]).T, abs=1e-12)


@given(pairs(), st.integers(1, 20))
def test_sizes_are_those_of_the_printed_algorithm_even_with_ties(rows: tuple, bin_size: int) -> None:
    pred, label = rows
    bins = adaptive_bins(pred, label, bin_size=bin_size)
    assert bins.size.sum() == len(pred)
    assert (bins.size[:-1] == bin_size).all()
    assert len(bins) == 1 or bin_size <= bins.size[-1] < 2 * bin_size
    assert bins.mean_label @ bins.size == pytest.approx(label.sum())


@given(pairs(), st.integers(1, 20), st.booleans(), st.randoms(use_true_random=False))
def test_order_of_rows_changes_no_bit(rows: tuple, bin_size: int, split_ties: bool, random: object) -> None:
    pred, label = rows
    order = list(range(len(pred)))
    random.shuffle(order)  # type: ignore[attr-defined]
    once = adaptive_bins(pred, label, bin_size=bin_size, split_ties=split_ties)
    again = adaptive_bins(pred[order], label[order], bin_size=bin_size, split_ties=split_ties)
    assert once.mean_pred.tolist() == again.mean_pred.tolist()
    assert once.mean_label.tolist() == again.mean_label.tolist()


def test_split_ties_get_the_average_over_all_orders_of_the_tied_rows() -> None:
    pred, label = [0.2, 0.5, 0.5, 0.5, 0.5, 0.9], [0, 1, 0, 0, 1, 1]
    bins = adaptive_bins(pred, label, bin_size=2)
    assert bins.mean_label == pytest.approx([(0 + 0.5) / 2, (0.5 + 0.5) / 2, (0.5 + 1) / 2])
    shuffled = []
    for seed in range(2000):
        tied = np.random.default_rng(seed).permutation([1, 0, 0, 1])
        shuffled.append(np.array([0, *tied, 1]).reshape(3, 2).mean(axis=1))
    assert np.mean(shuffled, axis=0) == pytest.approx(bins.mean_label, abs=0.02)


@given(pairs(), st.integers(1, 20))
def test_without_splitting_equal_predictions_share_a_bin(rows: tuple, bin_size: int) -> None:
    bins = adaptive_bins(*rows, bin_size=bin_size, split_ties=False)
    assert (bins.highest[:-1] < bins.lowest[1:]).all()
    assert len(bins) == 1 or bins.size.min() >= bin_size
    assert bins.mean_label * bins.size == pytest.approx(np.rint(bins.mean_label * bins.size))


def test_by_value_a_cut_moves_to_the_end_of_its_run() -> None:
    pred = [0.1, 0.2, 0.2, 0.2, 0.5, 0.7, 0.8, 0.9]
    assert adaptive_bins(pred, np.zeros(8), n_bins=4, split_ties=False).size.tolist() == [4, 2, 2]


@given(pairs(), st.integers(1, 20))
def test_by_value_there_are_never_more_bins_than_asked_for(rows: tuple, n_bins: int) -> None:
    wanted = min(n_bins, len(rows[0]))
    bins = adaptive_bins(*rows, n_bins=wanted, split_ties=False)
    assert len(bins) <= wanted
    assert (bins.highest[:-1] < bins.lowest[1:]).all()
    assert len(bins) == 1 or len(rows[0]) < 2 * wanted or bins.size.min() >= 2


def test_one_tie_in_19_rows_leaves_the_10_bins_asked_for() -> None:
    pred = np.arange(1, 20) / 20
    pred[1] = pred[0]
    assert len(adaptive_bins(pred, np.zeros(19), n_bins=10, split_ties=False)) == 10


def test_one_tie_moves_one_cut_and_costs_no_bin() -> None:
    pred = np.arange(1, 101) / 101
    pred[10] = pred[9]
    sizes = adaptive_bins(pred, np.zeros(100), bin_size=10, split_ties=False).size
    assert sizes.tolist() == [11, 10, 10, 10, 10, 10, 10, 10, 19]  # the remainder of 9 joins the last


def test_mean_of_equal_predictions_is_that_prediction() -> None:
    bins = distinct_bins(np.full(10, 1 - 2**-53), np.arange(10) % 2)
    assert bins.mean_pred.tolist() == [1 - 2**-53]


@given(pairs(min_size=10), st.integers(1, 10))
def test_number_of_bins_can_be_given(rows: tuple, n_bins: int) -> None:
    bins = adaptive_bins(*rows, n_bins=n_bins)
    assert len(bins) == n_bins
    assert bins.size.max() - bins.size.min() <= 1


def test_fewer_rows_than_one_bin_share_a_single_bin() -> None:
    bins = adaptive_bins([0.2, 0.4], [0, 1])
    assert (bins.size.tolist(), bins.mean_pred.tolist(), bins.mean_label.tolist()) == ([2], [pytest.approx(0.3)], [0.5])


def test_equal_width_bins_close_on_the_left_and_keep_1() -> None:
    bins = equal_width_bins([0.0, 0.29, 0.3, 0.3, 1.0], [0, 0, 1, 0, 1], n_bins=10)
    assert bins.lowest.tolist() == [0.0, 0.29, 0.3, 1.0]
    assert bins.size.tolist() == [1, 1, 2, 1]  # empty bins are left out


def test_an_edge_that_is_not_exact_in_binary_goes_to_its_own_bin() -> None:
    edges = np.arange(100) / 100
    assert equal_width_bins(edges, np.zeros(100), n_bins=100).size.tolist() == [1] * 100


def test_distinct_bins_have_one_prediction_each() -> None:
    bins = distinct_bins([0.5, 0.2, 0.5, 0.2, 0.7], [1, 0, 0, 0, 1])
    assert bins.mean_pred.tolist() == [0.2, 0.5, 0.7]
    assert bins.mean_label.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("pred", "label", "options", "message"),
    [
        ([0.5, np.nan], [0, 1], {}, r"pred must be numbers in \[0, 1\]; got nan at row 1"),
        ([0.5, 1.1], [0, 1], {}, r"pred must be numbers in \[0, 1\]; got 1.1 at row 1"),
        ([-0.1, 0.5], [0, 1], {}, r"pred must be numbers in \[0, 1\]; got -0.1 at row 0"),
        ([0.5, np.inf], [0, 1], {}, r"got inf at row 1"),
        ([0.5, 0.5], [0, 2], {}, "label must be 0 or 1; got 2 at row 1"),
        ([0.5, 0.5], [0.0, np.nan], {}, "label must be 0 or 1; got nan at row 1"),
        ([0.5, 0.5], [0], {}, "same length; got 2 and 1"),
        ([], [], {}, "at least one row; got 0"),
        ([[0.5]], [0], {}, r"pred must have 1 dimension; got shape \(1, 1\)"),
        (["0.5"], [0], {}, "pred must be real numbers; got dtype <U3"),
        ([0.5 + 1j], [0], {}, "pred must be real numbers; got dtype complex128"),
        (np.ma.masked_array([0.5], [True]), [0], {}, "pred must have no masked entries"),
        ([0.5], [[0]], {}, r"label must have one dimension; got shape \(1, 1\)"),
        ([0.5], [0], {"bin_size": 0}, "bin_size must be at least 1; got 0"),
        ([0.5], [0], {"bin_size": 2.5}, "bin_size must be a whole number; got 2.5"),
        ([0.5], [0], {"n_bins": 0}, "n_bins must be at least 1; got 0"),
        ([0.5], [0], {"n_bins": 2}, "n_bins must be at most the number of rows; got 2 for 1 rows"),
    ],
)
def test_bad_input_names_argument_rule_and_value(pred: list, label: list, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        adaptive_bins(pred, label, **options)
