"""What experiment `loops` measures: forecasts of both graphs' events, under draws of pictures.

Covers: groups of features, Figures 2 and 3.
Not here: the graphs (`scenes`, `snakes`), the claims and the page (`page`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats
from reproductions.findings import Progress
from reproductions.resampling import draw_times
from reproductions.structured.events import Events, K, Parts, Scored, by_features, drawn_parts, forecast, scored

SCENES, SNAKES, ONE = "scenes: this tag", "snakes: this label", "one feature"
SCENE_GROUPS: Mapping[str, Sequence[str]] = {
    "none: tag alone": ["alone"],
    "MAP: tag, on or off": ["label", "on"],
    "MAP: pseudomargin": ["pseudo"],
    "MAP: all": ["label", "on", "pseudo"],
    "marginals: mean field": ["field"],
    "marginals: exact": ["exact"],
    "all": ["alone", "label", "on", "pseudo", "field", "exact"],
}
SNAKE_GROUPS: Mapping[str, Sequence[str]] = {
    "none: cell alone": ["alone"],
    "MAP: frequency, neighbours, label": ["frequency", "neighbours", "label"],
    "MAP: pseudomargin": ["pseudo"],
    "MAP: all": ["frequency", "neighbours", "label", "pseudo"],
    "marginals: mean field": ["field"],
    "marginals: mean field, concordance": ["field", "concordance"],
    "all": ["alone", "frequency", "neighbours", "label", "pseudo", "field", "concordance"],
}


@dataclass(frozen=True, slots=True)
class Task:
    """Events to fit on and to test on, and the groups of features."""

    fit: Events
    test: Events
    groups: Mapping[str, Sequence[str]]


SIMPLE = "field"
"""The one feature of Figure 2: the margin of mean-field marginals."""


@dataclass(frozen=True)
class Measured:
    """One graph: the test events, and the forecasts of each way to a probability."""

    test: Events
    ways: dict[str, Floats]

    def scored(self) -> dict[str, Scored]:
        """The loss and all its parts of each way."""
        return {name: scored(pred, self.test.holds) for name, pred in self.ways.items()}

    def parts(self) -> dict[str, Parts]:
        """The same under draws of pictures."""
        times = draw_times(len(np.unique(self.test.example)))
        return {name: drawn_parts(pred, self.test, times) for name, pred in self.ways.items()}


def measure(tasks: Mapping[str, Task], progress: Progress) -> dict[str, Measured]:
    """Recalibrate the events of each graph by one feature and by each group."""
    progress.stage("recalibrating", len(tasks))
    found = {}
    for name, task in tasks.items():
        simple = forecast(task.fit, task.test, [SIMPLE], method="knn", size=K)
        found[name] = Measured(task.test, {ONE: simple, **by_features(task.fit, task.test, task.groups)})
        progress.advance(name)
    return found
