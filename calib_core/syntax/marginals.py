"""Exact probabilities over the single-root trees of a sentence.

Covers: P(head of word w is h) for every arc, P(root), the logarithm of the summed weight of all trees, and the
log-probability of a given tree.
Not here: drawing trees (`sampling`), the best one (`calib_core.spanning_tree`).

This is the matrix-tree theorem with one root (Koo et al. 2007), rewritten so that nothing is subtracted. Keep a word
w. Every tree either has w as its root, or gives w a head h in a part of the tree that w is not above. The
weight of the rest is Z_w in the first case, the weight of all trees over the words with w on top; in the second it is
Z_w times what a walk from h collects on its way to w, if each word v pays its score as a root for every unit
of time spent there. So

    P(head of w is h) = a(w, h) u_w(h) / (r(w) + sum over h of a(w, h) u_w(h)),

with arc weights a, root weights r and expected rewards u_w. All words are kept in turn by halving: what is eliminated
for one half serves every word of the other, so all marginals together take O(n³).
"""

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel
from calib_core.syntax.arcs import Arcs
from calib_core.syntax.elimination import add_logs, eliminate, walk_system


def arc_marginals(arcs: Arcs) -> Floats:
    """P(arc is in the tree) for every arc, shape (n_arcs,); the arcs of a word sum to 1.

    >>> arc_marginals(Arcs.of_matrix(np.zeros((3, 3))))
    array([0.5, 0.5, 0.5, 0.5])
    """
    logs, _ = _log_marginals(arcs)
    return np.asarray(np.exp(logs[arcs.words - 1, arcs.heads]))


def log_partition(arcs: Arcs) -> float:
    """Logarithm of the summed weight of all trees; the tree's scores less this are its log-probability."""
    return _log_marginals(arcs)[1]


def tree_log_probability(arcs: Arcs, heads: Ints) -> float:
    """Log-probability of one tree; minus infinity if one of its arcs is not possible.

    Parameters
    ----------
    arcs : Arcs
    heads : shape (n,)
        Head of each word, 0 for the root. That it is a tree with one root is the caller's business.
    """
    scores = arcs.matrix()[np.arange(1, len(arcs) + 1), heads]
    return float(scores.sum() - log_partition(arcs)) if np.isfinite(scores).all() else -np.inf


def _log_marginals(arcs: Arcs) -> tuple[Floats, float]:
    """Log-probability of each head (column, 0 the root) of each word (row), and the log-partition."""
    n = len(arcs)
    if not n:
        return np.zeros((0, 1)), 0.0
    system, best = walk_system(arcs)
    logs = np.empty((n, n + 1))
    depth = int(np.ceil(np.log2(n))) + 1 if n > 1 else 1
    systems = np.empty((depth, n, n + 2))
    systems[0] = system
    gone, level, pivots = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n)
    total = float(_keep_each(0, 0, n, systems, gone, level, pivots, 0, logs))
    return logs, total + float(best.sum())


@kernel
def _keep_each(
    depth: int, first: int, last: int, systems: Floats, gone: Ints, level: Ints, pivots: Floats, n_gone: int,
    logs: Floats,
) -> float:  # fmt: skip
    """Fill the marginals of words `first` to `last`, given that all others are gone; returns the log-partition.

    `gone` lists the eliminated words in order, `level` says in which of `systems` the row of each lies, and `pivots`
    are theirs.
    """
    if last - first == 1:
        return _keep_one(first, systems, gone, level, pivots, n_gone, logs)
    middle = (first + last) // 2
    total = 0.0
    for half in range(2):
        kept_first, kept_last = (first, middle) if half == 0 else (middle, last)
        out_first, out_last = (middle, last) if half == 0 else (first, middle)
        systems[depth + 1] = systems[depth]
        for count in range(out_last - out_first):
            word = out_last - 1 - count
            active = np.empty(kept_last - kept_first + word - out_first, np.int64)
            active[: kept_last - kept_first] = np.arange(kept_first, kept_last)
            active[kept_last - kept_first :] = np.arange(out_first, word)
            pivots[word] = eliminate(systems[depth + 1], word, active)
            gone[n_gone + count], level[word] = word, depth + 1
        total = _keep_each(
            depth + 1, kept_first, kept_last, systems, gone, level, pivots, n_gone + out_last - out_first, logs
        )
    return total


@kernel
def _keep_one(word: int, systems: Floats, gone: Ints, level: Ints, pivots: Floats, n_gone: int, logs: Floats) -> float:
    """The marginals of the one word that is left, by solving backwards through those that are gone."""
    n = systems.shape[1]
    rewards = np.full(n, -np.inf)
    partition = 0.0
    for position in range(n_gone - 1, -1, -1):
        at = gone[position]
        row = systems[level[at], at]
        total = row[n]
        for later in range(position + 1, n_gone):
            total = add_logs(total, row[gone[later]] + rewards[gone[later]])
        rewards[at] = total - pivots[at]
        partition += pivots[at]
    first = systems[0, word]
    logs[word, 0] = first[n]
    total = first[n]
    for head in range(n):
        logs[word, head + 1] = first[head] + rewards[head]
        total = add_logs(total, logs[word, head + 1])
    logs[word] -= total
    return partition + total
