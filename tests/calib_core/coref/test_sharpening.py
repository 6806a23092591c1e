"""Scale and NEW shift: fitted where the truth is known, applied to the logits."""

import numpy as np
import pytest

from calib_core.coref import Antecedents, pair_marginals, sample_clusterings
from calib_core.coref.model.sharpening import fit_sharpness, sharpened


def test_new_gets_the_shift_and_all_the_scale(random_antecedents) -> None:
    before = random_antecedents(3)
    after = sharpened(before, 2.0, 0.5)
    new = before.candidates < 0
    np.testing.assert_allclose(after.logits[new], 2 * before.logits[new] + 0.5)
    np.testing.assert_allclose(after.logits[~new], 2 * before.logits[~new])


def test_a_model_that_is_too_flat_is_sharpened_back(random_antecedents) -> None:
    """Clusterings are sampled from the true logits; the fit sees them divided by 1.5, less 0.4 for NEW."""
    held_out = []
    for seed in range(60):
        true = random_antecedents(25, seed)
        flat = sharpened(true, 1 / 1.5, -0.4)
        held_out.append((flat, sample_clusterings(true, 1, key=seed)[0].astype(np.int64)))
    scale, shift = fit_sharpness(held_out)
    assert scale == pytest.approx(1.5, abs=0.25)
    assert shift == pytest.approx(0.6, abs=0.35)


def test_documents_without_pairs_leave_the_logits_alone() -> None:
    one = Antecedents(np.array([0, 1]), np.array([-1]), np.zeros(1))
    assert fit_sharpness([(one, np.array([0]))]) == (1.0, 0.0)
    assert pair_marginals(sharpened(one, 3.0, 1.0)).tolist() == [[1.0]]
