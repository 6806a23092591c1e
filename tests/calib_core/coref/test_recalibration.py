"""Repairs of antecedent distributions: what each form does, and that JSON keeps it."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.coref import Antecedents, antecedent_probabilities, pair_marginals
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.coref.recalibration.forms import (
    FORMS,
    Identity,
    MonotoneProbabilities,
    Recalibration,
    Temperature,
    TypeScaling,
    read_recalibration,
)

TWO_GROUPS = tuple(int(kind >= 9) for kind in range(N_TYPES))
SEVERAL: tuple[Recalibration, ...] = (
    Identity(),
    Temperature(0.8),
    TypeScaling(TWO_GROUPS, (1.2, 0.7), (0.5, -1.0)),
    MonotoneProbabilities((0.001, 0.5, 0.9), (0.002, 0.3, 0.95), (0.1, 0.8), (0.3, 0.7)),
)
Drawing = Callable[..., Antecedents]


def two_mentions(first: float, new: float) -> Antecedents:
    """A mention, and one that may refer to it."""
    return Antecedents(np.array([0, 1, 3]), np.array([-1, 0, -1]), np.array([0.0, first, new]))


def test_every_form_is_tried_here() -> None:
    assert {form.kind for form in SEVERAL} == set(FORMS)


def test_temperature_by_hand() -> None:
    """Odds of 9 to 1 become odds of 3 to 1 at a scale of one half."""
    recalibrated = Temperature(0.5).apply(two_mentions(np.log(9.0), 0.0), np.array([0, 0]))
    np.testing.assert_allclose(antecedent_probabilities(recalibrated), [1.0, 0.75, 0.25])


def test_type_scaling_by_hand() -> None:
    """NEW of a pronoun gains log 3, so even odds become 1 to 3; a noun keeps its own."""
    recalibration = TypeScaling(TWO_GROUPS, (1.0, 1.0), (0.0, np.log(3.0)))
    pronoun = recalibration.apply(two_mentions(0.0, 0.0), np.array([0, 11]))
    noun = recalibration.apply(two_mentions(0.0, 0.0), np.array([0, 1]))
    np.testing.assert_allclose(antecedent_probabilities(pronoun), [1.0, 0.25, 0.75])
    np.testing.assert_allclose(antecedent_probabilities(noun), [1.0, 0.5, 0.5])


def test_monotone_probabilities_by_hand() -> None:
    """0.5 and 0.5 move to 0.2 and 0.6, which renormalise to 1/4 and 3/4."""
    recalibration = MonotoneProbabilities((0.5,), (0.2,), (0.5,), (0.6,))
    recalibrated = recalibration.apply(two_mentions(0.0, 0.0), np.array([0, 0]))
    np.testing.assert_allclose(antecedent_probabilities(recalibrated), [1.0, 0.25, 0.75])


@pytest.mark.parametrize("recalibration", SEVERAL, ids=lambda one: one.kind)
def test_json_keeps_every_bit(recalibration: Recalibration) -> None:
    read = read_recalibration(json.loads(json.dumps(recalibration.to_json())))
    assert read == recalibration
    assert read.fingerprint == recalibration.fingerprint


def test_fingerprints_tell_repairs_apart() -> None:
    assert len({one.fingerprint for one in SEVERAL} | {Temperature(0.81).fingerprint}) == len(SEVERAL) + 1


@pytest.mark.parametrize("recalibration", SEVERAL, ids=lambda one: one.kind)
def test_pair_probabilities_stay_those_of_clusterings(
    recalibration: Recalibration, random_antecedents: Drawing
) -> None:
    antecedents = random_antecedents(30, seed=1)
    together = pair_marginals(recalibration.apply(antecedents, np.arange(30) % N_TYPES))
    assert together.min() >= 0
    assert together.max() <= 1 + 1e-12
    np.testing.assert_allclose(together, together.T)


@pytest.mark.parametrize("recalibration", SEVERAL, ids=lambda one: one.kind)
def test_stored_logits_of_32_bits_give_nearly_the_same(
    recalibration: Recalibration, random_antecedents: Drawing
) -> None:
    exact = random_antecedents(20, seed=2)
    stored = Antecedents(exact.offsets, exact.candidates, exact.logits.astype(np.float32))
    kinds = np.arange(20) % N_TYPES
    recalibrated = recalibration.apply(stored, kinds)
    assert recalibrated.logits.dtype == np.float64
    np.testing.assert_allclose(
        antecedent_probabilities(recalibrated), antecedent_probabilities(recalibration.apply(exact, kinds)), rtol=1e-5
    )


@given(shift=st.floats(-20, 20), scale=st.floats(0.2, 5), seed=st.integers(0, 99))
def test_monotone_probabilities_keep_the_order_of_antecedents(shift: float, scale: float, seed: int) -> None:
    logits = np.random.default_rng(seed).normal(shift, scale, 7)
    logits[-1] = 0.0
    one = Antecedents(np.array([0, 1, 8]), np.array([-1, 0, 0, 0, 0, 0, 0, -1]), np.append(0.0, logits))
    moved = SEVERAL[3].apply(one, np.array([0, 0])).logits[1:7]
    assert np.isfinite(moved).all()
    assert (np.diff(moved[np.argsort(logits[:6])]) >= -1e-9).all()


def test_logits_of_minus_infinity_stay_impossible() -> None:
    antecedents = two_mentions(-np.inf, 0.0)
    for recalibration in SEVERAL:
        assert antecedent_probabilities(recalibration.apply(antecedents, np.array([0, 0])))[1] < 1e-250


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "must have format 'credence-recalibration-1'; got None"),
        ({"format": "credence-recalibration-9"}, "got 'credence-recalibration-9'"),
        ({**Identity().to_json(), "kind": "magic"}, "kind of recalibration must be one of identity"),
        ({**Identity().to_json(), "parameters": [1]}, "must be a mapping; got"),
        ({**Temperature(1.0).to_json(), "parameters": {}}, "do not fit a recalibration of kind temperature"),
        ({**Temperature(1.0).to_json(), "parameters": {"scale": "hot"}}, "scale must be finite numbers"),
        ({**Temperature(1.0).to_json(), "parameters": {"scale": -1.0}}, "scale must be above 0"),
    ],
)
def test_what_is_not_a_recalibration_is_refused(content: object, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_recalibration(content)


def test_parameters_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="groups must give each of 20 mention types a number below 1"):
        TypeScaling(TWO_GROUPS, (1.0,), (0.0,))
    with pytest.raises(ValueError, match="2 scales and 1 new_shifts differ"):
        TypeScaling(TWO_GROUPS, (1.0, 1.0), (0.0,))
    with pytest.raises(ValueError, match="link_from must increase"):
        MonotoneProbabilities((0.5, 0.4), (0.1, 0.2), (0.5,), (0.5,))
    with pytest.raises(ValueError, match="must lie in"):
        MonotoneProbabilities((0.5,), (0.0,), (0.5,), (0.5,))


def test_kinds_that_do_not_fit_the_mentions_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry per mention, 2; got shape"):
        Identity().apply(two_mentions(0.0, 0.0), np.array([0]))
    with pytest.raises(ValueError, match=r"must lie in \[0, 20\); got 0 to 20"):
        Temperature(1.0).apply(two_mentions(0.0, 0.0), np.array([0, 20]))
