"""Doubt about syntax: a distribution over the trees of a sentence, exact probabilities, independent samples."""

from calib_core.syntax.arcs import Arcs, Relations
from calib_core.syntax.document_trees import DocumentTrees
from calib_core.syntax.drawn_documents import sampled_documents
from calib_core.syntax.marginals import arc_marginals, log_partition, tree_log_probability
from calib_core.syntax.sampling import sample_relations, sample_trees, sentence_key
from calib_core.syntax.temperature import (
    ArcTemperatures,
    arc_log_loss,
    fit_arc_temperatures,
    fit_relation_temperature,
    gold_arcs,
    relation_log_loss,
)

__all__ = [
    "ArcTemperatures",
    "Arcs",
    "DocumentTrees",
    "Relations",
    "arc_log_loss",
    "arc_marginals",
    "fit_arc_temperatures",
    "fit_relation_temperature",
    "gold_arcs",
    "log_partition",
    "relation_log_loss",
    "sample_relations",
    "sample_trees",
    "sampled_documents",
    "sentence_key",
    "tree_log_probability",
]
