"""How far the debiased error is from the true one, by bin size: what `recommended_bin_size` rests on."""

from collections.abc import Callable

import numpy as np
from scipy.special import expit, logit

from benchmarks.measure import Row
from calib_core.calibration import bin_size_sweep, distort, recommended_bin_size

SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "perfect": lambda q: q,
    "shift 0.02": lambda q: distort(q, 0.02),
    "shift 0.1": lambda q: distort(q, 0.1),
    "temperature 1.3": lambda q: expit(logit(np.clip(q, 1e-12, 1 - 1e-12)) / 1.3),
}
"""True frequency behind a prediction: two jumps at 0.5, and a smooth overconfidence."""
SIZES = [200, 500, 1000, 2000, 5000, 10_000, 20_000]


def run() -> list[Row]:
    """Root mean squared difference over samples, for each shape, number of rows and bin size."""
    rows = []
    for n, repeats in ((10_000, 40), (100_000, 40), (1_000_000, 10)):
        for name, frequency in SHAPES.items():
            rows += shape_rows(name, frequency, n, repeats)
    return rows


def shape_rows(name: str, frequency: Callable[[np.ndarray], np.ndarray], n: int, repeats: int) -> list[Row]:
    """The figures of one shape and number of rows, the recommended size and the cross-validated one marked."""
    sizes = [size for size in SIZES if size <= n // 2]
    many = np.random.default_rng(123).beta(0.2, 0.6, 4_000_000)
    truth, found, chosen = np.sqrt(np.mean((frequency(many) - many) ** 2)), [], []
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        pred = rng.beta(0.2, 0.6, n)
        sweep = bin_size_sweep(pred, rng.random(n) < frequency(pred), bin_sizes=sizes)
        found.append(sweep.debiased)
        chosen.append(sweep.debiased[sizes.index(sweep.best)])
    where = f"{name}, {n:,} rows, true error {truth:.4f}"
    off = np.sqrt(((np.array(found) - truth) ** 2).mean(axis=0))
    marks = {recommended_bin_size(n): " (recommended)"}
    rows = [
        Row(f"bins of {size:,}{marks.get(size, '')}", where, float(o), "off")
        for size, o in zip(sizes, off, strict=True)
    ]
    return [*rows, Row("cross-validated", where, float(np.sqrt(np.mean((np.array(chosen) - truth) ** 2))), "off")]
