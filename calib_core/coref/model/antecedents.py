"""What the antecedent model says about one document, in the form that inference and event counts read."""

from dataclasses import dataclass

import numpy as np

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

    def __post_init__(self) -> None:
        """Refuse what the compiled kernels would read past or misread."""
        if (
            not len(self.offsets)
            or self.offsets[-1] != len(self.candidates)
            or len(self.candidates) != len(self.logits)
        ):
            raise ValueError(
                f"offsets must end at the number of entries; got {self.offsets[-1:]} for {len(self.candidates)} "
                f"candidates and {len(self.logits)} logits"
            )
        if np.isnan(self.logits).any():
            raise ValueError(f"logits must not be NaN; entry {int(np.isnan(self.logits).argmax())} is")

    def __len__(self) -> int:
        """Number of mentions."""
        return len(self.offsets) - 1
