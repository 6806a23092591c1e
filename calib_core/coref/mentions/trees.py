"""Small questions about dependency trees that mention detection and the readers share.

Covers: cycles, children, the stretch of tokens under a head.
Not here: which stretches are mentions (`detection`).
"""

import numpy as np

from calib_core.arrays import Ints
from calib_core.kernels import kernel


@kernel
def find_cycle(heads: Ints) -> int:
    """First token that is its own ancestor, or -1; a negative head is a root."""
    n = len(heads)
    state = np.zeros(n, dtype=np.int8)  # 0 new, 1 on the current path, 2 known to reach a root
    for token in range(n):
        walk = token
        while walk >= 0 and state[walk] == 0:
            state[walk] = 1
            walk = heads[walk]
        if walk >= 0 and state[walk] == 1:
            return walk
        walk = token
        while walk >= 0 and state[walk] == 1:
            state[walk] = 2
            walk = heads[walk]
    return -1


def children_of(heads: Ints) -> list[list[int]]:
    """The dependents of each token, in order of position."""
    children: list[list[int]] = [[] for _ in range(len(heads))]
    for token, head in enumerate(heads.tolist()):
        if head >= 0:
            children[head].append(token)
    return children


@kernel
def depths(heads: Ints) -> Ints:
    """Number of steps from each token to its root; needs a tree without cycles."""
    depth = np.full(len(heads), -1, dtype=np.int64)
    for token in range(len(heads)):
        steps = 0
        walk = token
        while walk >= 0 and depth[walk] < 0:
            steps += 1
            walk = heads[walk]
        base = depth[walk] + 1 if walk >= 0 else 0
        walk = token
        while walk >= 0 and depth[walk] < 0:
            steps -= 1
            depth[walk] = base + steps
            walk = heads[walk]
    return depth
