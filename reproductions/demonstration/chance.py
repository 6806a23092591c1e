"""Seeded choices that stay the same on every machine and with every version of every library.

Covers: drawing from a list, a range, or by weights.
Not here: what is drawn.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of choices; the same name gives the same stream.

    Notes
    -----
    Draw number c is a hash of the name and c. A test compares the shipped files byte by byte with newly generated ones,
    so the draws must not depend on a generator that a library may change.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._drawn = 0

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        if n < 1:
            raise ValueError(f"there must be something to draw from; got n = {n}")
        self._drawn += 1
        # 64 bits against a handful of alternatives: the bias of the remainder does not matter
        return int.from_bytes(sha256(f"{self._name}\x00{self._drawn}".encode()).digest()[:8], "big") % n

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def weighted(self, weights: Mapping[str, int]) -> str:
        """A key, as often as its weight says."""
        at = self.below(sum(weights.values()))
        for key, weight in weights.items():
            if at < weight:
                return key
            at -= weight
        raise ValueError("weights must not be negative")

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in items]
