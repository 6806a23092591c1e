"""Random numbers that depend on what they are for, never on when or where they are drawn.

A draw is a function of (seed, document, sample, position), so any worker, batch or order gives the same one.
The generator is SplitMix64 used by counter: its output at step c is a mix of `key + c * GAMMA`, and the key of each
document is 64 bits of a cryptographic hash, so two documents' streams do not meet in practice.
"""

from hashlib import blake2b

import numba as nb
import numpy as np

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_TO_UNIT = 2.0**-53


def document_key(seed: int, doc_id: str) -> int:
    """64-bit key of one document's stream, the same on every machine."""
    return int.from_bytes(blake2b(f"{seed}\x00{doc_id}".encode(), digest_size=8).digest(), "little")


@nb.njit(nb.float64(nb.uint64, nb.uint64), inline="always", cache=True)
def uniform(key: np.uint64, counter: np.uint64) -> float:
    """The draw from [0, 1) that `key` gives at `counter` (for instance sample * 2**32 + mention)."""
    z = key + (counter + np.uint64(1)) * GAMMA
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * _TO_UNIT
