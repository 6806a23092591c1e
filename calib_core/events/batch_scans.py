"""Loops over flat arrays that come before sampling.

Covers: which rows a batch will have, and the first fault in its antecedents.
Not here: sampling (`kernel`), the arrays as a type (`batching`).
"""

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.kernels import kernel


@kernel
def countries_of(mentions: Ints, country: Ints, agent: Bools, reported: Bools, offsets: Ints, out: Ints) -> int:
    """List the reported countries of each document that has an agent, ascending; returns the number of rows.

    `offsets` (n_documents + 1,) and `out` (n_mentions,) are filled.
    """
    n_rows = 0
    for d in range(len(mentions) - 1):
        offsets[d] = n_rows
        first, last = mentions[d], mentions[d + 1]
        if not agent[first:last].any():
            continue
        for code in np.unique(country[first:last]):
            if code >= 0 and reported[code]:
                out[n_rows] = code
                n_rows += 1
    offsets[len(mentions) - 1] = n_rows
    return n_rows


@kernel
def first_fault(mentions: Ints, offsets: Ints, candidates: Ints, logits: Floats) -> tuple[int, int, int]:
    """Document, mention and entry of the first antecedent that breaks the contract; (-1, -1, -1) if none does."""
    for d in range(len(mentions) - 1):
        for j in range(mentions[d], mentions[d + 1]):
            mention, last = j - mentions[d], offsets[j + 1] - 1
            if last < offsets[j]:
                return d, mention, -1
            for k in range(offsets[j], last + 1):
                right = candidates[k] == -1 if k == last else -1 <= candidates[k] < mention
                if not right or np.isnan(logits[k]) or logits[k] == np.inf or (k == last and logits[k] == -np.inf):
                    return d, mention, k
    return -1, -1, -1
