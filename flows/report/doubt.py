"""Where the doubt about a count comes from: coreference, syntax, or both together.

Covers: shares of the variance, of each country and of all.
Not here: the variances themselves (`calib_core.events.variance`).

Articles are independent given the text, so their variances add up to the count's. The parts are estimates from samples
and may come out a little below 0 where there is little to divide.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from calib_core.arrays import Bools, Floats
from calib_core.events.dyads import DYAD
from flows.report.rows import EventRows

Shares = list[float]
"""From coreference alone, from syntax alone, from both together; they add up to 1."""


def doubt_data(rows: EventRows, codes: list[str]) -> dict[str, Any] | None:
    """Shares for all articles and for some countries; None if no sample doubted a tree, or the run does not tell."""
    if rows.from_syntax is None or rows.from_coreference is None or rows.variance is None or not rows.from_syntax.any():
        return None
    country = np.array(rows.country, dtype=np.str_)
    parts = rows.variance, rows.from_coreference, rows.from_syntax
    single = np.array([DYAD not in code for code in rows.country], dtype=np.bool_)
    countries: Mapping[str, Shares | None] = {code: _shares(country == code, *parts) for code in codes}
    return {"all": _shares(single, *parts), "countries": {code: found for code, found in countries.items() if found}}


def _shares(chosen: Bools, variance: Floats, coreference: Floats, syntax: Floats) -> Shares | None:
    total = float(variance[chosen].sum())
    if not total:
        return None
    first, second = float(coreference[chosen].sum()) / total, float(syntax[chosen].sum()) / total
    return [round(share, 3) for share in (first, second, 1 - first - second)]
