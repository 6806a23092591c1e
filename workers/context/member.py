"""One member of an ensemble: a scorer, and its own weights of the encoder's adapters."""

from typing import NamedTuple

from torch import Tensor

from workers.context.scorer import Scorer


class Member(NamedTuple):
    """What one training gives.

    Attributes
    ----------
    scorer : Scorer
    adapters : dict
        By the names of `adapters.adapter_weights`.
    """

    scorer: Scorer
    adapters: dict[str, Tensor]
