"""Which keys appear a second time, among millions, in little memory.

Covers: keys of 128 bits, spread over files by their first bits; one such file at a time is sorted in memory.
Not here: what the keys mean (ids, texts, faults) and what to do about a repetition (`workers.ingest.collect`).

Memory: the largest of 64 files at 40 bytes per key, so 6 MB for ten million keys, plus one byte per record read.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FILES = 64
FLUSH_AT = 1 << 14
Digests = npt.NDArray[np.uint8]
KNOWN = -1
"""Position of a key that was in the archive before."""

ENTRY = np.dtype([("key", "V16"), ("check", "V16"), ("position", "<i8")])


class Repetition(NamedTuple):
    """A record whose key was there before.

    Attributes
    ----------
    position, first : int
        Number of the record, and of the first one with its key; `KNOWN` if that one is in the archive.
    same : bool
        Whether their checks agree too.
    """

    position: int
    first: int
    same: bool


class KeySpool:
    """Collects keys on disk, then yields the repetitions among them."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.waiting: list[list[bytes]] = [[] for _ in range(FILES)]

    def add(self, key: bytes, check: bytes, position: int) -> None:
        """Note one key of 16 bytes, a check of 16 bytes, and the number of the record that has them."""
        bucket = self.waiting[key[0] % FILES]
        bucket.append(key + check + position.to_bytes(8, "little", signed=True))
        if len(bucket) * FILES >= FLUSH_AT:
            self._flush(key[0] % FILES)

    def add_known(self, keys: Digests, checks: Digests) -> None:
        """Note many keys and checks that were in the archive before, each of shape (n, 16)."""
        entries = np.empty(len(keys), dtype=ENTRY)
        entries["key"], entries["check"] = (np.ascontiguousarray(part).view("V16")[:, 0] for part in (keys, checks))
        entries["position"] = KNOWN
        for bucket in range(FILES):
            if len(mine := entries[keys[:, 0] % FILES == bucket]):
                self.waiting[bucket].append(mine.tobytes())
                self._flush(bucket)

    def _flush(self, bucket: int) -> None:
        if self.waiting[bucket]:
            with (self.folder / f"{bucket:02}").open("ab") as file:
                file.write(b"".join(self.waiting[bucket]))
            self.waiting[bucket] = []

    def repetitions(self) -> Iterator[Repetition]:
        """Every record whose key an earlier record or the archive has; file by file, in no order across them."""
        for bucket in range(FILES):
            self._flush(bucket)
            path = self.folder / f"{bucket:02}"
            if path.exists():
                yield from _repeated(np.fromfile(path, dtype=ENTRY))


def _repeated(entries: npt.NDArray[np.void]) -> Iterator[Repetition]:
    """Sort by key, then position; all but the first of a group repeat it."""
    high, low = _words(entries["key"])
    order = np.lexsort((entries["position"], low, high))
    high, low, position = high[order], low[order], entries["position"][order]
    checks = np.stack(_words(entries["check"]))[:, order]
    starts = np.r_[True, (high[1:] != high[:-1]) | (low[1:] != low[:-1])]
    first = np.maximum.accumulate(np.where(starts, np.arange(len(starts)), 0))
    same = (checks == checks[:, first]).all(axis=0)
    for i in np.flatnonzero(~starts & (position != KNOWN)):
        yield Repetition(int(position[i]), int(position[first[i]]), bool(same[i]))


def _words(keys: npt.NDArray[np.void]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    words = np.ascontiguousarray(keys).view("<u8").reshape(-1, 2)
    return words[:, 0], words[:, 1]
