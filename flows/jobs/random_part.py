"""A random part of an archive, small enough for a first look.

Covers: which articles, so that about a given number of them has to be parsed; writing them down.
Not here: samples that people label (`flows.jobs.sample`).

Articles are taken in the order of a hash of their ids, so the part is random with regard to everything else, and the
same archive gives the same part.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from calib_core.events import Gate, Query
from workers.ingest import archive_chunks
from workers.schemas import ARCHIVE
from workers.storage import Warehouse


@dataclass(frozen=True, slots=True)
class Part:
    """How large a part is.

    Attributes
    ----------
    articles, possible : int
        Of the whole archive: all, and those past the gate.
    chosen, chosen_possible : int
        The same of the part.
    cut : int
        Articles with a hash up to this one are in the part.
    """

    articles: int
    possible: int
    chosen: int
    chosen_possible: int
    cut: int

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return self.chosen == self.articles

    @property
    def share(self) -> float:
        """Part of the archive, from 0 to 1."""
        return self.chosen / max(1, self.articles)


def random_part(
    warehouse: Warehouse, query: Query, *, most: int, on_article: Callable[[int], None] = lambda _: None
) -> Part:
    """The largest part of which at most `most` articles can count; everything if the archive has no more."""
    gate, ranks, possible = Gate.of(query), [], []
    for chunk in archive_chunks(warehouse):
        table = warehouse.read_table(chunk.path, ARCHIVE, ["doc_id", "text"])
        for doc_id, text in zip(table["doc_id"].to_pylist(), table["text"].to_pylist(), strict=True):
            ranks.append(_rank(doc_id))
            possible.append(gate(text))
        on_article(len(ranks))
    return _part(np.array(ranks, dtype=np.uint64), np.array(possible, dtype=np.bool_), most)


def _part(ranks: np.ndarray, possible: np.ndarray, most: int) -> Part:
    """Cut before the first article that would be too many.

    >>> _part(np.array([7, 3, 5, 1], dtype=np.uint64), np.array([True, True, True, False]), 2)
    Part(articles=4, possible=3, chosen=3, chosen_possible=2, cut=5)
    """
    order = np.argsort(ranks)
    counted = np.cumsum(possible[order])
    chosen = int(np.searchsorted(counted, most, side="right"))
    cut = int(ranks[order[chosen - 1]]) if chosen else 0
    return Part(len(ranks), int(possible.sum()), chosen, int(counted[chosen - 1]) if chosen else 0, cut)


def write_part(warehouse: Warehouse, part: Part, path: Path) -> None:
    """The articles of the part as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for chunk in archive_chunks(warehouse):
            for row in warehouse.read_table(chunk.path, ARCHIVE).to_pylist():
                if _rank(row["doc_id"]) <= part.cut:
                    file.write(json.dumps(row | {"published": str(row["published"])}) + "\n")


def _rank(doc_id: str) -> int:
    return int.from_bytes(blake2b(doc_id.encode(), digest_size=8).digest(), "big")
