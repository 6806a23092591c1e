"""Make antecedent distributions as sharp as the data justify: one scale for all logits, one shift for NEW.

Covers: fitting the two numbers to documents that the weights were not trained on, by the log-loss of the exact pair
marginals, and applying them.
Not here: recalibrating the pair probabilities themselves (`calib_core.calibration`), which would not affect samples.

A model trained by likelihood needs neither (on OntoGUM the fit stays near 1 and 0); one trained with margin costs or
with a strong penalty does. The two numbers act on the logits, so samples and counts change with the marginals.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from calib_core.arrays import Floats, Ints
from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.posterior.marginals import pair_log_loss, pair_marginals

LabelledAntecedents = Sequence[tuple[Antecedents, Ints]]
"""Antecedents of documents, and the gold entity of each mention (-1 for none)."""


def sharpened(antecedents: Antecedents, scale: float, new_shift: float) -> Antecedents:
    """The same candidates with logits times `scale`, and `new_shift` added to those of NEW."""
    logits = antecedents.logits * scale
    logits[antecedents.offsets[1:] - 1] += new_shift
    return Antecedents(antecedents.offsets, antecedents.candidates, logits)


def fit_sharpness(held_out: LabelledAntecedents, *, tolerance: float = 0.01) -> tuple[float, float]:
    """Scale and NEW shift that minimise the log-loss of all pairs of the held-out documents.

    Parameters
    ----------
    held_out : LabelledAntecedents
    tolerance : float
        Both numbers are found to about this.
    """
    n_pairs = sum(len(entities) * (len(entities) - 1) // 2 for _, entities in held_out)
    if n_pairs == 0:
        return 1.0, 0.0

    def loss(point: Floats) -> float:
        return sum(pair_log_loss(pair_marginals(sharpened(a, *point)), entities) for a, entities in held_out) / n_pairs

    start = np.array([[1.0, 0.0], [1.2, 0.0], [1.0, -0.4]])
    found = minimize(
        loss, start[0], method="Nelder-Mead", options={"initial_simplex": start, "xatol": tolerance, "fatol": 1e-6}
    )
    scale, shift = found.x
    return round(float(scale), 3), round(float(shift), 3)
