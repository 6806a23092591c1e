"""What the labels of a frame will buy, before anybody reads an article.

Covers: expected widths of the total and of a typical country, quarter and cell.
Not here: the formula (`calib_core.anchoring.planning`).
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from calib_core.anchoring import COLD, expected_width
from workers.anchoring.answered import strata_of
from workers.anchoring.groups import CELL, COUNTRY, QUARTER, TOTAL
from workers.labelling import Frame
from workers.labelling.answers import ANY_TARGET, DYAD

SHOWN = 10
"""The widths of so many groups with the largest raw counts stand for all of their level."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """What one level gets.

    Attributes
    ----------
    level : str
        total, country, quarter or cell.
    raw : float
        Count by the models alone: of the total, else the median over the largest groups.
    width : float
        Expected width of the anchored 95 % interval, the same way.
    groups : int
        How many those are.
    """

    level: str
    raw: float
    width: float
    groups: int


def expected_purchase(frame: Frame) -> tuple[Purchase, ...]:
    """Expected widths by level."""
    table, strata = frame.table, strata_of(frame)
    quarters = table.column("quarter").to_pylist()
    pairs = [
        (place, code, score)
        for place, (codes, scores, named) in enumerate(
            zip(*(table.column(name).to_pylist() for name in ("codes", "scores", "named")), strict=True)
        )
        for code, score in _candidates(codes, scores, named)
    ]
    place = np.array([pair[0] for pair in pairs], dtype=np.int64)
    score = np.array([pair[2] for pair in pairs], dtype=np.float64)
    cold = strata == COLD
    hidden = {None: int(cold.sum())} | {
        name: int(np.sum(cold & (np.array(quarters) == name))) for name in frame.quarters
    }
    found = []
    for level in (TOTAL, COUNTRY, QUARTER, CELL):
        groups: dict[tuple[str | None, str | None], list[int]] = defaultdict(list)
        for row, (at, code, _) in enumerate(pairs):
            quarter = quarters[at] if level in (QUARTER, CELL) else None
            groups[(quarter, code if level in (COUNTRY, CELL) else None)].append(row)
        columns = [column for column, rows in enumerate(groups.values()) for _ in rows]
        rows = [row for rows in groups.values() for row in rows]
        members = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(pairs), len(groups)))
        width = expected_width(
            frame.table.column("pi").to_numpy()[place], score, members, cold_size=int(cold.sum()),
            cold_labels=int((cold & table.column("drawn").to_numpy()).sum()),
            group_cold=np.array([hidden[quarter] for quarter, _ in groups], dtype=np.int64),
        )  # fmt: skip
        raw = members.T @ score
        largest = np.argsort(-raw)[: 1 if level == TOTAL else SHOWN]
        if len(largest):
            found.append(
                Purchase(level, float(np.median(raw[largest])), float(np.median(width[largest])), len(largest))
            )
    return tuple(found)


def _candidates(codes: list[str], scores: list[float], named: list[str]) -> list[tuple[str, float]]:
    """Pairs that count towards totals: any target, where the query asks for targets."""
    dyads = any(DYAD in code for code in codes)
    known = {
        code.partition(DYAD)[0]: score
        for code, score in zip(codes, scores, strict=True)
        if not dyads or code.endswith(f"{DYAD}{ANY_TARGET}")
    }
    return list({**dict.fromkeys(named, 0.0), **known}.items())
