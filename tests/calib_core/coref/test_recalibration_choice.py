"""No document judges what it helped to fit or to choose."""

import numpy as np
import pytest

from calib_core.coref.model.held_out import HeldOut, pair_loss
from calib_core.coref.recalibration.choice import best_form, choose, gains_of, parts_of, two_parts
from calib_core.coref.recalibration.fitting import FITS
from calib_core.coref.recalibration.forms import Temperature
from tests.calib_core.coref.synthetic import drawn_documents, seen_through

NAMES = list(FITS)


def test_gain_and_error_by_hand() -> None:
    """Two documents of ten pairs; the second form saves 1 and 3: 0.2 a pair, error sqrt(2 · 2) / 20 = 0.1."""
    losses = np.zeros((len(FITS), 2))
    losses[:, :] = [[5.0, 5.0]] * len(FITS)
    losses[1] = [4.0, 2.0]
    gains = gains_of(losses, np.array([10.0, 10.0]))
    assert gains[NAMES[1]] == pytest.approx((0.2, 0.1))
    assert gains[NAMES[0]] == (0.0, 0.0)


def test_the_best_of_the_sure_ones_is_taken_else_no_change() -> None:
    unsure = dict.fromkeys(NAMES, (0.5, 0.6))
    assert best_form(unsure) == "identity"
    assert best_form(unsure | {"temperature": (0.2, 0.1), "sharpening": (0.3, 0.2)}) == "sharpening"


def test_parts_are_even_and_refused_where_there_are_too_few_documents() -> None:
    assert sorted(np.bincount(parts_of(11, 3)).tolist()) == [3, 4, 4]
    with pytest.raises(ValueError, match="at least 3 and at most the documents, 4; got 5"):
        parts_of(4, 5)


def test_every_two_parts_come_once() -> None:
    assert two_parts(3) == [(0, 1), (0, 2), (1, 2)]


@pytest.mark.slow
def test_distorted_documents_are_mended_by_repairs_that_they_had_no_say_in() -> None:
    documents = seen_through(drawn_documents(24, n_mentions=20, seed=1), Temperature(2.0))
    part = parts_of(len(documents), 3)
    choice = choose(documents, part)
    assert choice.form != "identity"
    before = sum(pair_loss(document) for document in documents)
    after = sum(pair_loss(document.recalibrated(choice.recalibration_of(d))) for d, document in enumerate(documents))
    assert after < 0.95 * before


@pytest.mark.slow
def test_what_annotators_say_of_a_document_does_not_touch_its_own_repair() -> None:
    documents = seen_through(drawn_documents(12, n_mentions=15, seed=2), Temperature(1.7))
    part = parts_of(len(documents), 3)
    before = choose(documents, part).recalibration_of(4)
    one = documents[4]
    documents[4] = HeldOut(one.antecedents, one.kinds, np.zeros_like(one.entities))
    assert choose(documents, part).recalibration_of(4) == before
