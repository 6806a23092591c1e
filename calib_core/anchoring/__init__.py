"""Counts whose intervals hold whatever the models do: draw a sample of documents, label it, anchor the counts.

| question | function |
|---|---|
| Which documents should be labelled? | `permanent_numbers`, `score_spread`, `draw` |
| In what order, so that one may stop early? | `entry_budgets` |
| What will so many labels buy? | `expected_width` |
| Which documents report the same story? | `stories` |
| How do the labels repair the model's probabilities? | `recalibrated` |
| What are the counts, by the sampling design alone, whatever the model got wrong? | `anchored_counts` |
| And of cells with few labels, by a model? | `pooled_draws` |
| How do the counts of groups vary together? | `covariance`, `design_draws` |
| All of it at once? | `LabelledRows` |
| What can the documents hide that nobody read? | `cold_ceiling`, `most_hidden` |
| How far do coders agree? | `coder_agreement`, `krippendorff_alpha` |
"""

from calib_core.anchoring.agreement import MISSING, Agreement, coder_agreement, krippendorff_alpha
from calib_core.anchoring.cold import ColdStratum, cold_ceiling, cold_estimate, fewest_hidden, most_hidden, no_cold
from calib_core.anchoring.combined import LabelledRows
from calib_core.anchoring.design import (
    COLD,
    GATE,
    WARM,
    Design,
    Draw,
    Earlier,
    allocate,
    budget_steps,
    draw,
    entry_budgets,
    inclusion,
    permanent_numbers,
    score_spread,
)
from calib_core.anchoring.difference import Sampled, covariance, group_totals, variance
from calib_core.anchoring.interval import Anchored, anchored_counts
from calib_core.anchoring.joint import design_draws
from calib_core.anchoring.planning import expected_width
from calib_core.anchoring.pooled import hidden_draws, pooled_draws
from calib_core.anchoring.recalibrated import Recalibration, recalibrated, story_folds
from calib_core.anchoring.stories import stories

__all__ = [
    "COLD",
    "GATE",
    "MISSING",
    "WARM",
    "Agreement",
    "Anchored",
    "ColdStratum",
    "Design",
    "Draw",
    "Earlier",
    "LabelledRows",
    "Recalibration",
    "Sampled",
    "allocate",
    "anchored_counts",
    "budget_steps",
    "coder_agreement",
    "cold_ceiling",
    "cold_estimate",
    "covariance",
    "design_draws",
    "draw",
    "entry_budgets",
    "expected_width",
    "fewest_hidden",
    "group_totals",
    "hidden_draws",
    "inclusion",
    "krippendorff_alpha",
    "most_hidden",
    "no_cold",
    "permanent_numbers",
    "pooled_draws",
    "recalibrated",
    "score_spread",
    "stories",
    "story_folds",
    "variance",
]
