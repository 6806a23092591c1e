"""Keep the few candidates of each mention that could be its antecedent, in arrays of one width.

Covers: choosing them by a first model's logits, and turning new logits for them back into antecedents.
Not here: the model that scores them again (it reads word vectors, so it lives in `workers.context`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.model.antecedents import NEW, Antecedents
from calib_core.kernels import kernel

ABSENT = -1e4
"""Log-probability of a place that holds no candidate."""


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The most probable candidates of n mentions.

    Attributes
    ----------
    candidates : shape (n_mentions, keep)
        Earlier mentions in document order; -1 after the last one.
    links : shape (n_mentions, keep)
        Log-probability of each under the first model, renormalised over what is kept; `ABSENT` where there is none.
    new : shape (n_mentions,)
        The same of NEW.
    """

    candidates: Ints
    links: Floats
    new: Floats

    def right(self, entities: Ints) -> Bools:
        """Which places are right, shape (n_mentions, keep + 1): coreferent candidates, or NEW where there is none."""
        known = (self.candidates >= 0) & (entities >= 0)[:, None]
        same = known & (entities[np.maximum(self.candidates, 0)] == entities[:, None])
        return np.concatenate([same, ~same.any(axis=1, keepdims=True)], axis=1)

    def logits(self) -> Floats:
        """Links, then NEW, shape (n_mentions, keep + 1)."""
        return np.concatenate([self.links, self.new[:, None]], axis=1)

    def antecedents(self, logits: Floats) -> Antecedents:
        """Ragged antecedents with other logits for the same places.

        Parameters
        ----------
        logits : shape (n_mentions, keep + 1)
        """
        if logits.shape != (len(self.candidates), self.candidates.shape[1] + 1):
            raise ValueError(f"logits must have shape {self.logits().shape}; got {logits.shape}")
        ids = np.concatenate([self.candidates, np.full((len(self.candidates), 1), NEW)], axis=1)
        kept = np.concatenate([self.candidates >= 0, np.ones((len(self.candidates), 1), dtype=np.bool_)], axis=1)
        offsets = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int64)
        return Antecedents(offsets, ids[kept], logits[kept].astype(np.float64))


def shortlist(antecedents: Antecedents, keep: int) -> Shortlist:
    """The `keep` candidates of each mention with the largest logits; of equal ones the nearest."""
    if keep < 1:
        raise ValueError(f"keep must be at least 1; got {keep}")
    candidates, logits = _keep(antecedents.offsets, antecedents.candidates, antecedents.logits, keep)
    links, new = logits[:, :keep], logits[:, keep]
    top = logits.max(axis=1, keepdims=True, initial=ABSENT)
    total = top[:, 0] + np.log(np.exp(logits - top).sum(axis=1))
    return Shortlist(candidates, np.where(candidates >= 0, links - total[:, None], ABSENT), new - total)


@kernel
def _keep(offsets: Ints, candidates: Ints, logits: Floats, keep: int) -> tuple[Ints, Floats]:
    n = len(offsets) - 1
    ids = np.full((n, keep), -1, dtype=np.int64)
    kept = np.full((n, keep + 1), ABSENT)
    for j in range(n):
        first, new = offsets[j], offsets[j + 1] - 1
        kept[j, keep] = logits[new]
        threshold, spare = _threshold(logits[first:new], keep)
        at = min(keep, new - first)
        for k in range(new - 1, first - 1, -1):
            if logits[k] > threshold or (logits[k] == threshold and spare > 0):
                spare -= logits[k] == threshold
                at -= 1
                ids[j, at], kept[j, at] = candidates[k], logits[k]
    return ids, kept


@kernel
def _threshold(logits: Floats, keep: int) -> tuple[float, int]:
    """The smallest logit to be kept, and how many that equal it."""
    if len(logits) <= keep:
        return -np.inf, len(logits)
    ordered = np.sort(logits)
    threshold = ordered[len(logits) - keep]
    above = 0
    for value in logits:
        above += value > threshold
    return threshold, keep - above
