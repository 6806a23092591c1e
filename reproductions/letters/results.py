"""What experiment `letters` found, and the figures that its claims are about.

Covers: the forecasts of all test events, their losses under draws of words.
Not here: training (`experiment`), the claims (`claims`), the page (`page`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats
from reproductions.resampling import draw_times
from reproductions.structured.events import OWN, Events, Parts, Scored, drawn_parts, scored

WORD, LETTER, ONE = "the word is right", "the letter is right", "one feature"


@dataclass(frozen=True)
class Results:
    """Test events with the forecasts of each way to a probability."""

    l2: float
    n_known: int
    """Words of the dictionary."""
    test: dict[str, Events]
    simple: dict[str, Floats]
    """Figure 2."""
    forecasts: dict[str, dict[str, Floats]]
    """Figure 3."""
    sizes: dict[tuple[str, int], tuple[float, float]]
    """Figure 4."""

    def scored(self, kind: str) -> dict[str, Scored]:
        """The loss and all its parts of each way."""
        ways = {OWN: self.test[kind].raw, ONE: self.simple[kind], **self.forecasts[kind]}
        return {name: scored(pred, self.test[kind].holds) for name, pred in ways.items()}

    def parts(self, kind: str) -> dict[str, Parts]:
        """The same under draws of words."""
        events = self.test[kind]
        times = draw_times(len(np.unique(events.example)))
        ways = {OWN: events.raw, ONE: self.simple[kind], **self.forecasts[kind]}
        return {name: drawn_parts(pred, events, times) for name, pred in ways.items()}
