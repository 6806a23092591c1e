"""Probabilities that two mentions belong to one entity.

Covers: P(antecedent) of each mention; every pair marginal, exactly, by P(i ~ j) = Σ_k P(a_j = k) P(k ~ i), and, for
comparison, as the paper estimates it from samples; how probable they make what is true.
Not here: whole entities (`entity_marginals`), questions about more than that (`sampling`).
"""

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.posterior.sampling import Entities
from calib_core.kernels import kernel

_BLOCK = 64
FLOOR = 1e-9
"""Losses keep probabilities this far from 0, so that one impossible truth does not make the whole loss infinite."""


@kernel
def _softmax(offsets: Ints, logits: Floats) -> Floats:
    """Probabilities within each mention's entries."""
    probability = np.empty(len(logits))
    for j in range(len(offsets) - 1):
        top = -np.inf
        for k in range(offsets[j], offsets[j + 1]):
            top = max(top, logits[k])
        total = 0.0
        for k in range(offsets[j], offsets[j + 1]):
            probability[k] = np.exp(logits[k] - top)
            total += probability[k]
        for k in range(offsets[j], offsets[j + 1]):
            probability[k] /= total
    return probability


def antecedent_probabilities(antecedents: Antecedents) -> Floats:
    """P(antecedent) of every entry, shape (n_entries,); each mention's entries sum to 1."""
    return _softmax(antecedents.offsets, antecedents.logits)


def pair_marginals(antecedents: Antecedents) -> Floats:
    """The exact probability that mentions i and j corefer, shape (n_mentions, n_mentions), symmetric, diagonal 1.

    Notes
    -----
    A later mention never merges two earlier entities, so row j follows from the rows before it. Rows come in blocks:
    what a block owes to all earlier mentions is one matrix product, and only what its rows owe to each other is a loop.
    The cost is n³/3 multiplications; 2,000 mentions take well under a second.
    """
    n = len(antecedents)
    attach = np.zeros((n, n))
    _fill(antecedents.offsets, antecedents.candidates, antecedent_probabilities(antecedents), attach)
    together = np.zeros((n, n))
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        before = attach[start:end, :start] @ together[:start, :start]
        _within_rows(attach, before, start)
        together[start:end, :start] = before
        together[:start, start:end] = before.T
        own = attach[start:end, :start] @ before.T
        _within_block(attach, own, start)
        together[start:end, start:end] = own
    return together


def sampled_pair_marginals(entities: Entities) -> Floats:
    """Share of samples in which each pair corefers, shape (n_mentions, n_mentions), symmetric, diagonal 1.

    As in section 5.3 of Nguyen & O'Connor (2015), with 1,000 samples; `pair_marginals` is its limit.

    Parameters
    ----------
    entities : shape (n_samples, n_mentions)
        From `sample_clusterings`.
    """
    if not len(entities):
        raise ValueError("a share of samples needs at least 1 sample; got 0")
    return _shared(np.ascontiguousarray(entities.T)) / len(entities)


@kernel
def _shared(entities: Entities) -> Floats:
    """In how many samples two mentions, each a row, have one entity."""
    n, n_samples = entities.shape
    count = np.zeros((n, n))
    for j in range(n):
        for i in range(j + 1):
            total = 0
            for s in range(n_samples):
                total += entities[j, s] == entities[i, s]
            count[j, i] = count[i, j] = total
    return count


@kernel
def _fill(offsets: Ints, candidates: Ints, probability: Floats, attach: Floats) -> None:
    """attach[j, i] = P(a_j = i)."""
    for j in range(len(offsets) - 1):
        for k in range(offsets[j], offsets[j + 1]):
            if candidates[k] >= 0:
                attach[j, candidates[k]] = probability[k]


@kernel
def _within_rows(attach: Floats, before: Floats, start: int) -> None:
    """Add to each row of a block what it owes, through the block's earlier rows, to mentions before the block."""
    for r in range(len(before)):
        for k in range(r):
            share = attach[start + r, start + k]
            if share > 0.0:
                for i in range(before.shape[1]):
                    before[r, i] += share * before[k, i]


@kernel
def _within_block(attach: Floats, own: Floats, start: int) -> None:
    """Complete the square of pairs inside a block; on entry it holds what goes through earlier mentions."""
    for r in range(len(own)):
        for i in range(r):
            total = own[r, i]
            for k in range(r):
                total += attach[start + r, start + k] * own[k, i]
            own[r, i] = total
        for i in range(r):
            own[i, r] = own[r, i]
        own[r, r] = 1.0


@kernel
def pair_log_loss(together: Floats, entities: Ints) -> float:
    """Sum over pairs of −log P(what is true of the pair).

    Parameters
    ----------
    together : shape (n_mentions, n_mentions)
        P(same entity), as `pair_marginals` gives it.
    entities : shape (n_mentions,)
        Gold entity of each mention, -1 for none.
    """
    total = 0.0
    for j in range(len(entities)):
        for i in range(j):
            same = entities[j] >= 0 and entities[i] == entities[j]
            total -= np.log(max(together[j, i] if same else 1.0 - together[j, i], FLOOR))
    return total
