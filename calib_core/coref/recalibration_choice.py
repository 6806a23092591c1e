"""Choose a repair and judge it, so that no document judges what it helped to fit or to choose.

Covers: rotating documents through fitting, choosing and judging; the final fit.
Not here: the fits (`recalibration_fitting`).

The documents fall into K parts. In rotation r, part r judges, part r + 1 chooses, the others fit: every form is fitted
to them, the one with the smallest log-loss of the pairs on part r + 1 is taken and fitted again to all but part r, and
part r is repaired with that. So each document is repaired by something it had no say in. What is published is the form
with the smallest sum of choosing losses, fitted to all documents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.held_out import HeldOut, pair_loss
from calib_core.coref.recalibration import Recalibration
from calib_core.coref.recalibration_fitting import FITS

LEAST_GAIN = 1e-4
"""Relative fall of the loss below which a form is not worth its parameters: the simpler one is kept."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """What one rotation found.

    Attributes
    ----------
    losses : dict
        Log-loss of a pair on the choosing part, by form.
    chosen : str
        The form taken.
    repair : Recalibration
        That form fitted to all parts but the judging one.
    """

    losses: dict[str, float]
    chosen: str
    repair: Recalibration


@dataclass(frozen=True, slots=True)
class Choice:
    """The published repair, and the honest repair of each document.

    Attributes
    ----------
    form : str
    repair : Recalibration
        Fitted to all documents.
    part : shape (n_documents,)
        The rotation that judged each document.
    rotations : tuple of Rotation
    losses : dict
        Mean over rotations of the choosing losses, by form.
    """

    form: str
    repair: Recalibration
    part: Ints
    rotations: tuple[Rotation, ...]
    losses: dict[str, float]

    def repair_of(self, document: int) -> Recalibration:
        """The repair that this document, by its position, had no say in."""
        return self.rotations[int(self.part[document])].repair


Map = Callable[[Callable[[int], Rotation], Sequence[int]], Sequence[Rotation]]
"""How to run the rotations: `map`, or something that spreads them over machines."""


def parts_of(n_documents: int, n_parts: int, *, seed: int = 0) -> Ints:
    """A part for each document: random, of sizes that differ by at most one."""
    if not 3 <= n_parts <= n_documents:
        raise ValueError(f"parts must number at least 3 and at most the documents, {n_documents}; got {n_parts}")
    return np.random.default_rng([seed, n_parts, n_documents]).permutation(n_documents) % n_parts


def rotate(documents: Sequence[HeldOut], part: Ints, rotation: int) -> Rotation:
    """Fit, choose and fit again, without the documents of one part."""
    n_parts = int(part.max()) + 1
    chooses = (rotation + 1) % n_parts
    fitting = [documents[d] for d in np.flatnonzero((part != rotation) & (part != chooses))]
    choosing = [documents[d] for d in np.flatnonzero(part == chooses)]
    losses = {name: mean_pair_loss(choosing, fit(fitting)) for name, fit in FITS.items()}
    chosen = simplest_of_best(losses)
    repair = FITS[chosen]([documents[d] for d in np.flatnonzero(part != rotation)])
    return Rotation(losses, chosen, repair)


def choose(
    documents: Sequence[HeldOut], *, n_parts: int = 5, seed: int = 0, rotations: Sequence[Rotation] | None = None
) -> Choice:
    """Rotate through all parts, unless that has been done elsewhere, and fit the best form to all documents."""
    part = parts_of(len(documents), n_parts, seed=seed)
    done = tuple(rotations if rotations is not None else (rotate(documents, part, r) for r in range(n_parts)))
    losses = {name: float(np.mean([one.losses[name] for one in done])) for name in FITS}
    form = simplest_of_best(losses)
    return Choice(form, FITS[form](documents), part, done, losses)


def mean_pair_loss(documents: Sequence[HeldOut], repair: Recalibration) -> float:
    """Log-loss of a pair under a repair."""
    n_pairs = max(1, sum(document.n_pairs for document in documents))
    return sum(pair_loss(document.repaired(repair)) for document in documents) / n_pairs


def simplest_of_best(losses: dict[str, float]) -> str:
    """The first form, from few parameters to many, whose loss no later one beats by more than `LEAST_GAIN`."""
    names = list(losses)
    for number, name in enumerate(names):
        if all(losses[later] > losses[name] * (1 - LEAST_GAIN) for later in names[number + 1 :]):
            return name
    return names[-1]
