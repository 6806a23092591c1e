import itertools

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.neighbors import KNeighborsRegressor

from calib_core.calibration import (
    EventForecaster,
    admissibility,
    brier_decomposition,
    brier_score,
    chain_conditionals,
    concordance,
    label_frequency,
    label_length,
    label_type,
    margin,
    neighbour_agreement,
    pool_events,
    pseudomargin,
    smallest_margin,
)


def test_features_of_the_word_land_by_hand() -> None:
    labels = np.array(list("banana"))
    assert label_frequency(labels) == pytest.approx([1 / 6, 3 / 6, 2 / 6, 3 / 6, 2 / 6, 3 / 6])
    assert neighbour_agreement(np.array(list("aab"))) == pytest.approx([1 / 3, 1 / 3, 0])
    assert label_length(labels) == 6
    assert label_type(labels, {"b", "n"}).tolist() == [True, False, True, False, True, False]
    assert admissibility("".join(labels), {"banana", "land"}.__contains__)


def test_margins_by_hand() -> None:
    marginals = [[0.7, 0.2, 0.1], [0.4, 0.35, 0.25]]
    assert margin(marginals) == pytest.approx([0.5, 0.05])
    assert smallest_margin(marginals) == pytest.approx(0.05)
    assert margin([-1.0, -3.5, -2.0]) == pytest.approx(1.0)  # log-probabilities of the best whole labellings
    assert concordance(marginals, [0, 1]).tolist() == [True, False]


def test_neighbours_of_a_graph() -> None:
    assert neighbour_agreement([5, 5, 7, 5], [[1, 3], [0, 2], [1], [0]]) == pytest.approx([0.5, 0.25, 0, 0.25])


def test_chain_conditionals_and_pseudomargin_agree_with_enumeration() -> None:
    rng = np.random.default_rng(0)
    emissions, transitions = rng.normal(size=(4, 3)), rng.normal(size=(3, 3))

    def log_potential(labels: tuple[int, ...]) -> float:
        steps = sum(transitions[a, b] for a, b in itertools.pairwise(labels))
        return float(emissions[range(4), labels].sum() + steps)

    best = max(itertools.product(range(3), repeat=4), key=log_potential)
    for position in range(4):
        varied = [(*best[:position], label, *best[position + 1 :]) for label in range(3)]
        expected = softmax([log_potential(labels) for labels in varied])
        assert chain_conditionals(emissions, transitions, best)[position] == pytest.approx(expected)
    conditionals = chain_conditionals(emissions, transitions, best)
    assert pseudomargin(conditionals) == pytest.approx(margin(conditionals))


def test_events_of_all_examples_are_pooled() -> None:
    events = pool_events([([0.1, 0.2], [1, 0]), ([[0.9]], [1])])
    assert events.features.tolist() == [[0.1], [0.2], [0.9]]
    assert events.holds.tolist() == [True, False, True]
    assert events.example.tolist() == [0, 0, 1]


def test_pooled_calibration_can_hide_two_wrongs() -> None:
    """Section 3: y₁ is a fair coin, y₂ always 1, and 0.75 for both is calibrated only when pooled."""
    coin = np.arange(1000) % 2
    pooled = brier_decomposition(np.full(2000, 0.75), np.concatenate([coin, np.ones(1000)]))
    assert pooled.calibration == pytest.approx(0)
    assert brier_decomposition(np.full(1000, 0.75), coin).calibration == pytest.approx(0.25**2)


def test_nearest_neighbours_by_hand() -> None:
    forecaster = EventForecaster("knn", candidates=[3]).fit([1.0, 2.0, 3.0, 10.0, 11.0, 12.0], [0, 0, 1, 1, 1, 1])
    assert forecaster.predict([2.0, 11.0]) == pytest.approx([1 / 3, 1.0])


def test_tree_by_hand() -> None:
    forecaster = EventForecaster("tree", candidates=[3]).fit([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
    assert forecaster.predict([0, 1]) == pytest.approx([1 / 3, 1.0])


def misleading_scores(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A raw score that is far too sure, beside the margin that tells how sure one may be."""
    rng = np.random.default_rng(seed)
    margins = rng.random(n)
    return margins, rng.random(n) < 0.5 + 0.5 * margins, np.full(n, 0.98)


@pytest.mark.parametrize("method", ["knn", "tree"])
def test_forecasts_are_calibrated_and_sharper_than_the_base_rate(method: str) -> None:
    margins, holds, _ = misleading_scores(2000, seed=0)
    new_margins, new_holds, raw = misleading_scores(2000, seed=1)
    forecaster = EventForecaster(method, candidates=[5, 50, 200]).fit(margins, holds)  # type: ignore[arg-type]
    forecasts = forecaster.predict(new_margins)
    parts = brier_decomposition(forecasts, new_holds, n_buckets=10)
    assert forecaster.size_ > 5  # the smallest regions are too noisy to forecast from
    assert parts.calibration < 0.003
    assert parts.sharpness > 0.01
    assert brier_score(forecasts, new_holds) < brier_score(raw, new_holds) - 0.03


def test_cross_validation_agrees_with_a_plain_loop() -> None:
    margins, holds, _ = misleading_scores(300, seed=0)
    margins, holds = margins[np.argsort(margins)], holds[np.argsort(margins)]
    folds = GroupKFold(5, shuffle=True, random_state=4)
    losses = [
        -cross_val_score(
            KNeighborsRegressor(k),
            margins[:, None],
            holds.astype(float),
            groups=np.arange(300),
            cv=folds,
            scoring="neg_mean_squared_error",
        ).mean()
        for k in (5, 20, 80)
    ]
    chosen = EventForecaster("knn", candidates=[80, 5, 20], n_folds=5, seed=4).fit(margins, holds).size_
    assert chosen == (5, 20, 80)[int(np.argmin(losses))]


def test_events_of_one_example_stay_in_one_fold() -> None:
    """Copies of one event in both halves of a fold would make the smallest region look best."""
    rng = np.random.default_rng(0)
    features, holds = np.repeat(rng.random(60), 10), np.repeat(rng.random(60) < 0.5, 10)
    alone = EventForecaster(candidates=[5, 200]).fit(features, holds)
    together = EventForecaster(candidates=[5, 200]).fit(features, holds, groups=np.repeat(np.arange(60), 10))
    assert (alone.size_, together.size_) == (5, 200)


@pytest.mark.parametrize("method", ["knn", "tree"])
def test_order_of_rows_changes_no_forecast(method: str) -> None:
    """Whole-number features, so that most distances are tied."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(3, 9, 300).astype(float)
    holds = rng.random(300) < 0.2 + 0.1 * (lengths - 3)
    example = np.arange(300) // 3
    fitted = []
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(300)
        forecaster = EventForecaster(method, candidates=[5, 20, 50])  # type: ignore[arg-type]
        fitted.append(forecaster.fit(lengths[order], holds[order], example[order]).predict(np.arange(3.0, 9)).tolist())
    assert all(forecasts == fitted[0] for forecasts in fitted)


def test_of_tied_neighbours_each_counts_in_part() -> None:
    forecaster = EventForecaster(candidates=[2]).fit([1.0, 2.0, 2.0, 2.0, 9.0], [1, 1, 0, 0, 0])
    assert forecaster.predict([1.0]) == pytest.approx([(1 + 1 / 3) / 2])


def test_neighbours_agree_with_scikit_learn_where_nothing_is_tied() -> None:
    rng = np.random.default_rng(1)
    rows, holds, new = rng.normal(size=(200, 3)), rng.random(200) < 0.4, rng.normal(size=(50, 3))
    theirs = KNeighborsRegressor(15).fit(rows / rows.std(axis=0), holds.astype(float)).predict(new / rows.std(axis=0))
    assert EventForecaster(candidates=[15]).fit(rows, holds).predict(new) == pytest.approx(theirs)


def test_margin_of_two_impossible_labels_is_nothing() -> None:
    assert margin([[-np.inf, -np.inf], [-1.0, -np.inf]]).tolist() == [0, np.inf]


def test_features_are_scaled_before_neighbours_are_sought() -> None:
    rng = np.random.default_rng(0)
    useful, noise = rng.random(500), 1000 * rng.random(500)
    forecaster = EventForecaster(candidates=[20]).fit(np.column_stack([useful, noise]), useful > 0.5)
    assert forecaster.predict([[0.9, 500.0], [0.1, 500.0]]) == pytest.approx([1, 0], abs=0.11)


def test_region_sizes_beyond_the_data_are_left_out() -> None:
    assert EventForecaster().fit(np.arange(20.0), np.arange(20) > 9).size_ <= 18
    assert EventForecaster(candidates=[500]).fit([0.1, 0.9], [0, 1]).predict([0.1]) == pytest.approx([0.5])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: margin([[0.5]]), "at least 2 scores"),
        (lambda: margin([0.5, np.nan]), "scores must not be NaN"),
        (lambda: concordance([[0.9, 0.1], [0.5, 0.5]], [0]), r"scores must be \(L, K\) and labels \(L,\)"),
        (lambda: chain_conditionals([[0.9, 0.1]], np.eye(3), [0]), r"transitions \(K, K\); got \(1, 2\) and \(3, 3\)"),
        (lambda: chain_conditionals([[0.9, 0.1]], np.eye(2), [-1]), r"labels must be in \[0, 2\).*; got -1 at row 0"),
        (lambda: chain_conditionals([[0.9, 0.1]], np.eye(2), [0, 0]), r"labels \(L,\); got \(1, 2\) and \(2,\)"),
        (lambda: neighbour_agreement([1, 2], [[1]]), "one entry per position; got 1 for 2"),
        (lambda: pool_events([]), "at least one example"),
        (lambda: pool_events([([[1.0], [2.0]], [1])]), "example 0: 1 events need as many rows of features"),
        (lambda: pool_events([([1, 2, 3, 4], [1, 0])]), "example 0: 2 events need as many rows of features"),
        (lambda: pool_events([([1], [1]), ([[1, 2]], [1])]), "example 1: features must number 1; got 2"),
        (lambda: EventForecaster(n_folds=1).fit([1.0, 2.0], [1, 0]), "n_folds must be at least 2; got 1"),
        (lambda: EventForecaster(candidates=[2.5, 3]).fit([1.0], [1]), "candidates must be a whole number; got 2.5"),  # type: ignore
        (lambda: EventForecaster("svm").fit([1.0], [1]), "method must be 'knn' or 'tree'; got 'svm'"),  # type: ignore
        (lambda: EventForecaster().fit([1.0], [1]), "needs events of at least 2 examples; got 1"),
        (lambda: EventForecaster().fit([1.0, np.nan], [1, 0]), "features must be finite; got nan"),
        (lambda: EventForecaster().fit([1.0, 2.0], [1]), "same length; got 2, 1, 2"),
        (lambda: EventForecaster().fit(np.empty((0, 1)), []), "at least one row; got 0"),
        (lambda: EventForecaster(candidates=[0]).fit([1.0], [1]), "candidates must be at least 1; got 0"),
        (lambda: EventForecaster(candidates=[]).fit([1.0], [1]), "at least one size; got none"),
        (lambda: EventForecaster().fit([1.0, 2.0], [1, 3]), "label must be 0 or 1; got 3"),
    ],
)
def test_bad_input(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
