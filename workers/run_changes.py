"""What changed between two runs.

Covers: rows of counts that appeared, vanished or moved.
Not here: showing them (`flows.scheduled.artifacts`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from workers.event_samples import row_words

Cell = tuple[str, str]
FIGURES = ("mean", "q025", "q975", "n_docs", "n_possible")


@dataclass(frozen=True, slots=True)
class Change:
    """One quarter and country whose posterior changed; `before` or `after` is None where there is no row."""

    quarter: str
    country: str
    before: float | None
    after: float | None

    @property
    def difference(self) -> float:
        """Difference of the posterior means; a missing row is exactly zero."""
        return (self.after or 0.0) - (self.before or 0.0)


def changed_counts(before: pa.Table | None, after: pa.Table) -> list[Change]:
    """Rows that differ in any published figure, largest change of the mean first.

    Parameters
    ----------
    before, after : tables of the schema `COUNTS`
        None if there was no earlier run.
    """
    old, new = ({} if table is None else _by_cell(table) for table in (before, after))
    changes = [
        Change(*cell, _mean(old, cell), _mean(new, cell))
        for cell in sorted(old.keys() | new.keys())
        if old.get(cell) != new.get(cell)
    ]
    return sorted(changes, key=lambda change: (-abs(change.difference), change.quarter, change.country))


def _by_cell(table: pa.Table) -> dict[Cell, dict[str, Any]]:
    rows = table.select(["quarter", *FIGURES]).to_pylist()
    return {(row["quarter"], word): row for row, word in zip(rows, row_words(table), strict=True)}


def _mean(rows: Mapping[Cell, Mapping[str, Any]], cell: Cell) -> float | None:
    return rows[cell]["mean"] if cell in rows else None
