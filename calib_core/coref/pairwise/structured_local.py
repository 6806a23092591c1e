"""Structured local training: what the pair classifier should learn, given what clustering will put right.

Covers: single-link clustering, the two E-steps of Choi & Cardie (2007, figures 1 and 2), the pairs that biased
potentials emphasise (their section 4.2).
Not here: the classifier and the EM loop (`pairwise_model`).

Pairs are square matrices read below the diagonal: entry [j, i], i < j, is about mentions i and j.
"""

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.kernels import kernel


@kernel
def _root(parent: Ints, m: int) -> int:
    while parent[m] != m:
        parent[m] = parent[parent[m]]
        m = parent[m]
    return m


@kernel
def single_link(linked: Bools) -> Ints:
    """The entity of each mention under the closure of the links; an entity has the number of its first mention."""
    n = len(linked)
    parent = np.arange(n)
    for j in range(n):
        for i in range(j):
            if linked[j, i]:
                a, b = _root(parent, i), _root(parent, j)
                parent[max(a, b)] = min(a, b)
    for j in range(n):
        parent[j] = _root(parent, j)
    return parent


@kernel
def links_of(entities: Ints) -> Bools:
    """The pairs that share an entity; mentions with a negative entity are in no pair."""
    n = len(entities)
    linked = np.zeros((n, n), dtype=np.bool_)
    for j in range(n):
        for i in range(j):
            linked[j, i] = entities[j] >= 0 and entities[i] == entities[j]
    return linked


def algorithm_1(scores: Floats, truth: Ints) -> Bools:
    """The most confident labelling whose single-link clustering is the truth.

    Parameters
    ----------
    scores : shape (n, n)
        Log-odds of coreference under the current model; a pair is decided coreferent if its score is positive.
    truth : shape (n,)
        Gold entity of each mention, -1 for none.

    Notes
    -----
    Right decisions stay. Wrong links go. Of the links that the model misses, those in a minimum spanning tree of each
    gold entity are restored; an edge costs nothing if the model has it, and the confidence of the wrong decision if
    not. The listing names both the decisions and their closure; we keep a decision if *it* is right, because only so
    does the result always cluster to the truth, which is the algorithm's stated goal.
    """
    return _algorithm_1(scores, links_of(truth))


@kernel
def _algorithm_1(scores: Floats, true_links: Bools) -> Bools:
    n = len(scores)
    labels = np.zeros((n, n), dtype=np.bool_)
    parent = np.arange(n)
    missed = np.zeros((n, n), dtype=np.bool_)
    for j in range(n):
        for i in range(j):
            labels[j, i] = true_links[j, i] and scores[j, i] > 0
            missed[j, i] = true_links[j, i] and not labels[j, i]
            if labels[j, i]:
                parent[_root(parent, j)] = _root(parent, i)
    later, earlier = np.nonzero(missed)
    confidence = np.array([-scores[later[edge], earlier[edge]] for edge in range(len(later))])
    for edge in np.argsort(confidence, kind="mergesort"):
        a, b = _root(parent, earlier[edge]), _root(parent, later[edge])
        if a != b:
            parent[a] = b
            labels[later[edge], earlier[edge]] = True
    return labels


def algorithm_2(scores: Floats, truth: Ints) -> Bools:
    """A confident labelling close to the truth: the model's decision where clustering makes it right, else the truth.

    A coreferent pair that looks unlike one is thus learned as not coreferent if other links join it anyway.
    Parameters as in `algorithm_1`.
    """
    decided = np.tril(scores > 0, -1)
    true_links = links_of(truth)
    repaired = links_of(single_link(decided)) == true_links
    return np.where(repaired, decided, true_links)


@kernel
def closest_links(truth: Ints) -> Bools:
    """For each mention, the pair with the nearest earlier mention of its entity: the bias P1."""
    n = len(truth)
    closest = np.zeros((n, n), dtype=np.bool_)
    for j in range(n):
        for i in range(j - 1, -1, -1):
            if truth[j] >= 0 and truth[i] == truth[j]:
                closest[j, i] = True
                break
    return closest
