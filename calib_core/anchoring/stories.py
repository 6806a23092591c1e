"""Find articles that report the same story in nearly the same words, so that folds do not cut between them.

Covers: sketches of texts by some of their phrases (bottom-k of hashed shingles), groups of texts that share many.
Not here: what folds are for (`recalibrated`).

Broder (1997): two texts' smallest hashes agree about as often as their phrases do. Linking is transitive, which may
join more than it should; that costs nothing but the evenness of the folds.
"""

from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from calib_core.arrays import Ints
from calib_core.events.pieces import folded_pieces

SHINGLE, SKETCH, SHARED = 6, 24, 8  # words a phrase, phrases kept of a text, phrases in common that join two texts


def stories(texts: Sequence[str]) -> Ints:
    """Number of each text's story, shape (n,): the position of the first text that it is linked to.

    >>> same = "the army crossed the border at dawn and took three towns before noon on a quiet and rainy day in may"
    >>> stories([same, "nothing of the kind", same + " again"]).tolist()
    [0, 1, 0]
    """
    first = np.arange(len(texts))
    holders: dict[int, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        sketch = _sketch(text)
        shared: dict[int, int] = defaultdict(int)
        for phrase in sketch:
            for other in holders[phrase]:
                shared[other] += 1
            if len(holders[phrase]) < SKETCH:  # a phrase that everybody uses links nobody
                holders[phrase].append(number)
        for other, count in shared.items():
            if count >= min(SHARED, max(len(sketch) // 2, 1)):
                _join(first, number, other)
    return np.array([_root(first, number) for number in range(len(texts))], dtype=np.int64)


def _sketch(text: str) -> tuple[int, ...]:
    words = folded_pieces(text)
    phrases = {" ".join(words[i : i + SHINGLE]) for i in range(max(len(words) - SHINGLE + 1, 0))}
    hashes = sorted(int.from_bytes(blake2b(phrase.encode(), digest_size=8).digest(), "little") for phrase in phrases)
    return tuple(hashes[:SKETCH])


def _root(first: Ints, number: int) -> int:
    while first[number] != number:
        first[number] = first[first[number]]
        number = int(first[number])
    return number


def _join(first: Ints, a: int, b: int) -> None:
    low, high = sorted((_root(first, a), _root(first, b)))
    first[high] = low
