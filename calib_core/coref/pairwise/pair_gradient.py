"""Scores and gradient of the pair classifier, over the same features as the antecedent model.

Covers: log-odds of every pair of a document and the slope of its weighted log-likelihood.
Not here: which labels and weights the pairs get (`structured_local`), the optimiser's step (`model.gradient`).
"""

import numba as nb
import numpy as np

from calib_core.arrays import Bools, Floats
from calib_core.coref.features.pair_features import N_TEMPLATES
from calib_core.coref.features.properties import MentionArrays
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.coref.model.gradient import Slope, spread_mentions, spread_pairs
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


@kernel
def pair_slope(
    arrays: MentionArrays,
    labels: Bools,
    emphasis: Floats,
    weights: Weights,
    shift: np.uint64,
    window: int,
    slope: Slope,
) -> float:
    """Add the gradient of Σ emphasis · log P(label) to `slope` and return the sum.

    Parameters
    ----------
    labels, emphasis : shape (n, n), read below the diagonal
    """
    n = len(arrays.props)
    tables = mention_tables(arrays, weights, shift)
    older, newer, new = np.zeros((n, N_TYPES)), np.zeros((n, N_TYPES)), np.zeros(n)
    codes = np.zeros((min(n, window) + 1, N_TEMPLATES), dtype=np.uint64)
    row = np.zeros(min(n, window) + 1)
    total = 0.0
    for j in range(n):
        first = max(0, j - window)
        link_scores(arrays, j, first, tables, weights, shift, codes, row)
        for i in range(first, j):
            toward = row[i - first] if labels[j, i] else -row[i - first]
            total += emphasis[j, i] * log_sigmoid(toward)
            target = 1.0 if labels[j, i] else 0.0
            row[i - first] = emphasis[j, i] * (target - 1.0 / (1.0 + np.exp(-row[i - first])))
        spread_pairs(arrays, j, first, row, codes, shift, older, newer, slope)
    spread_mentions(arrays, older, newer, new, shift, slope)
    return total


@nb.njit()
def log_sigmoid(x: float) -> float:
    """log(1 / (1 + exp(−x))), without overflow."""
    return float(min(x, 0.0) - np.log1p(np.exp(-abs(x))))
