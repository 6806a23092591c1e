"""The best dependency tree with one root, by Chu-Liu-Edmonds.

Covers: scores of arcs in, heads out.
Not here: where the scores come from (`workers.parsing`).
"""

import numba as nb
import numpy as np

from calib_core.arrays import Floats, Ints


def best_single_root_tree(scores: Floats) -> Ints:
    """Heads of the highest-scoring tree in which exactly one word hangs on the root.

    Parameters
    ----------
    scores : shape (n + 1, n + 1)
        Score of each head (column) for each word (row); position 0 is the root, the diagonal is ignored.

    Returns
    -------
    shape (n + 1,)
        Head of each position; entry 0 is 0 and means nothing.

    Notes
    -----
    Arcs from the root are lowered by more than any tree can gain, so that one is used and no second one
    (Stanojević & Cohen 2021, "A Root of a Problem").

    >>> best_single_root_tree(np.array([[0.0, 0, 0], [-0.6, 0, -0.1], [-0.2, -0.1, 0]])).tolist()
    [0, 2, 0]
    """
    lowered = np.array(scores, dtype=np.float64)
    finite = lowered[np.isfinite(lowered)]
    lowered[:, 0] -= (1 + np.ptp(finite)) * len(lowered)
    heads: Ints = _search(lowered)
    return heads


@nb.njit(nb.int64[:](nb.float64[:, :]), cache=True)
def _greedy(scores: Floats) -> Ints:
    n = scores.shape[0]
    heads = np.zeros(n, np.int64)
    for word in range(1, n):
        best = 0
        for head in range(1, n):
            if head != word and scores[word, head] > scores[word, best]:
                best = head
        heads[word] = best
    return heads


@nb.njit(nb.int64[:](nb.int64[:]), cache=True)
def _cycle(heads: Ints) -> Ints:
    """Positions on one cycle, or an empty array."""
    n = len(heads)
    visit = np.zeros(n, np.int64)  # the walk that reached a position, 0 for none
    for start in range(1, n):
        at = start
        while at and visit[at] == 0:
            visit[at] = start
            at = heads[at]
        if at and visit[at] == start:
            on_cycle = np.zeros(n, np.bool_)
            while not on_cycle[at]:
                on_cycle[at] = True
                at = heads[at]
            return np.nonzero(on_cycle)[0]
    return np.zeros(0, np.int64)


@nb.njit(cache=True)
def _contract(scores: Floats, heads: Ints, cycle: Ints, rest: Ints) -> tuple[Floats, Ints, Ints]:
    """Make the cycle one node, the last; say which of its members takes each head, and gives each dependent."""
    k = len(rest)
    small = np.full((k + 1, k + 1), -np.inf)
    takes, gives = np.zeros(k, np.int64), np.zeros(k, np.int64)
    for i in range(k):
        for j in range(k):
            small[i, j] = scores[rest[i], rest[j]]
        best_in, best_out = -np.inf, -np.inf
        for member in cycle:
            gain = scores[member, rest[i]] - scores[member, heads[member]]
            if gain > best_in:
                best_in, takes[i] = gain, member
            if scores[rest[i], member] > best_out:
                best_out, gives[i] = scores[rest[i], member], member
        small[k, i] = best_in
        small[i, k] = best_out
    return small, takes, gives


@nb.njit(nb.int64[:](nb.float64[:, :]), cache=True)
def _search(scores: Floats) -> Ints:
    """Contract cycles until none is left, then open them again, the last one first."""
    current = scores.copy()
    levels = []
    heads = _greedy(current)
    cycle = _cycle(heads)
    while len(cycle):
        on_cycle = np.zeros(len(heads), np.bool_)
        on_cycle[cycle] = True
        rest = np.nonzero(~on_cycle)[0]
        current, takes, gives = _contract(current, heads, cycle, rest)
        levels.append((heads, rest, takes, gives))
        heads = _greedy(current)
        cycle = _cycle(heads)
    while len(levels):
        outer, rest, takes, gives = levels.pop()
        node = len(rest)
        for i in range(1, node):
            outer[rest[i]] = gives[i] if heads[i] == node else rest[heads[i]]
        outer[takes[heads[node]]] = rest[heads[node]]
        heads = outer
    return heads
