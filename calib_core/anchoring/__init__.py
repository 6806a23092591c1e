"""Counts whose intervals hold whatever the models do: draw a sample of documents, label it, anchor the counts.

| question | function |
|---|---|
| Which documents should be labelled? | `permanent_numbers`, `score_spread`, `draw` |
| How do the labels repair the model's probabilities? | `recalibrated` |
| What are the counts, by the sampling design alone, whatever the model got wrong? | `anchored_counts` |
| And of cells with few labels, by a model? | `pooled_draws` |
| How do the counts of groups vary together? | `covariance` |
| What can the documents hide that nobody read? | `cold_ceiling`, `most_hidden` |
"""

from calib_core.anchoring.cold import ColdStratum, cold_ceiling, cold_estimate, fewest_hidden, most_hidden, no_cold
from calib_core.anchoring.design import (
    COLD,
    GATE,
    WARM,
    Design,
    Draw,
    allocate,
    draw,
    inclusion,
    permanent_numbers,
    score_spread,
)
from calib_core.anchoring.difference import Sampled, covariance, group_totals, variance
from calib_core.anchoring.interval import Anchored, anchored_counts
from calib_core.anchoring.pooled import pooled_draws
from calib_core.anchoring.recalibrated import Recalibration, recalibrated, story_folds

__all__ = [
    "COLD",
    "GATE",
    "WARM",
    "Anchored",
    "ColdStratum",
    "Design",
    "Draw",
    "Recalibration",
    "Sampled",
    "allocate",
    "anchored_counts",
    "cold_ceiling",
    "cold_estimate",
    "covariance",
    "draw",
    "fewest_hidden",
    "group_totals",
    "inclusion",
    "most_hidden",
    "no_cold",
    "permanent_numbers",
    "pooled_draws",
    "recalibrated",
    "score_spread",
    "story_folds",
    "variance",
]
