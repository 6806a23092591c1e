"""What the antecedent model says about one document, in the form that inference and event counts read."""

from dataclasses import dataclass

from calib_core.arrays import Floats, Ints

NEW = -1
"""Candidate id of "starts a new entity"."""


@dataclass(frozen=True, slots=True)
class Antecedents:
    """Candidates and their logits, ragged: mention j owns entries `offsets[j]:offsets[j + 1]`.

    Attributes
    ----------
    offsets : shape (n_mentions + 1,)
        Starts at 0, never decreases.
    candidates : shape (n_entries,)
        Each an earlier mention (0 ≤ candidate < j) or `NEW`; NEW is the last entry of every mention.
    logits : shape (n_entries,)
        Unnormalised log-probabilities; a softmax over a mention's entries gives P(antecedent).
    """

    offsets: Ints
    candidates: Ints
    logits: Floats

    def __len__(self) -> int:
        """Number of mentions."""
        return len(self.offsets) - 1
