"""Agreement between coders: Krippendorff's own example, what it does not depend on, and the definition pair by pair."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from calib_core.anchoring import MISSING, coder_agreement, krippendorff_alpha

X = MISSING
# Four coders, twelve units, five values: Krippendorff (2011), section C; its nominal alpha is printed as 0.743.
PRINTED = np.array([
    [1, 2, 3, 3, 2, 1, 4, 1, 2, X, X, X],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, X, 3],
    [X, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, X],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, X],
])  # fmt: skip

VALUES = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(0, 8)), elements=st.integers(MISSING, 3))


def by_definition(values: np.ndarray) -> float:
    """1 − D_o / D_e, each pair of answers looked at by itself."""
    units = [[value for value in unit if value != MISSING] for unit in values.T]
    units = [unit for unit in units if len(unit) > 1]
    answers = [value for unit in units for value in unit]
    n = len(answers)
    observed = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units) / max(n, 1)
    expected = sum(a != b for a, b in permutations(answers, 2)) / max(n * (n - 1), 1)
    return 1.0 - observed / expected if expected else np.nan


def test_alpha_is_the_printed_one() -> None:
    assert krippendorff_alpha(PRINTED) == pytest.approx(0.743, abs=5e-4)


@given(VALUES)
def test_alpha_is_that_of_all_pairs_of_answers(values: np.ndarray) -> None:
    assert krippendorff_alpha(values) == pytest.approx(by_definition(values), abs=1e-12, nan_ok=True)


@given(VALUES, st.randoms(use_true_random=False))
def test_neither_order_nor_names_of_values_matter(values: np.ndarray, random: object) -> None:
    rng = np.random.default_rng(int(random.random() * 1e9))  # type: ignore[attr-defined]
    names = np.append(rng.permutation(4), MISSING)  # the last is what -1 picks
    shuffled = names[values][rng.permutation(len(values))][:, rng.permutation(values.shape[1])]
    assert krippendorff_alpha(shuffled) == pytest.approx(krippendorff_alpha(values), abs=1e-12, nan_ok=True)


def test_full_agreement_is_one_and_has_no_width() -> None:
    found = coder_agreement(np.array([[0, 1, 0, 2], [0, 1, 0, 2]]))
    assert (found.n_units, found.share, found.alpha, found.lo, found.hi) == (4, 1.0, 1.0, 1.0, 1.0)


def test_answers_by_chance_have_alpha_near_zero() -> None:
    values = np.random.default_rng(1).integers(0, 3, size=(2, 4000))
    found = coder_agreement(values, n_samples=200)
    assert abs(found.alpha) < 0.05
    assert found.lo < found.alpha < found.hi


def test_one_value_throughout_says_nothing_about_chance() -> None:
    found = coder_agreement(np.zeros((2, 5), dtype=np.int64))
    assert found.share == 1.0
    assert np.isnan([found.alpha, found.lo, found.hi]).all()


def test_articles_that_one_coder_read_bear_on_nothing() -> None:
    alone = np.array([[3, 0, 1], [X, 0, 1]])
    assert krippendorff_alpha(alone) == krippendorff_alpha(alone[:, 1:])
    assert coder_agreement(alone[:, :1]).n_units == 0


def test_interval_covers_the_alpha_of_the_coders() -> None:
    """Coders that copy a common answer nine times in ten: alpha of many units, in intervals from eighty each."""
    rng = np.random.default_rng(7)

    def coded(n: int) -> np.ndarray:
        truth = rng.integers(0, 3, n)
        return np.where(rng.random((2, n)) < 0.9, truth, rng.integers(0, 3, (2, n)))

    true = krippendorff_alpha(coded(400_000))
    found = [coder_agreement(coded(80), n_samples=400, seed=draw) for draw in range(300)]
    assert np.mean([one.lo <= true <= one.hi for one in found]) > 0.9


@pytest.mark.parametrize(("values", "rule"), [
    (np.zeros(3, dtype=np.int64), "values must have shape"),
    (np.array([[0, -2]]), "values must be at least 0"),
])  # fmt: skip
def test_what_is_no_table_of_answers_is_refused(values: np.ndarray, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        coder_agreement(values)
