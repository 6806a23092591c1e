"""Posterior counts: what the samples of a tally say, with intervals, and how exact that is.

Covers: the columns of the counts table, and the Monte Carlo error of each of its figures.
Not here: adding up (`tallying`), comparing two rows (`comparison`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.events.quantiles import exact_quantiles, sample_quantiles
from calib_core.events.tallying import Cell, Tally

Z = 1.96
"""The paper's interval is the mean ± 1.96 standard deviations."""

FIGURES = ("mean", "sd", "lo", "hi", "q025", "q500", "q975")


@dataclass(frozen=True, slots=True)
class Counts:
    """Posterior counts, one row per key and country; arrays have shape (n_rows,) unless said otherwise.

    Attributes
    ----------
    unit : str
        "documents" or "entities".
    cells : tuple of (key, country)
    mean, sd, lo, hi : Floats
        Mean and standard deviation of the samples, and mean ± 1.96 sd (section 6.2 of the paper; lo can be negative).
    q025, q500, q975 : Ints
        Quantiles: of the exact Poisson-binomial distribution for documents, of the samples for entities.
    map_count : Ints
        Count under the 1-best clustering.
    n_docs, n_possible : Ints
        Documents under the key, and those past the gate; -1 where not given.
    samples : shape (n_rows, S)
        Count in each sample. Sample s is the same in every row.
    errors : mapping of str to Floats
        Monte Carlo standard error of each of `FIGURES`: how far it would move with other random numbers. Where all
        samples agree it is 0, as `Comparison.difference_error` is: they show no movement, which does not prove that
        there is none. Only `Comparison.p_error` adds a doubt of one sample then.
    """

    unit: str
    cells: tuple[Cell, ...]
    mean: Floats
    sd: Floats
    lo: Floats
    hi: Floats
    q025: Ints
    q500: Ints
    q975: Ints
    map_count: Ints
    n_docs: Ints
    n_possible: Ints
    samples: Ints
    errors: Mapping[str, Floats]

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.cells)

    def row(self, cell: Cell) -> int | None:
        """Position of a key and country; None where nothing was counted, which means zero in every sample."""
        return self.cells.index(cell) if cell in self.cells else None


def posterior_counts(
    tally: Tally, *, n_docs: Mapping[str, int] | None = None, n_possible: Mapping[str, int] | None = None
) -> Counts:
    """Summarise the posterior distribution of n(t, c), equation 5 of the paper, for every key t and country c.

    Parameters
    ----------
    tally : Tally
    n_docs, n_possible : mapping of key to int, optional
        Documents in each key and those that passed the gate, to be carried along.

    Notes
    -----
    Given the text, documents are independent, so the sampled a(d, c) have a Poisson-binomial sum, whose quantiles are
    exact given the documents' probabilities. Those are shares of S samples, and the errors say how much that matters.
    """
    if tally.n_samples < 2:
        raise ValueError(f"a standard deviation needs at least 2 samples; got {tally.n_samples}")
    mean = tally.samples.mean(axis=1)
    sd = tally.samples.std(axis=1, ddof=1)
    quantiles, moves = exact_quantiles(tally) if tally.unit == "documents" else sample_quantiles(tally)
    keys = [key for key, _ in tally.cells]
    return Counts(
        unit=tally.unit, cells=tally.cells, mean=mean, sd=sd, lo=mean - Z * sd, hi=mean + Z * sd,
        q025=quantiles[:, 0], q500=quantiles[:, 1], q975=quantiles[:, 2], map_count=tally.best,
        n_docs=_looked_up(n_docs, keys), n_possible=_looked_up(n_possible, keys),
        samples=tally.samples,
        errors=monte_carlo_errors(tally) | {"q025": moves[:, 0], "q500": moves[:, 1], "q975": moves[:, 2]},
    )  # fmt: skip


def monte_carlo_errors(tally: Tally) -> dict[str, Floats]:
    """Standard error, over the choice of random numbers, of mean, sd, lo and hi of each row.

    Notes
    -----
    A figure of the form mean + z·sd has by the delta method the variance (s² + z μ₃ / s + z² (μ₄ − s⁴) / (4 s²)) / S,
    with the samples' central moments; z = 0 is the mean, and the sd alone has the last term without z². For documents
    the moments follow from the documents' probabilities, which is steadier than estimating them from S sums. Quantiles
    are whole numbers and move otherwise (`quantiles`).
    """
    variance, third, fourth = _document_moments(tally) if tally.unit == "documents" else _sample_moments(tally)
    safe = np.where(variance > 0, variance, 1.0)
    of_sd = np.maximum(fourth - variance**2, 0.0) / (4 * safe)
    errors = {"mean": variance, "sd": np.where(variance > 0, of_sd, 0.0)}
    for name, z in zip(("lo", "hi"), (-Z, Z), strict=True):
        total = variance + z * third / np.sqrt(safe) + z**2 * of_sd
        errors[name] = np.where(variance > 0, np.maximum(total, 0.0), 0.0)
    return {name: np.sqrt(value / tally.n_samples) for name, value in errors.items()}


def _document_moments(tally: Tally) -> tuple[Floats, Floats, Floats]:
    """Central moments of the sum of independent documents, from how often each counted."""
    p = np.arange(tally.n_samples + 1) / tally.n_samples
    spread = p * (1 - p)
    variance = tally.shares @ spread
    third = tally.shares @ (spread * (1 - 2 * p))
    excess = tally.shares @ (spread * (1 - 6 * spread))
    return variance, third, excess + 3 * variance**2


def _sample_moments(tally: Tally) -> tuple[Floats, Floats, Floats]:
    """Central moments of the samples."""
    centred = tally.samples - tally.samples.mean(axis=1, keepdims=True)
    return (centred**2).mean(axis=1), (centred**3).mean(axis=1), (centred**4).mean(axis=1)


def _looked_up(numbers: Mapping[str, int] | None, keys: list[str]) -> Ints:
    """The number of each row's key; -1 where there is none."""
    return np.array([-1 if numbers is None else numbers.get(key, -1) for key in keys], dtype=np.int64)
