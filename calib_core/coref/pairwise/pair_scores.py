"""Scores of the pair classifier, over the same features as the antecedent model.

Covers: log-odds of every pair of a document, in one pass without preparation.
Not here: the many passes of training (`interned_pairs`).
"""

import numpy as np

from calib_core.arrays import Floats
from calib_core.coref.features.pair_features import N_TEMPLATES
from calib_core.coref.features.properties import MentionArrays
from calib_core.coref.model.logits import Weights, link_scores, mention_tables
from calib_core.kernels import kernel


@kernel
def pair_scores(arrays: MentionArrays, weights: Weights, shift: np.uint64, window: int) -> Floats:
    """Log-odds of coreference, shape (n, n), below the diagonal; minus infinity beyond the window and elsewhere."""
    n = len(arrays.props)
    scores = np.full((n, n), -np.inf)
    tables = mention_tables(arrays, weights, shift)
    codes = np.zeros((min(n, window) + 1, N_TEMPLATES), dtype=np.uint64)
    row = np.zeros(min(n, window) + 1)
    for j in range(n):
        first = max(0, j - window)
        link_scores(arrays, j, first, tables, weights, shift, codes, row)
        scores[j, first:j] = row[: j - first]
    return scores
