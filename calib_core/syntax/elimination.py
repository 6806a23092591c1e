"""Eliminate words from a random walk along arcs, in logarithms and without a subtraction.

Covers: the weights as a matrix that always has a tree, eliminating one word, solving for expected rewards.
Not here: what the solutions mean for trees (`marginals`, `sampling`).

Read scores as the rates of a walk from word to head. Eliminating a word gives what the walk looks like while it is
away from that word: whoever would have gone there goes on to where it would have gone from there. That is Gaussian
elimination of the Laplacian of the matrix-tree theorem, in the form of Grassmann, Taksar and Heyman (1985). The
pivot is a sum over the remaining heads and never a difference, so each result is right to almost full relative
precision, however close two words come to being each other's only head; a determinant loses all digits there.
Logarithms keep products of many small weights from vanishing.

A system is a matrix of shape (n, n + 2), all entries logarithms: columns 0 to n - 1 are the rates from each word (row)
to each word, column n is the reward for leaving it (here: its score as a root), column n + 1 is the rate at which the
walk ends there. Words count from 0.
"""

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.kernels import kernel
from calib_core.syntax.arcs import Arcs


@kernel
def add_logs(a: float, b: float) -> float:
    """The logarithm of exp(a) + exp(b)."""
    if a < b:
        a, b = b, a
    return a if b == -np.inf else a + np.log1p(np.exp(b - a))


def walk_system(arcs: Arcs) -> tuple[Floats, Floats]:
    """The system of a sentence, shape (n, n + 2), and what was taken off each word's scores, shape (n,).

    Scores count from each word's best. A possible root also gets an arc to every other word, so weak that all trees
    using one weigh less than exp(-100) of the worst real tree: it lets the walk visit every word.
    """
    n = len(arcs)
    system = np.full((n, n + 2), -np.inf)
    full = arcs.matrix()[1:]
    best = full.max(axis=1)
    full -= best[:, np.newaxis]
    system[:, :n], system[:, n] = full[:, 1:], full[:, 0]
    worst = float(np.where(np.isfinite(full), full, 0.0).min(axis=1).sum())
    faint = worst - (n + 1) * np.log(n + 1) - 100.0
    rows = np.flatnonzero(np.isfinite(system[:, n]))
    system[rows, :n] = np.maximum(system[rows, :n], faint)
    np.fill_diagonal(system, -np.inf)
    return system, best


@kernel
def eliminate(system: Floats, word: int, active: Ints) -> float:
    """Take one word out of the walk among `active`, which must not contain it; returns the logarithm of its pivot.

    The word's own row stays as it is: solving backwards needs it.
    """
    n = system.shape[0]
    pivot = system[word, n + 1]
    for head in active:
        pivot = add_logs(pivot, system[word, head])
    for other in active:
        through = system[other, word] - pivot
        if through == -np.inf:
            continue
        for head in active:
            if head != other and system[word, head] > -np.inf:
                system[other, head] = add_logs(system[other, head], through + system[word, head])
        for column in range(n, n + 2):
            if system[word, column] > -np.inf:
                system[other, column] = add_logs(system[other, column], through + system[word, column])
    return pivot


@kernel
def expected_rewards(system: Floats, free: Bools) -> Floats:
    """Logarithm of the reward that a walk collects from each free word until it ends, shape (n,).

    The rates from free words to others must be in the last column already. `system` is overwritten; entries of words
    that are not free mean nothing.
    """
    n = system.shape[0]
    order = np.nonzero(free)[0]
    pivots = np.empty(n)
    for last in range(len(order) - 1, -1, -1):
        pivots[order[last]] = eliminate(system, order[last], order[:last])
    rewards = np.full(n, -np.inf)
    for position in range(len(order)):
        word = order[position]
        total = system[word, n]
        for head in order[:position]:
            total = add_logs(total, system[word, head] + rewards[head])
        rewards[word] = total - pivots[word]
    return rewards
