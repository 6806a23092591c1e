"""Score every candidate antecedent of every mention with hashed weights.

Covers: the logits of a document, linear in the number of pairs.
Not here: the features (`features.pair_features`), their gradient (`gradient`).

The score of attaching mention j to i is U[i, type of j] + V[j, type of i] + the weights of the pair templates, each
alone, with j's type, and with both types; the score of NEW is a sum over j's own features. U and V depend on one
mention and a type, so they are looked up per mention and not per pair.
"""

import numba as nb
import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Floats, Ints
from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.mention_features import Codes
from calib_core.coref.features.pair_features import N_TEMPLATES, mention_codes
from calib_core.coref.features.properties import MentionArrays
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.kernels import kernel

Weights = NDArray[np.float32]

_TURN = np.uint64(0xD6E8FEB86659FD93)
OLDER_SALT = np.uint64(0x8CB92BA72F3D8DD7)
NEWER_SALT = np.uint64(0xA0761D6478BD642F)
FIRST_SALT = np.uint64(0xE7037ED1A0B428DB)
TYPE_SALT = np.uint64(0x589965CC75374CC3)
PAIR_SALT = np.uint64(0x1D8E4E27C47D124F)


@nb.njit()
def slot(code: np.uint64, shift: np.uint64) -> int:
    """Where the weight of a code stands in a table of 2**(64 - shift) weights."""
    return int((code * _TURN) >> shift)


@nb.njit()
def spread(kind: int, salt: np.uint64) -> np.uint64:
    """What a type adds to a code; never the bare salt, which stands for no type."""
    return np.uint64(kind + 2) * salt


@kernel
def mention_tables(arrays: MentionArrays, weights: Weights, shift: np.uint64) -> tuple[Floats, Floats, Floats]:
    """U and V, shape (n_mentions, N_TYPES), and the NEW score of each mention."""
    n, n_features = arrays.codes.shape
    older = np.zeros((n, N_TYPES))
    newer = np.zeros((n, N_TYPES))
    new = np.zeros(n)
    for m in range(n):
        kind = arrays.props[m, TYPE]
        for f in range(n_features):
            code = arrays.codes[m, f]
            new[m] += weights[slot(code ^ FIRST_SALT, shift)] + weights[slot(code ^ spread(kind, FIRST_SALT), shift)]
            for other in range(N_TYPES):
                older[m, other] += weights[slot(code ^ spread(other, OLDER_SALT), shift)]
                newer[m, other] += weights[slot(code ^ spread(other, NEWER_SALT), shift)]
    return older, newer, new


@nb.njit()
def _pair_score(codes: Codes, alone: np.uint64, both: np.uint64, weights: Weights, shift: np.uint64) -> float:
    # Three sums, because one would make every addition wait for the one before.
    bare = typed = paired = 0.0
    for t in range(N_TEMPLATES):
        code = codes[t]
        if code != 0:
            bare += weights[slot(code, shift)]
            typed += weights[slot(code ^ alone, shift)]
            paired += weights[slot(code ^ both, shift)]
    return bare + typed + paired


@kernel
def link_scores(
    arrays: MentionArrays, j: int, first: int, tables: tuple[Floats, Floats, Floats],
    weights: Weights, shift: np.uint64, codes: Codes, scores: Floats,
) -> None:  # fmt: skip
    """Fill `scores` with mention j's candidates from `first` on, then NEW, and `codes` as `mention_codes` does."""
    older, newer, new = tables
    mention_codes(arrays, j, first, codes)
    kind = arrays.props[j, TYPE]
    alone = spread(kind, TYPE_SALT)
    for i in range(first, j):
        other = arrays.props[i, TYPE]
        both = spread(kind * N_TYPES + other, PAIR_SALT)
        pair = _pair_score(codes[i - first], alone, both, weights, shift)
        scores[i - first] = older[i, kind] + newer[j, other] + pair
    scores[j - first] = new[j]


@kernel
def document_logits(
    arrays: MentionArrays, weights: Weights, shift: np.uint64, window: int
) -> tuple[Ints, Ints, Floats]:
    """Offsets, candidates and logits of a whole document, as `Antecedents` wants them."""
    n = len(arrays.props)
    offsets = np.zeros(n + 1, dtype=np.int64)
    for j in range(n):
        offsets[j + 1] = offsets[j] + min(j, window) + 1
    candidates = np.full(offsets[n], -1, dtype=np.int64)
    logits = np.zeros(offsets[n])
    tables = mention_tables(arrays, weights, shift)
    codes = np.zeros((min(n, window) + 1, N_TEMPLATES), dtype=np.uint64)
    for j in range(n):
        first = max(0, j - window)
        for i in range(first, j):
            candidates[offsets[j] + i - first] = i
        link_scores(arrays, j, first, tables, weights, shift, codes, logits[offsets[j] : offsets[j + 1]])
    return offsets, candidates, logits
