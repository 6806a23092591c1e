"""Is one count larger than another? Sample by sample, so that what two rows share cancels.

Covers: two rows of one counts table, or two countries key by key.
Not here: the counts (`posterior`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Ints
from calib_core.events.posterior import Counts, Z
from calib_core.events.tallying import Cell


@dataclass(frozen=True, slots=True)
class Comparison:
    """Row a against row b, over the posterior samples.

    Attributes
    ----------
    a, b : (key, country)
    p_greater, p_equal, p_less : float
        Share of samples in which a's count is above, equal to, below b's. They sum to 1.
    difference, sd : float
        Mean and standard deviation of a − b.
    lo, hi : float
        difference ± 1.96 sd, as the paper does for counts.
    q025, q500, q975 : int
        Quantiles of a − b among the samples.
    p_error, difference_error : float
        Monte Carlo standard errors of `p_greater` and `difference`. Where all samples agree, `p_error` is that of one
        dissenting sample: agreement of S samples does not prove certainty.
    """

    a: Cell
    b: Cell
    p_greater: float
    p_equal: float
    p_less: float
    difference: float
    sd: float
    lo: float
    hi: float
    q025: int
    q500: int
    q975: int
    p_error: float
    difference_error: float


def compare(counts: Counts, a: Cell, b: Cell) -> Comparison:
    """Compare two rows, each given as (key, country); a row that is not there is zero in every sample.

    A key or a country that no row has is refused: more likely a slip ("1987-Q1", "UK") than a zero.

    Notes
    -----
    Two countries in one quarter depend on the same documents and the same clusterings; sample s has the same ones in
    both rows, so the difference has the right spread without any assumption about their correlation.
    """
    difference = _samples(counts, a) - _samples(counts, b)
    n = len(difference)
    greater = float((difference > 0).mean())
    mean, sd = float(difference.mean()), float(difference.std(ddof=1))
    low, middle, high = (int(q) for q in np.quantile(difference, (0.025, 0.5, 0.975), method="inverted_cdf"))
    doubt = min(max(greater, 1 / n), 1 - 1 / n)
    return Comparison(
        a=a, b=b, p_greater=greater, p_equal=float((difference == 0).mean()), p_less=float((difference < 0).mean()),
        difference=mean, sd=sd, lo=mean - Z * sd, hi=mean + Z * sd, q025=low, q500=middle, q975=high,
        p_error=float(np.sqrt(doubt * (1 - doubt) / n)), difference_error=sd / float(np.sqrt(n)),
    )  # fmt: skip


def compare_countries(counts: Counts, a: str, b: str) -> tuple[Comparison, ...]:
    """Compare two countries in every key in which one of them was counted, in the keys' order."""
    keys = sorted({key for key, country in counts.cells if country in (a, b)})
    if not keys:
        raise ValueError(f"neither {a!r} nor {b!r} occurs in the counts")
    return tuple(compare(counts, (key, a), (key, b)) for key in keys)


def _samples(counts: Counts, cell: Cell) -> Ints:
    """The samples of a row, zeros where there is none, though its key and its country occur."""
    row = counts.row(cell)
    for place, name in enumerate(("key", "country")):
        if all(known[place] != cell[place] for known in counts.cells):
            raise ValueError(f"{name} {cell[place]!r} occurs nowhere in the counts")
    return np.zeros(counts.samples.shape[1], dtype=np.int64) if row is None else counts.samples[row]
