"""Posterior counts as the page's charts need them, bounded in size.

Covers: which countries are shown, the figures of each period, samples packed into bytes for comparisons.
Not here: drawing (`assets/`), articles (`articles`).
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calib_core.events import Counts
from calib_core.events.dyads import DYAD
from calib_core.events.query import NOBODY
from flows.report.periods import SPANS, Axis, Span

MAX_COUNTRIES, MAX_PAIRS, MAX_CELLS = 80, 240, 60_000
SAMPLE_BYTES = 2_400_000
"""For the samples of all cells together; base64 makes them a third larger."""


@dataclass(frozen=True, slots=True)
class Country:
    """A country over the whole time: posterior mean and sd of its total, quantiles of the samples, the 1-best total."""

    code: str
    name: str
    mean: float
    sd: float
    lo: float
    hi: float
    best: int


def ranked_countries(counts: Counts, names: Mapping[str, str]) -> list[Country]:
    """All countries, those with the largest expected total first."""
    codes = np.array([country for _, country in counts.cells])
    found = []
    for code in sorted(set(codes.tolist())):
        rows = codes == code
        total = counts.samples[rows].sum(axis=0)
        lo, hi = np.quantile(total, (0.025, 0.975), method="inverted_cdf")
        mean, sd, best = float(total.mean()), float(total.std(ddof=1)), int(counts.map_count[rows].sum())
        found.append(Country(code, names.get(code, code), mean, sd, float(lo), float(hi), best))
    return sorted(found, key=lambda country: (-country.mean, country.code))


def shown_countries(countries: Sequence[Country], counts: Iterable[Counts], first: Sequence[str] = ()) -> list[Country]:
    """As many countries, and pairs, as fit on a page: the requested ones, then those with the most expected events."""
    sizes = Counter(country for part in counts for _, country in part.cells)
    ordered = sorted(countries, key=lambda country: country.code not in first)
    pairs = np.array([DYAD in country.code for country in ordered], dtype=np.bool_)
    fits = np.where(pairs, np.cumsum(pairs) <= MAX_PAIRS, np.cumsum(~pairs) <= MAX_COUNTRIES)
    ordered = [country for country, fit in zip(ordered, fits, strict=True) if fit]
    cells = np.cumsum([sizes[country.code] for country in ordered])
    return [country for country, total in zip(ordered, cells, strict=True) if total <= MAX_CELLS]


def starting_pair(counts: Counts, shown: Sequence[Country]) -> list[str]:
    """Two rows to compare: a pair both ways, or the first country and the one counted most in the same periods."""
    places = {country.code for country in shown}
    for country in shown:
        agent, joined, target = country.code.partition(DYAD)
        if joined and NOBODY not in (agent, target) and (back := f"{target}{DYAD}{agent}") in places:
            return [country.code, back]
    if len(shown) < 2:
        return [country.code for country in shown]
    means: dict[str, dict[str, float]] = {}
    for (key, code), mean in zip(counts.cells, counts.mean.tolist(), strict=True):
        means.setdefault(code, {})[key] = mean
    first = means[shown[0].code]

    def shared(country: Country) -> float:
        return sum(min(mean, first.get(key, 0.0)) for key, mean in means[country.code].items())

    return [shown[0].code, max(shown[1:], key=shared).code]


def series(counts: Mapping[Span, Counts], axes: Mapping[Span, Axis], shown: Sequence[Country]) -> dict[str, Any]:
    """The cells of every span, in columns, with as many samples as fit."""
    position = {country.code: number for number, country in enumerate(shown)}
    kept = {span: [row for row, (_, c) in enumerate(counts[span].cells) if c in position] for span in SPANS}
    n_cells = max(1, sum(map(len, kept.values())))
    widths = {span: 1 if counts[span].samples[kept[span]].max(initial=0) < 256 else 2 for span in SPANS}
    held = min(part.samples.shape[1] for part in counts.values())
    n_samples = min(held, max(2, SAMPLE_BYTES // (n_cells * max(widths.values()))))
    return {
        span: _columns(counts[span], kept[span], axes[span], position, n_samples, widths[span]) for span in SPANS
    } | {"samples": n_samples}


def _columns(
    counts: Counts, rows: list[int], axis: Axis, position: Mapping[str, int], n_samples: int, width: int
) -> dict[str, Any]:
    period = {key: number for number, key in enumerate(axis.keys)}
    cells = [counts.cells[row] for row in rows]
    samples = counts.samples[rows, :n_samples].astype(np.uint8 if width == 1 else "<u2")
    return {
        "period": [period[key] for key, _ in cells],
        "country": [position[country] for _, country in cells],
        "mean": np.round(counts.mean[rows], 3).tolist(),
        "sd": np.round(counts.sd[rows], 3).tolist(),
        "q025": counts.q025[rows].tolist(),
        "q975": counts.q975[rows].tolist(),
        "map": counts.map_count[rows].tolist(),
        "samples": b64encode(samples.tobytes()).decode("ascii"),
        "width": width,
    }
