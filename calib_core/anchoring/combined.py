"""From labelled rows to anchored counts of every group: repair the scores, estimate by design, pool the small cells.

Covers: the order of the steps, and labels that name what no score was given for.
Not here: each step (`recalibrated`, `interval`, `pooled`, `joint`).

A label may name a code that neither the model nor the words of the article suggested: a surprise. Its row exists only
because the document was labelled, so its score is exactly 0, before and after the repair of the others.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calib_core.anchoring.cold import ColdStratum
from calib_core.anchoring.difference import Sampled
from calib_core.anchoring.interval import Anchored, anchored_counts
from calib_core.anchoring.joint import design_draws
from calib_core.anchoring.pooled import hidden_draws, pooled_draws
from calib_core.anchoring.recalibrated import Recalibration, recalibrated
from calib_core.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """Everything that the estimates need; groups are the wide ones first, then a cell for each code and quarter."""

    sampled: Sampled
    """Its `members` has a column per group."""
    surprise: Bools
    """Rows that only a label names, shape (n_rows,); rows of unlabelled documents that are so are left out."""
    code: Ints
    """Code of each row, shape (n_rows,)."""
    quarter: Ints
    """Quarter of each row, shape (n_rows,)."""
    story: Ints
    """Shape (n_docs,)."""
    cold: ColdStratum
    shape: tuple[int, int]
    """Numbers of codes and quarters; code by code the cells are the last groups."""

    @property
    def n_wide(self) -> int:
        """Groups that are no cells."""
        return len(self.cold.low) - self.shape[0] * self.shape[1]

    def repaired(self, settings: Recalibration | None = None) -> Sampled:
        """The rows with recalibrated scores, surprises with 0."""
        expected = _rows(self.sampled, ~self.surprise)
        score = np.zeros(len(self.surprise))
        score[~self.surprise] = recalibrated(expected, self.story, settings).score
        kept = ~self.surprise | self.sampled.row_labelled
        return _rows(replace(self.sampled, score=score), kept)

    def wide(self) -> "LabelledRows":
        """The same without cells, for whoever wants nothing but tier A of the other groups."""
        part = slice(self.n_wide)
        sampled = replace(self.sampled, members=self.sampled.members[:, part])
        return replace(self, sampled=sampled, cold=_cold_groups(self.cold, part))

    def by_design(self, settings: Recalibration | None = None) -> Anchored:
        """Tier A of every group."""
        return anchored_counts(self.repaired(settings), self.cold)

    def by_pooling(self, *, n_draws: int = 1000, seed: int = 0) -> Ints:
        """Tier B: joint draws of the cells, shape (n_draws, n_cells)."""
        use, cells = ~self.surprise, _cold_groups(self.cold, slice(self.n_wide, None))
        draws = pooled_draws(
            _rows(self.sampled, use), self.code[use], self.quarter[use], cells,
            shape=self.shape, n_draws=n_draws, seed=seed,
        )  # fmt: skip
        return draws.reshape(n_draws, -1) + self._seen_surprises()

    def joint(self, pooled: Ints, wide_of_cell: Any, *, seed: int = 0) -> Floats:
        """Joint draws of the wide groups, shape (n_draws, n_wide).

        Parameters
        ----------
        pooled : shape (n_draws, n_cells)
            From `by_pooling`: hidden events are spread over cells as these are.
        wide_of_cell : sparse, shape (n_cells, n_wide)
        """
        cells, wide = (_cold_groups(self.cold, part) for part in (slice(self.n_wide, None), slice(self.n_wide)))
        expected = np.tile(pooled.mean(axis=0) + 1e-9, (len(pooled), 1))
        hidden = hidden_draws(cells, expected, np.random.default_rng(seed)) @ wide_of_cell
        repaired = self.repaired()
        return design_draws(replace(repaired, members=repaired.members[:, : self.n_wide]), wide, hidden, seed=seed)

    def _seen_surprises(self) -> Ints:
        """Events of each cell that only labels name, shape (n_cells,)."""
        seen = self.surprise & self.sampled.row_labelled
        cell = self.code[seen] * self.shape[1] + self.quarter[seen]
        return np.bincount(cell, self.sampled.low[seen], minlength=self.shape[0] * self.shape[1]).astype(np.int64)


def _rows(sampled: Sampled, use: Bools) -> Sampled:
    """Some rows of a sample."""
    return replace(
        sampled, document=sampled.document[use], score=sampled.score[use], low=sampled.low[use],
        high=sampled.high[use], members=sampled.members[np.flatnonzero(use)],
    )  # fmt: skip


def _cold_groups(cold: ColdStratum, part: slice) -> ColdStratum:
    """Some groups of the cold stratum."""
    names = ("group_size", "group_labelled", "low", "high")
    return replace(cold, **{name: getattr(cold, name)[part] for name in names})
