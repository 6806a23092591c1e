"""Fits find the distortion of documents that are drawn from a known distribution."""

import numpy as np
import pytest

from calib_core.coref.model.held_out import HeldOut, antecedent_loss, pair_loss
from calib_core.coref.recalibration.fitting import (
    FITS,
    GROUP_OF_TYPE,
    GROUPS,
    fit_monotone,
    fit_sharpening,
    fit_temperature,
    fit_type_scaling,
)
from calib_core.coref.recalibration.forms import Identity, Temperature, TypeScaling
from tests.calib_core.coref.synthetic import drawn_documents, seen_through


@pytest.fixture(scope="module")
def documents() -> list[HeldOut]:
    return drawn_documents(60)


def test_temperature_undoes_overconfidence(documents: list[HeldOut]) -> None:
    found = fit_temperature(seen_through(documents, Temperature(2.0)))
    assert isinstance(found, Temperature)
    assert found.scale == pytest.approx(0.5, abs=0.05)


def test_sharpening_undoes_a_shift_of_new(documents: list[HeldOut]) -> None:
    found = fit_sharpening(seen_through(documents, TypeScaling((0,) * 20, (1.0,), (-1.5,))))
    assert isinstance(found, TypeScaling)
    assert found.new_shifts[0] == pytest.approx(1.5, abs=0.25)
    assert found.scales[0] == pytest.approx(1.0, abs=0.1)


def test_type_scaling_undoes_distortions_by_group(documents: list[HeldOut]) -> None:
    n = len(GROUPS)
    scales, shifts = np.linspace(0.7, 1.4, n), np.linspace(-1, 1, n)
    distorted = seen_through(documents, TypeScaling(GROUP_OF_TYPE, tuple(scales), tuple(shifts)))
    found = fit_type_scaling(distorted)
    assert isinstance(found, TypeScaling)
    np.testing.assert_allclose(found.scales, 1 / scales, atol=0.25)
    gained = sum(antecedent_loss(d) - antecedent_loss(d.recalibrated(found)) for d in distorted)
    lost = sum(antecedent_loss(d) - antecedent_loss(t) for d, t in zip(distorted, documents, strict=True))
    assert gained > 0.9 * lost


def test_rising_curves_mend_overconfidence(documents: list[HeldOut]) -> None:
    distorted = seen_through(documents, Temperature(2.0))
    found = fit_monotone(distorted)
    assert sum(pair_loss(d.recalibrated(found)) for d in distorted) < 0.95 * sum(pair_loss(d) for d in distorted)


def test_nothing_to_mend_leaves_things_nearly_alone(documents: list[HeldOut]) -> None:
    found = fit_temperature(documents)
    assert isinstance(found, Temperature)
    assert found.scale == pytest.approx(1.0, abs=0.06)


@pytest.mark.parametrize("name", FITS)
def test_documents_without_mentions_can_be_fitted(name: str) -> None:
    empty = drawn_documents(1, n_mentions=0)
    assert FITS[name](empty).apply(empty[0].antecedents, empty[0].kinds).logits.shape == (0,)


def test_identity_is_first() -> None:
    assert FITS[next(iter(FITS))]([]) == Identity()
