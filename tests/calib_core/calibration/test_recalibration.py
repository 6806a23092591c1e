import json

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from calib_core.calibration import (
    HistogramBinning,
    IsotonicCalibration,
    PlattScaling,
    ScalingBinning,
    TemperatureScaling,
    brier_score,
    calibrator_from_json,
    calibrator_to_json,
    debiased_calibration_error,
    grouped,
    log_loss,
    synthetic_pairs,
    tag_frequency_groups,
)
from tests.calib_core.calibration.pairs import pairs, random_pairs

CALIBRATORS = [
    HistogramBinning(),
    HistogramBinning(adaptive=False),
    HistogramBinning(bin_size=50),
    IsotonicCalibration(),
    ScalingBinning(),
    ScalingBinning(scaler=PlattScaling(), n_bins=5),
    PlattScaling(),
    TemperatureScaling(),
]
every_calibrator = pytest.mark.parametrize("calibrator", CALIBRATORS, ids=lambda c: repr(c).replace("\n", ""))


@every_calibrator
def test_improves_a_miscalibrated_model_on_held_out_rows(calibrator: object) -> None:
    rng = np.random.default_rng(0)
    true = rng.beta(0.5, 0.5, 40_000)
    pred, label = expit(2.5 * logit(true)), rng.random(40_000) < true  # overconfident by a temperature of 2.5
    fitted = clone(calibrator).fit(pred[:20_000], label[:20_000])
    before = debiased_calibration_error(pred[20_000:], label[20_000:], bin_size=1000)
    after = debiased_calibration_error(fitted.predict(pred[20_000:]), label[20_000:], bin_size=1000)
    assert after < 0.35 * before
    assert brier_score(fitted.predict(pred[20_000:]), label[20_000:]) < brier_score(pred[20_000:], label[20_000:])


@every_calibrator
@settings(max_examples=30, deadline=None)
@given(rows=pairs())
def test_any_input_gives_probabilities_that_never_fall(calibrator: object, rows: tuple) -> None:
    """Non-decreasing, except histogram binning, whose bins are free, and Platt scaling with a negative slope."""
    fitted = clone(calibrator).fit(*rows)
    predicted = fitted.predict(np.linspace(0, 1, 51))
    assert ((predicted >= 0) & (predicted <= 1)).all()
    if isinstance(calibrator, IsotonicCalibration | TemperatureScaling):
        assert (np.diff(predicted) >= -1e-12).all()


@every_calibrator
def test_row_order_changes_no_bit(calibrator: object) -> None:
    pred, label = random_pairs(500)
    pred = np.round(pred, 2)
    order = np.random.default_rng(3).permutation(500)
    there, back = clone(calibrator).fit(pred, label), clone(calibrator).fit(pred[order], label[order])
    assert there.predict(pred).tolist() == back.predict(pred).tolist()


@every_calibrator
def test_json_loses_nothing(calibrator: object) -> None:
    fitted = clone(calibrator).fit(*random_pairs(500))
    loaded = calibrator_from_json(calibrator_to_json(fitted))
    probe = np.linspace(0, 1, 1001)
    assert loaded.predict(probe).tolist() == fitted.predict(probe).tolist()
    assert calibrator_to_json(loaded) == calibrator_to_json(fitted)


@every_calibrator
def test_one_class_only_is_learned_without_complaint(calibrator: object) -> None:
    predicted = clone(calibrator).fit([0.2, 0.4, 0.6, 0.8], [0, 0, 0, 0]).predict([0.3, 0.7])
    assert ((predicted >= 0) & (predicted < 0.8)).all()


@every_calibrator
def test_predicting_before_fitting_is_refused(calibrator: object) -> None:
    with pytest.raises(NotFittedError):
        clone(calibrator).predict([0.5])


@every_calibrator
def test_bad_predictions_are_refused(calibrator: object) -> None:
    with pytest.raises(ValueError, match=r"pred must be numbers in \[0, 1\]; got 1.2 at row 0"):
        clone(calibrator).fit([1.2], [1])
    with pytest.raises(ValueError, match=r"pred must be numbers in \[0, 1\]; got nan at row 0"):
        clone(calibrator).fit([0.5, 0.6], [0, 1]).predict([np.nan])


@every_calibrator
def test_works_in_scikit_learn(calibrator: object) -> None:
    pred, label = random_pairs(400)
    column = pred[:, None]
    out_of_fold = cross_val_predict(clone(calibrator), column, label.astype(int), cv=4)
    assert out_of_fold.shape == (400,)
    squared = make_pipeline(FunctionTransformer(np.square), clone(calibrator)).fit(column, label)
    assert squared.predict(column) == pytest.approx(clone(calibrator).fit(pred**2, label).predict(pred**2))


def test_grid_search_chooses_a_number_of_bins() -> None:
    pred, label = random_pairs(1000)
    search = GridSearchCV(HistogramBinning(), {"n_bins": [2, 8, 500]}, scoring="neg_mean_squared_error", cv=3)
    assert search.fit(pred[:, None], label.astype(int)).best_params_["n_bins"] == 8


def test_histogram_binning_by_hand() -> None:
    fitted = HistogramBinning(n_bins=2).fit([0.1, 0.2, 0.6, 0.9], [0, 1, 1, 1])
    assert fitted.predict([0.0, 0.2, 0.39, 0.41, 1.0]).tolist() == [0.5, 0.5, 0.5, 1.0, 1.0]  # the bins meet at 0.4


def test_histogram_binning_of_equal_width_by_hand() -> None:
    fitted = HistogramBinning(n_bins=4, adaptive=False).fit([0.1, 0.2, 0.25, 0.9], [0, 1, 1, 1])
    assert fitted.predict([0.0, 0.25, 0.6, 1.0]) == pytest.approx([0.5, 1.0, 0.625, 1.0])  # the third bin has no row


def test_equal_predictions_always_map_alike() -> None:
    fitted = HistogramBinning(n_bins=5).fit([0.3] * 7 + [0.8] * 3, [0, 1] * 5)
    assert fitted.predict([0.3]) == pytest.approx([3 / 7])


def test_isotonic_agrees_with_scikit_learn() -> None:
    pred, label = random_pairs(500)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(pred, label)
    probe = np.linspace(0, 1, 201)
    assert IsotonicCalibration().fit(pred, label).predict(probe) == pytest.approx(theirs.predict(probe), abs=1e-9)


def test_scaling_binning_is_the_mean_of_the_scaled_values() -> None:
    pred, label = random_pairs(100)
    scaled = IsotonicCalibration().fit(pred, label).predict(np.sort(pred))
    fitted = ScalingBinning(n_bins=4).fit(pred, label)
    assert fitted.values_ == pytest.approx(scaled.reshape(4, 25).mean(axis=1))


def test_platt_agrees_with_logistic_regression_where_smoothing_vanishes() -> None:
    pred, label = random_pairs(200_000)
    theirs = LogisticRegression(C=np.inf, tol=1e-10).fit(logit(pred)[:, None], label)
    fitted = PlattScaling().fit(pred, label)
    assert fitted.slope_ == pytest.approx(theirs.coef_[0, 0], rel=1e-3)
    assert fitted.intercept_ == pytest.approx(theirs.intercept_[0], abs=1e-3)


def test_platt_stays_finite_when_classes_separate() -> None:
    fitted = PlattScaling().fit([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1])
    assert np.isfinite([fitted.slope_, fitted.intercept_]).all()
    assert fitted.predict([0.9])[0] == pytest.approx(0.75, abs=0.1)  # the target of two positives is 3/4


def test_temperature_finds_the_one_that_was_applied() -> None:
    rng = np.random.default_rng(1)
    true = rng.beta(1, 1, 100_000)
    fitted = TemperatureScaling().fit(expit(2 * logit(true)), rng.random(100_000) < true)
    assert fitted.temperature_ == pytest.approx(2, rel=0.02)


def test_temperature_of_many_classes_keeps_order_and_sums_to_1() -> None:
    rng = np.random.default_rng(1)
    true = rng.dirichlet([0.5] * 4, 20_000)
    gold = (true.cumsum(axis=1) > rng.random((20_000, 1))).argmax(axis=1)
    sharpened = true**3 / (true**3).sum(axis=1, keepdims=True)
    fitted = TemperatureScaling().fit(sharpened, gold)
    predicted = fitted.predict(sharpened)
    assert fitted.temperature_ == pytest.approx(3, rel=0.05)
    assert predicted.sum(axis=1) == pytest.approx(1)
    assert (predicted.argmax(axis=1) == sharpened.argmax(axis=1)).all()


def test_predictions_of_exactly_0_and_1_are_learned_from() -> None:
    for calibrator in (PlattScaling(), TemperatureScaling()):
        predicted = calibrator.fit([0.0, 0.0, 1.0, 1.0, 1.0], [0, 1, 1, 1, 0]).predict([0.0, 1.0])
        assert 0 < predicted[0] < 0.7
        assert 0.3 < predicted[1] < 1


def test_one_calibrator_per_group_repairs_what_a_shared_one_cannot() -> None:
    """Frequent tags overconfident, rare ones underconfident: together they cancel out."""
    rng = np.random.default_rng(0)
    tag = rng.integers(0, 4, 40_000)
    true = rng.beta(1, 1, 40_000)
    pred = np.where(tag < 2, np.minimum(true + 0.1, 1), np.maximum(true - 0.1, 0))
    label = rng.random(40_000) < true
    groups = tag_frequency_groups([50, 40, 5, 5], 2)
    by_group = grouped(IsotonicCalibration(), groups).fit(pred, label, tag).predict(pred, tag)
    shared = IsotonicCalibration().fit(pred, label).predict(pred)
    assert groups.tolist() == [0, 1, 1, 1]
    per_tag = grouped(IsotonicCalibration(), np.arange(4)).fit(pred, label, tag).predict(pred, tag)
    assert log_loss(per_tag, label) < log_loss(by_group, label) < log_loss(shared, label)


def test_a_group_without_rows_is_served_by_all_rows() -> None:
    fitted = grouped(HistogramBinning(n_bins=1), [0, 1]).fit([0.2, 0.4], [0, 1], [0, 0])
    assert fitted.predict([0.3], [1]).tolist() == [0.5]


def test_grouped_json_loses_nothing() -> None:
    pred, label = synthetic_pairs(300, k=0.1)
    tag = np.arange(300) % 3
    fitted = grouped(HistogramBinning(n_bins=3), [0, 0, 1]).fit(pred, label, tag)
    loaded = calibrator_from_json(calibrator_to_json(fitted))
    assert loaded.predict(pred, tag).tolist() == fitted.predict(pred, tag).tolist()


@pytest.mark.parametrize("tag", [2, -1])
def test_a_tag_never_seen_is_refused(tag: int) -> None:
    fitted = grouped(HistogramBinning(), [0, 1]).fit([0.2, 0.4], [0, 1], [0, 1])
    with pytest.raises(ValueError, match=rf"tag must be in \[0, 2\), the tags that are known; got {tag} at row 0"):
        fitted.predict([0.5], [tag])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "recalibration is not JSON"),
        ("[]", "credence.calibrator must be 1; got None"),
        ('{"credence.calibrator": 2}', "credence.calibrator must be 1; got 2"),
        ('{"credence.calibrator": 1, "kind": "os.system"}', "kind must be one of HistogramBinning.*; got 'os.system'"),
        ('{"credence.calibrator": 1, "kind": "PlattScaling", "options": {}}', "incomplete: KeyError 'learned'"),
        ('{"credence.calibrator": 1, "kind": "PlattScaling", "options": {"x": 1}}', "incomplete: TypeError"),
    ],
)
def test_damaged_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        calibrator_from_json(text)


@pytest.mark.parametrize(
    ("kind", "learned", "message"),
    [
        ("PlattScaling", '{"slope_": NaN, "intercept_": 0}', "slope_ must be finite numbers"),
        ("HistogramBinning", '{"edges_": [0.5], "values_": [0.1]}', "do not fit together"),
        ("HistogramBinning", '{"edges_": [0.5], "values_": [0.1, 7]}', "yield 7.0 as a probability"),
    ],
)
def test_json_that_yields_no_probabilities_is_refused(kind: str, learned: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        calibrator_from_json(f'{{"credence.calibrator": 1, "kind": "{kind}", "options": {{}}, "learned": {learned}}}')


def test_an_option_from_a_numpy_grid_can_be_saved() -> None:
    fitted = HistogramBinning(n_bins=np.int64(3)).fit([0.2, 0.7, 0.6], [0, 1, 0])
    assert json.loads(calibrator_to_json(fitted))["options"]["n_bins"] == 3


def test_saving_before_fitting_is_refused() -> None:
    with pytest.raises(NotFittedError):
        calibrator_to_json(PlattScaling())


def test_temperature_of_many_classes_does_not_depend_on_row_order() -> None:
    rng = np.random.default_rng(1)
    scores, gold = rng.dirichlet([0.5] * 4, 500), rng.integers(0, 4, 500)
    order = rng.permutation(500)
    fitted = [TemperatureScaling().fit(scores[o], gold[o]).temperature_ for o in (np.arange(500), order)]
    assert fitted[0] == fitted[1]
    assert TemperatureScaling().fit(scores, gold).predict(np.empty((0, 4))).shape == (0, 4)


def test_json_is_plain() -> None:
    content = json.loads(calibrator_to_json(TemperatureScaling().fit([0.2, 0.7, 0.6], [0, 1, 0])))
    assert content["kind"] == "TemperatureScaling"
    assert set(content["learned"]) == {"temperature_"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: HistogramBinning(n_bins=0).fit([0.5], [1]), "n_bins must be at least 1; got 0"),
        (lambda: HistogramBinning(bin_size=5, adaptive=False).fit([0.5], [1]), "have no bin_size; got 5"),
        (lambda: grouped(HistogramBinning(), []), "groups must be one whole number per tag"),
        (lambda: grouped(HistogramBinning(), [0]).fit([0.5], [1], [0, 0]), "same length; got 1 and 2"),
        (lambda: calibrator_to_json(IsotonicRegression()), "calibrator must be one of .*; got IsotonicRegression"),
    ],
)
def test_bad_options(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
