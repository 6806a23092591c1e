"""Choose a recalibration and judge it, so that no document judges what it helped to fit or choose.

Covers: rotating documents through fitting, choosing and judging; the final fit.
Not here: the fits (`fitting`).

The documents are split into K parts. For every two parts, each form is fitted to all others and measured on these two.
When part r judges, the other parts choose: each was measured under fits that saw neither it nor part r. The chosen form
is fitted again to all but part r, and part r is recalibrated with that. So each document is recalibrated by something
it had no say in. What is published is chosen by all parts and fitted to all documents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.model.held_out import HeldOut, pair_loss
from calib_core.coref.recalibration.fitting import FITS
from calib_core.coref.recalibration.forms import Recalibration

TwoParts = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Choice:
    """The published recalibration, and the held-out recalibration of each document.

    Attributes
    ----------
    form : str
        Its name in `FITS`.
    recalibration : Recalibration
        Fitted to all documents.
    part : shape (n_documents,)
        The part that each document is in.
    forms, recalibrations : tuple, one entry per part
        What the other parts chose, fitted to them.
    gains : dict
        By form: the log-loss per pair that it saves on documents it was not fitted to, and the standard error.
    """

    form: str
    recalibration: Recalibration
    part: Ints
    forms: tuple[str, ...]
    recalibrations: tuple[Recalibration, ...]
    gains: dict[str, tuple[float, float]]

    def recalibration_of(self, document: int) -> Recalibration:
        """The recalibration that this document, by its position, had no say in."""
        return self.recalibrations[int(self.part[document])]


def parts_of(n_documents: int, n_parts: int, *, seed: int = 0) -> Ints:
    """A random part for each document; sizes differ by at most one."""
    if not 3 <= n_parts <= n_documents:
        raise ValueError(f"parts must number at least 3 and at most the documents, {n_documents}; got {n_parts}")
    return np.random.default_rng([seed, n_parts, n_documents]).permutation(n_documents) % n_parts


def two_parts(n_parts: int) -> list[TwoParts]:
    """Every two parts."""
    return list(combinations(range(n_parts), 2))


def losses_without(documents: Sequence[HeldOut], part: Ints, two: TwoParts) -> Floats:
    """Pair losses, shape (n_forms, n_documents), of the documents of two parts under fits to all others; else 0."""
    outside = np.flatnonzero(np.isin(part, two)).tolist()
    fitting = _at(documents, ~np.isin(part, two))
    losses = np.zeros((len(FITS), len(documents)))
    for number, fit in enumerate(FITS.values()):
        recalibration = fit(fitting)
        for d in outside:
            losses[number, d] = pair_loss(documents[d].recalibrated(recalibration))
    return losses


def choose(documents: Sequence[HeldOut], part: Ints, losses: Mapping[TwoParts, Floats] | None = None) -> Choice:
    """For each part let the others choose; let all of them choose what is published.

    Parameters
    ----------
    documents : sequence of HeldOut
    part : shape (n_documents,)
        From `parts_of`.
    losses : mapping, optional
        What `losses_without` gave for every two parts, if computed elsewhere.
    """
    n_parts = int(part.max()) + 1
    measured = losses or {two: losses_without(documents, part, two) for two in two_parts(n_parts)}
    n_pairs = np.array([document.n_pairs for document in documents], dtype=np.float64)
    forms = []
    for judging in range(n_parts):
        seen = sum(table for two, table in measured.items() if judging in two)
        choosing = part != judging
        forms.append(best_form(gains_of(np.asarray(seen)[:, choosing], n_pairs[choosing])))
    mean = sum(measured.values()) / (n_parts - 1)
    gains = gains_of(np.asarray(mean), n_pairs)
    recalibrations = tuple(FITS[form](_at(documents, part != judging)) for judging, form in enumerate(forms))
    return Choice(best_form(gains), FITS[best_form(gains)](documents), part, tuple(forms), recalibrations, gains)


def _at(documents: Sequence[HeldOut], where: Bools) -> list[HeldOut]:
    return [documents[d] for d in np.flatnonzero(where).tolist()]


def gains_of(losses: Floats, n_pairs: Floats) -> dict[str, tuple[float, float]]:
    """What each form saves against the first (no change), per pair, with its standard error over documents.

    Parameters
    ----------
    losses : shape (n_forms, n_documents)
        Sums over the pairs of each document.
    n_pairs : shape (n_documents,)
    """
    total, n = max(1.0, float(n_pairs.sum())), losses.shape[1]
    saved = losses[0] - losses
    # residuals of a ratio: documents of many pairs weigh more, and the error must know
    residual = saved - np.outer(saved.sum(axis=1) / total, n_pairs)
    error = np.sqrt((residual**2).sum(axis=1) * n / max(1, n - 1)) / total
    return {
        name: (float(gain), float(one)) for name, gain, one in zip(FITS, saved.sum(axis=1) / total, error, strict=True)
    }


def best_form(gains: Mapping[str, tuple[float, float]]) -> str:
    """The form that saves most among those that save more than one standard error; otherwise no change."""
    sure = {name: gain for name, (gain, error) in gains.items() if gain > error}
    return max(sure, key=lambda name: sure[name]) if sure else next(iter(FITS))
