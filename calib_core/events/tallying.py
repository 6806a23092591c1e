"""Sums over documents that can be added up from any number of chunks.

A tally is as large as its keys and countries, never as its documents: beside the sums of the samples it keeps, for each
cell, how many documents counted in 0, 1, ..., S samples, which is all that exact quantiles need.

Covers: adding up event samples per key (quarter, month, year, source, anything) and country.
Not here: means, intervals and quantiles (`posterior`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Ints
from calib_core.events.query import UNITS

Numbers = NDArray[np.bool_] | NDArray[np.uint16] | NDArray[np.int64]
Cell = tuple[str, str]
"""A key and a country."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One row per key and country, in alphabetical order; tallies of the same S add with `+`.

    Attributes
    ----------
    unit : str
        "documents" or "entities": what is counted.
    cells : tuple of (key, country)
    samples : shape (n_cells, S)
        Count in each posterior sample.
    best : shape (n_cells,)
        Count under the 1-best clustering.
    shares : shape (n_cells, S + 1)
        Number of documents that counted (for whatever number of entities) in exactly k of the S samples.
    """

    unit: str
    cells: tuple[Cell, ...]
    samples: Ints
    best: Ints
    shares: Ints

    @property
    def n_samples(self) -> int:
        """S, the number of posterior samples."""
        return int(self.samples.shape[1])

    def __add__(self, other: "Tally") -> "Tally":
        """Both together; order makes no difference."""
        if (self.unit, self.n_samples) != (other.unit, other.n_samples):
            raise ValueError(
                f"tallies of {self.n_samples} samples of {self.unit} and of {other.n_samples} samples of {other.unit} "
                f"do not add up"
            )
        cells = tuple(sorted({*self.cells, *other.cells}))
        position = {cell: row for row, cell in enumerate(cells)}
        total = empty_tally(self.n_samples, unit=self.unit, cells=cells)
        for part in (self, other):
            rows = [position[cell] for cell in part.cells]
            total.samples[rows] += part.samples
            total.best[rows] += part.best
            total.shares[rows] += part.shares
        return total


def empty_tally(n_samples: int, *, unit: str = "documents", cells: tuple[Cell, ...] = ()) -> Tally:
    """Nothing counted yet: where adding up begins."""
    if unit not in UNITS:
        raise ValueError(f"unit must be one of {', '.join(UNITS)}; got {unit!r}")
    n = len(cells)
    samples, shares = np.zeros((n, n_samples), np.int64), np.zeros((n, n_samples + 1), np.int64)
    return Tally(unit, cells, samples, np.zeros(n, np.int64), shares)


def tally(
    keys: Sequence[str],
    countries: Sequence[str],
    samples: Numbers,
    best: Numbers,
    *,
    unit: str = "documents",
) -> Tally:
    """Add up rows of event samples.

    Parameters
    ----------
    keys, countries : length n_rows
        What each row is counted under: for instance "1987Q1" and "IRQ".
    samples : shape (n_rows, S)
        Fulfilling entities of a document in each sample (`EventSamples.entities`), or bits (`unpack_bits`) where the
        unit is documents.
    best : shape (n_rows,)
        The same under the 1-best clustering.
    unit : str
        "documents" counts a document once, whatever the number of its entities.
    """
    n_rows = len(keys)
    if not n_rows == len(countries) == len(samples) == len(best):
        raise ValueError(
            f"{n_rows} keys, {len(countries)} countries, {len(samples)} rows of samples and {len(best)} 1-best answers"
        )
    cells = tuple(sorted(set(zip(keys, countries, strict=True))))
    total = empty_tally(samples.shape[1], unit=unit, cells=cells)
    position = {cell: row for row, cell in enumerate(cells)}
    rows = np.array([position[cell] for cell in zip(keys, countries, strict=True)], dtype=np.int64)
    positive = samples > 0
    np.add.at(total.samples, rows, positive if unit == "documents" else samples)
    np.add.at(total.best, rows, best > 0 if unit == "documents" else best)
    np.add.at(total.shares, (rows, positive.sum(axis=1)), 1)
    return total
