"""Documents that a model was not trained on, and how probable it finds the annotators' answers.

Covers: which antecedents are right, log-loss of antecedents and of exact pair probabilities.
Not here: changing the logits so that the losses fall (`recalibration.fitting`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.posterior.marginals import FLOOR, pair_log_loss, pair_marginals
from calib_core.coref.recalibration.forms import Recalibration
from calib_core.kernels import kernel


@dataclass(frozen=True, slots=True)
class HeldOut:
    """One document that the model was not trained on.

    Attributes
    ----------
    antecedents : Antecedents
    kinds : shape (n_mentions,)
        Mention types.
    entities : shape (n_mentions,)
        Gold entity of each mention, -1 for none.
    """

    antecedents: Antecedents
    kinds: Ints
    entities: Ints

    def __post_init__(self) -> None:
        """Refuse arrays that are not about the same mentions."""
        n = len(self.antecedents)
        if self.kinds.shape != (n,) or self.entities.shape != (n,):
            raise ValueError(f"{n} mentions have {self.kinds.shape} kinds and {self.entities.shape} entities")

    @property
    def n_pairs(self) -> int:
        """Pairs of mentions."""
        return len(self.kinds) * (len(self.kinds) - 1) // 2

    def recalibrated(self, recalibration: Recalibration) -> "HeldOut":
        """The same document with recalibrated logits."""
        return HeldOut(recalibration.apply(self.antecedents, self.kinds), self.kinds, self.entities)


def owners(antecedents: Antecedents) -> Ints:
    """The mention that each entry belongs to, shape (n_entries,)."""
    return np.repeat(np.arange(len(antecedents)), np.diff(antecedents.offsets))


def correct_entries(antecedents: Antecedents, entities: Ints) -> Bools:
    """Which entries are right, shape (n_entries,): coreferent candidates, or NEW where there is none among them."""
    owner = owners(antecedents)
    linked = antecedents.candidates >= 0
    same = entities[np.where(linked, antecedents.candidates, 0)] == entities[owner]
    right = np.asarray(linked & (entities[owner] >= 0) & same)
    right[antecedents.offsets[1:] - 1] = np.bincount(owner[right], minlength=len(antecedents)) == 0
    return right


def pair_loss(document: HeldOut) -> float:
    """Sum over pairs of −log P(what is true of the pair), by the exact marginals."""
    return float(pair_log_loss(pair_marginals(document.antecedents), document.entities))


def antecedent_loss(document: HeldOut) -> float:
    """Sum over mentions of −log P(a right antecedent)."""
    right = correct_entries(document.antecedents, document.entities)
    logits = document.antecedents.logits
    return float(antecedent_slope(document.antecedents.offsets, logits, right, np.empty(len(logits))))


@kernel
def antecedent_slope(offsets: Ints, logits: Floats, right: Bools, slope: Floats) -> float:
    """Sum over mentions of −log P(a right entry); writes its derivative by every logit into `slope`."""
    loss = 0.0
    for j in range(len(offsets) - 1):
        start, end = offsets[j], offsets[j + 1]
        top = logits[start:end].max()
        total, good = 0.0, 0.0
        for k in range(start, end):
            slope[k] = np.exp(logits[k] - top)
            total += slope[k]
            if right[k]:
                good += slope[k]
        share = good / total
        loss -= np.log(max(share, FLOOR))
        for k in range(start, end):
            p = slope[k] / total
            slope[k] = 0.0 if share < FLOOR else p - (p / share if right[k] else 0.0)
    return loss
