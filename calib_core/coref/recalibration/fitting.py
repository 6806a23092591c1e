"""Fit a recalibration of antecedent distributions to documents that the model was not trained on.

Covers: one temperature; temperature and NEW shift; both by group of mention types; rising curves on probabilities.
Not here: which of them to choose (`choice`), the losses (`model.held_out`).

Forms with one or two numbers are fitted by the log-loss of the exact pair probabilities, which is what samples and
counts follow. Forms with many are fitted by the likelihood of the antecedents, whose slope costs little.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression

from calib_core.arrays import Bools, Floats
from calib_core.coref.mentions import lexicon as lx
from calib_core.coref.model.held_out import HeldOut, antecedent_slope, correct_entries, owners, pair_loss
from calib_core.coref.model.sharpening import fit_sharpness
from calib_core.coref.posterior.marginals import antecedent_probabilities
from calib_core.coref.recalibration.forms import (
    Identity,
    MonotoneProbabilities,
    Recalibration,
    Temperature,
    TypeScaling,
)

GROUPS: dict[str, tuple[int, ...]] = {
    "names": (lx.PROPER,),
    "definite nouns": (lx.DEFINITE, lx.DEMONSTRATIVE, lx.POSSESSED),
    "other nouns": (lx.INDEFINITE, lx.BARE, lx.QUANTIFIED, lx.QUANTITY, lx.COORDINATED),
    "I, you, we": (lx.I_, lx.YOU, lx.WE),
    "he, she, they": (lx.HE, lx.SHE, lx.THEY),
    "it, this, other pronouns": (lx.IT, lx.THIS, lx.THAT, lx.REFLEXIVE_OTHER, lx.INDEFINITE_PRONOUN),
}
"""Mention types that are recalibrated alike: single types are too rare to fit."""

GROUP_OF_TYPE = tuple(
    next(number for number, kinds in enumerate(GROUPS.values()) if kind in kinds) for kind in range(lx.N_TYPES)
)
"""Position in `GROUPS` of each mention type."""

_ALL_ALIKE = (0,) * lx.N_TYPES
_PULL = 5.0  # strength, in mentions, of the prior of no change: it matters only if a group is nearly absent
_LEAST = 1e-4  # the lowest corner of a curve: below it probabilities keep their ratio
_CORNERS = 25
_TINY = 1e-12

Fit = Callable[[Sequence[HeldOut]], Recalibration]


def fit_identity(documents: Sequence[HeldOut]) -> Recalibration:  # noqa: ARG001 - one signature for all forms
    """No change: the form that every other one has to beat."""
    return Identity()


def fit_temperature(documents: Sequence[HeldOut]) -> Recalibration:
    """The one scale of all logits that minimises the log-loss of the pairs."""

    def loss(log_scale: float) -> float:
        recalibration = Temperature(float(np.exp(log_scale)))
        return sum(pair_loss(document.recalibrated(recalibration)) for document in documents)

    found = minimize_scalar(loss, bounds=(-1.5, 1.5), method="bounded", options={"xatol": 2e-3})
    return Temperature(round(float(np.exp(found.x)), 4))


def fit_sharpening(documents: Sequence[HeldOut]) -> Recalibration:
    """Scale and NEW shift, the same for all mentions, that minimise the log-loss of the pairs."""
    scale, shift = fit_sharpness([(document.antecedents, document.entities) for document in documents])
    return TypeScaling(_ALL_ALIKE, (max(scale, 0.05),), (shift,))


def fit_type_scaling(documents: Sequence[HeldOut]) -> Recalibration:
    """Scale and NEW shift of each group of mention types that maximise the likelihood of the antecedents."""
    n_groups = len(GROUPS)
    rights = [correct_entries(document.antecedents, document.entities) for document in documents]
    n_mentions = max(1, sum(len(document.kinds) for document in documents))

    def loss(theta: Floats) -> tuple[float, Floats]:
        value, slope = 0.5 * _PULL * float(theta @ theta), _PULL * theta
        for document, right in zip(documents, rights, strict=True):
            part, by_theta = _scaled_loss(document, right, theta)
            value, slope = value + part, slope + by_theta
        return value / n_mentions, slope / n_mentions

    bounds = [(-1.5, 1.5)] * n_groups + [(-3.0, 3.0)] * n_groups
    found = minimize(loss, np.zeros(2 * n_groups), jac=True, method="L-BFGS-B", bounds=bounds)
    scales, shifts = np.exp(found.x[:n_groups]), found.x[n_groups:]
    return TypeScaling(GROUP_OF_TYPE, tuple(np.round(scales, 4).tolist()), tuple(np.round(shifts, 4).tolist()))


def _scaled_loss(document: HeldOut, right: Bools, theta: Floats) -> tuple[float, Floats]:
    """Loss of the antecedents under log-scales and shifts by group, and its slope by both."""
    antecedents, n_groups = document.antecedents, len(theta) // 2
    group = np.array(GROUP_OF_TYPE, dtype=np.int64)[document.kinds]
    scale, new = np.exp(theta[:n_groups])[group], antecedents.offsets[1:] - 1
    logits = antecedents.logits * np.repeat(scale, np.diff(antecedents.offsets))
    logits[new] += theta[n_groups:][group]
    slope = np.empty(len(logits))
    value = antecedent_slope(antecedents.offsets, logits, right, slope)
    by_scale = np.bincount(owners(antecedents), slope * antecedents.logits, len(group)) * scale
    by_group = [np.bincount(group, part, n_groups) for part in (by_scale, slope[new])]
    return value, np.concatenate(by_group)


def fit_monotone(documents: Sequence[HeldOut]) -> Recalibration:
    """Isotonic curves from predicted to observed probability, one for antecedents and one for NEW.

    Nobody annotates which of several right antecedents is "the" antecedent, so each counts by the share that the model
    itself gives it among the right ones. If the model is right, these shares average to its probabilities.
    """
    stated, observed, is_new = [], [], []
    for document in documents:
        antecedents = document.antecedents
        p, owner = antecedent_probabilities(antecedents), owners(antecedents)
        right = correct_entries(antecedents, document.entities)
        total = np.bincount(owner, p * right, len(antecedents))
        stated.append(p)
        observed.append(np.where(right, p / np.maximum(total[owner], _TINY), 0.0))
        is_new.append(antecedents.candidates < 0)
    if not stated:
        return MonotoneProbabilities((1.0,), (1.0,), (1.0,), (1.0,))
    x, y, new = np.concatenate(stated), np.concatenate(observed), np.concatenate(is_new)
    return MonotoneProbabilities(*_curve(x[~new], y[~new]), *_curve(x[new], y[new]))


def _curve(x: Floats, y: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Corners of the isotonic fit, evenly spaced in log-odds over the range of the predictions."""
    corners = np.round(expit(np.linspace(logit(_LEAST), -logit(_LEAST), _CORNERS)), 6)
    corners = corners[(corners >= x.min(initial=1.0)) & (corners <= x.max(initial=0.0))]
    if not len(corners):
        return (1.0,), (1.0,)
    inside = x >= corners[0]
    fitted = IsotonicRegression(y_min=_LEAST / 10, y_max=1.0, out_of_bounds="clip").fit(x[inside], y[inside])
    return tuple(corners.tolist()), tuple(np.round(fitted.predict(corners), 8).tolist())


FITS: dict[str, Fit] = {
    "identity": fit_identity,
    "temperature": fit_temperature,
    "sharpening": fit_sharpening,
    "type_scaling": fit_type_scaling,
    "monotone_probabilities": fit_monotone,
}
"""Every way of fitting a recalibration, from few parameters to many."""
