"""How often 95 % intervals hold the truth, and how often tests raise a false alarm, on generated pairs.

The figures of docs/calibration-core.md; the tests hold the same functions to their targets.
"""

import numpy as np

from benchmarks.measure import Row
from calib_core.calibration import (
    calibration_error_interval,
    calibration_test,
    cluster_bootstrap,
    debiased_error_interval,
    distort,
    synthetic_documents,
    synthetic_pairs,
)

SETTINGS = [
    (20_000, 500, 0.2, 0.6, 0.0),
    (20_000, 500, 0.2, 0.6, 0.05),
    (20_000, 500, 0.2, 0.6, 0.2),
    (2_000, 200, 0.2, 0.6, 0.1),
    (2_000, 200, 1.0, 1.0, 0.02),
    (100_000, 5000, 0.05, 2.0, 0.0),
    (100_000, 5000, 0.05, 2.0, 0.01),
]
"""Rows, rows per bin, shape of the predictions' beta distribution, and the shift k of the thesis (0: perfect)."""


def run(repeats: int = 400) -> list[Row]:
    """All the figures; a few minutes."""
    rows = []
    for n, bin_size, a, b, k in SETTINGS:
        where = f"{n:,} rows, bins of {bin_size:,}, Beta({a:g}, {b:g}), k = {k:g}"
        paper, debiased = independent_coverage(n, bin_size, a, b, k, repeats)
        rows += [Row("Algorithm 2 covers", where, 100 * paper, "%"), Row("debiased covers", where, 100 * debiased, "%")]
        if not k:
            rows.append(Row("test's false alarms", where, 100 * false_alarms(n, bin_size, a, b, repeats), "%"))
    for k in (0.0, 0.05, 0.2):
        where = f"100 documents of 200 rows that err together, bins of 1,000, k = {k:g}"
        alone, together = grouped_coverage(k, repeats)
        rows += [
            Row("debiased covers", where, 100 * alone, "%"),
            Row("cluster bootstrap covers", where, 100 * together, "%"),
        ]
    plain, grouped = grouped_false_alarms(repeats)
    rows.append(Row("test's false alarms, rows taken as independent", "the same documents, k = 0", 100 * plain, "%"))
    rows.append(Row("test's false alarms, by document", "the same documents, k = 0", 100 * grouped, "%"))
    return rows


def independent_coverage(n: int, bin_size: int, a: float, b: float, k: float, repeats: int) -> tuple[float, float]:
    """Share of samples in which Algorithm 2's and the debiased interval hold the true binned error."""
    held = np.zeros(2)
    for seed in range(repeats):
        pred, label = synthetic_pairs(n, a=a, b=b, k=k, seed=seed)
        truth = true_binned_error(pred, distort(pred, k), bin_size)
        paper = calibration_error_interval(pred, label, bin_size=bin_size, n_samples=200, seed=seed)
        debiased = debiased_error_interval(pred, label, bin_size=bin_size)
        held += [found.lo <= truth <= found.hi for found in (paper, debiased)]
    return tuple((held / repeats).tolist())


def grouped_coverage(k: float, repeats: int) -> tuple[float, float]:
    """Share of samples in which the debiased interval and the cluster bootstrap hold it; documents err together."""
    held = np.zeros(2)
    for seed in range(repeats):
        pred, label, document = synthetic_documents(100, 200, k=k, seed=seed)
        truth = true_binned_error(pred, distort(pred, k), 1000)
        alone = debiased_error_interval(pred, label, bin_size=1000)
        together = cluster_bootstrap(pred, label, document, bin_size=1000, n_samples=300, seed=seed)
        held += [found.lo <= truth <= found.hi for found in (alone, together)]
    return tuple((held / repeats).tolist())


def false_alarms(n: int, bin_size: int, a: float, b: float, repeats: int) -> float:
    """Share of perfectly calibrated samples that the test calls miscalibrated at 5 %."""
    samples = (synthetic_pairs(n, a=a, b=b, seed=seed) for seed in range(repeats))
    return float(np.mean([calibration_test(*pairs, bin_size=bin_size).p_value <= 0.05 for pairs in samples]))


def grouped_false_alarms(repeats: int) -> tuple[float, float]:
    """The same when documents err together: rows taken as independent, and by document."""
    alarms = np.zeros(2)
    for seed in range(repeats):
        pred, label, document = synthetic_documents(100, 200, seed=seed)
        plain = calibration_test(pred, label, bin_size=1000)
        grouped = calibration_test(pred, label, bin_size=1000, groups=document, n_samples=300, seed=seed)
        alarms += [found.p_value <= 0.05 for found in (plain, grouped)]
    return tuple((alarms / repeats).tolist())


def true_binned_error(pred: np.ndarray, frequency: np.ndarray, bin_size: int) -> float:
    """What the error would be in the same bins if the true frequencies were known."""
    gap = (pred - frequency)[np.argsort(pred)].reshape(-1, bin_size).mean(axis=1)
    return float(np.sqrt((gap**2).mean()))
