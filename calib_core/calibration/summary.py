"""Calibration of more pairs than fit in memory: each worker summarises its share in fixed size, and summaries add up.

Covers: a fine histogram of predictions on the logit scale, and the bins and error that it yields.
Not here: exact bins (`binning`). How far the two can be apart is computed from the summary itself: `error_bound`.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logit

from calib_core.arrays import Floats, Ints
from calib_core.calibration.binning import Bins, cuts_every
from calib_core.calibration.inputs import check_pairs

CELLS_PER_LOGIT = 1024
"""Neighbouring cells differ by 1/1024 in log-odds: 0.1 % of q near 0, 0.00024 near 0.5. A summary is 3.3 MB."""
_LARGEST_LOGIT = 40
_N_CELLS = 2 * _LARGEST_LOGIT * CELLS_PER_LOGIT + 2
"""The first and last cell hold predictions beyond ±40 in log-odds, including 0 and 1."""
_UNIT = 2.0**30
"""Predictions are summed as whole multiples of 2⁻³⁰, so that sums are exact and the order of addition cannot matter."""
_MOST_ROWS = 2**33 - 1
"""Rows in one cell beyond which those sums would overflow."""


@dataclass(frozen=True, slots=True)
class PairSummary:
    """Sums over the rows of each cell; every array has shape (n_cells,). Add two with `+`; the result is exact."""

    size: Ints
    positives: Ints
    pred_units: Ints
    """Sum of predictions in units of 2⁻³⁰."""
    lowest: Floats
    highest: Floats

    @classmethod
    def empty(cls) -> "PairSummary":
        """A summary of no rows."""
        size, positives, units = np.zeros((3, _N_CELLS), dtype=np.int64)
        return cls(size, positives, units, np.full(_N_CELLS, np.inf), np.full(_N_CELLS, -np.inf))

    @classmethod
    def from_pairs(cls, pred: ArrayLike, label: ArrayLike) -> "PairSummary":
        """Summarise one share of the rows, each a prediction in [0, 1] and a 0/1 label."""
        probabilities, labels = check_pairs(pred, label)
        with np.errstate(divide="ignore"):
            scaled = np.floor(logit(probabilities) * CELLS_PER_LOGIT) + (_N_CELLS // 2)
        cell = np.clip(scaled, 0, _N_CELLS - 1).astype(np.int64)
        units = np.zeros(_N_CELLS, dtype=np.int64)
        np.add.at(units, cell, np.rint(probabilities * _UNIT).astype(np.int64))
        lowest, highest = np.full(_N_CELLS, np.inf), np.full(_N_CELLS, -np.inf)
        np.minimum.at(lowest, cell, probabilities)
        np.maximum.at(highest, cell, probabilities)
        size, positives = np.bincount(cell, minlength=_N_CELLS), np.bincount(cell[labels], minlength=_N_CELLS)
        return cls(size, positives, units, lowest, highest)

    def __add__(self, other: "PairSummary") -> "PairSummary":
        """Summary of both shares."""
        if (self.size + other.size).max() > _MOST_ROWS:
            raise ValueError(f"a summary holds at most {_MOST_ROWS:,} rows in one cell; these two hold more")
        return PairSummary(
            self.size + other.size,
            self.positives + other.positives,
            self.pred_units + other.pred_units,
            np.minimum(self.lowest, other.lowest),
            np.maximum(self.highest, other.highest),
        )

    def __radd__(self, other: int) -> "PairSummary":
        """Let `sum(summaries)` start from its 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Equal in every cell."""
        return isinstance(other, PairSummary) and all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name)) for field in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def bins(self, *, bin_size: int = 5000) -> Bins:
        """Adaptive bins; a cell with a cut inside is shared in proportion, as `adaptive_bins` shares ties."""
        cuts = self._cuts(bin_size)
        size = np.diff(cuts)
        lowest, highest = self._extremes(cuts)
        return Bins(
            size=size,
            mean_pred=np.clip(np.diff(self._before(cuts, self.pred_units / _UNIT)) / size, lowest, highest),
            mean_label=np.clip(np.diff(self._before(cuts, self.positives.astype(np.float64))) / size, 0.0, 1.0),
            lowest=lowest,
            highest=highest,
        )

    def error(self, *, bin_size: int = 5000) -> float:
        """CalibErr, within `error_bound` of `calibration_error` on all the rows."""
        return float(np.sqrt(self.bins(bin_size=bin_size).mse))

    def error_bound(self, *, bin_size: int = 5000) -> float:
        """No `calibration_error` of the same rows and bin size is farther from `error` than this.

        A cut inside a cell misplaces at most what could be unevenly spread in that cell. A bin's sum of q - y is off
        by what its two cuts misplace, so by the triangle inequality the error is off by at most the weighted norm of
        that. This is the worst case; with rows spread at random in their cells the error is some hundred times
        closer. The bound grows with the share of a bin that one cell holds: if it is too wide, take larger bins.
        """
        cuts = self._cuts(bin_size)
        misplaced = self._misplaced(cuts)
        size = np.diff(cuts)
        off = misplaced[:-1] + misplaced[1:] + 0.5 * size / _UNIT
        return float(np.sqrt(((off**2) / size).sum() / cuts[-1]))

    def _cuts(self, bin_size: int) -> Ints:
        if not self.size.any():
            raise ValueError("a summary must hold at least one row; got 0")
        return cuts_every(bin_size, int(self.size.sum()))

    def _cell_of(self, cuts: Ints) -> tuple[Ints, Ints]:
        """The cell that holds the first row after each cut, and how many of its rows come before the cut."""
        upto = np.cumsum(self.size)
        cell = np.minimum(np.searchsorted(upto, cuts, "right"), _N_CELLS - 1)
        return cell, cuts - (upto - self.size)[cell]

    def _before(self, cuts: Ints, total: Floats) -> Floats:
        cell, taken = self._cell_of(cuts)
        part = taken * total[cell]
        np.divide(part, self.size[cell], out=part, where=self.size[cell] > 0)
        return (np.cumsum(total) - total)[cell] + part

    def _extremes(self, cuts: Ints) -> tuple[Floats, Floats]:
        first, _ = self._cell_of(cuts[:-1])
        last, _ = self._cell_of(cuts[1:] - 1)
        return self.lowest[first], self.highest[last]

    def _misplaced(self, cuts: Ints) -> Floats:
        """Bound on the error of the running sum of q - y at each cut."""
        cell, taken = self._cell_of(cuts)
        rows, positives = self.size[cell], self.positives[cell]
        inside = (taken > 0) & (taken < rows) & (self.highest[cell] > self.lowest[cell])
        expected = np.divide(taken * positives, rows, out=np.zeros(len(cuts)), where=rows > 0)
        most = np.minimum(taken, positives) - expected
        least = expected - np.maximum(0, taken - (rows - positives))
        width = np.where(inside, self.highest[cell] - self.lowest[cell], 0.0)
        return np.where(inside, np.maximum(most, least), 0.0) + width * np.minimum(taken, rows - taken)
