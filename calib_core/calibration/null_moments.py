"""Moments of CalibMSE under perfect calibration, where they depend only on the predictions."""

from typing import NamedTuple

import numpy as np

from calib_core.arrays import Floats, Ints


class NullMoments(NamedTuple):
    """Moments of CalibMSE when the labels are independent Bernoulli(prediction)."""

    mean: float
    variance: float
    third: float
    """Third central moment."""


def null_moments(pred: Floats, cuts: Ints) -> NullMoments:
    """Exact moments for sorted predictions, cut into bins at `cuts` (including 0 and n).

    A bin's number of positives is Poisson-binomial, so its cumulants are sums of its rows' Bernoulli cumulants. They
    give the moments of its squared deviation. Bins are independent, so their moments add up.
    """
    v = pred * (1 - pred)
    k2, k3, k4, k6 = (
        np.add.reduceat(rows, cuts[:-1])
        for rows in (v, v * (1 - 2 * pred), v * (1 - 6 * v), v * (1 - 30 * v + 120 * v**2))
    )
    m4 = k4 + 3 * k2**2
    m6 = k6 + 15 * k4 * k2 + 10 * k3**2 + 15 * k2**3
    size, n = np.diff(cuts).astype(np.float64), float(len(pred))
    return NullMoments(
        mean=float((k2 / size).sum() / n),
        variance=float(((m4 - k2**2) / size**2).sum() / n**2),
        third=float(((m6 - 3 * m4 * k2 + 2 * k2**3) / size**3).sum() / n**3),
    )
