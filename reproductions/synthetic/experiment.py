"""Experiment `synthetic`: how bin size and sample size move the calibration score, on pairs whose truth is known.

Covers: the three studies of the thesis, section 4.3, each with the curve that theory predicts.
Not here: the generator and its true error (`calib_core.calibration.synthetic`).
"""

from functools import cache

import numpy as np
from scipy.stats import beta

from calib_core.arrays import Floats, Ints
from calib_core.calibration import bin_size_sweep, distort, synthetic_pairs, true_calibration_error
from reproductions.findings import DataFolder, Findings, Progress
from reproductions.synthetic.page import Study, page

SHAPES = ((0.2, 0.6), (0.5, 0.5), (1.0, 1.0), (2.0, 5.0))
"""Beta distributions of the predictions; the first, crowded near 0 as tag probabilities are, is the one drawn."""
SHIFT = 0.1
"""The k of the uncalibrated predictor."""
N_PAIRS = 100_000
DOUBLED = 2 ** np.arange(1, 17)
SPACED = np.arange(1_000, 51_000, 1_000)
SAMPLES = np.array([*range(10_000, 51_000, 2_000), 100_000, 200_000, 500_000, 1_000_000])
"""The thesis stops at 50,000."""
_GRID = 2**18


@cache
def _quantiles(a: float, b: float) -> Floats:
    return beta.ppf((np.arange(_GRID) + 0.5) / _GRID, a, b)


def expected_score(n: int, bin_size: int, *, k: float, a: float, b: float) -> float:
    """Expected CalibMSE of n generated pairs in adaptive bins.

    In each bin the squared gap that averaging leaves, and the variance of the observed frequency, both computed on the
    quantiles of the predictions. Bins finer than the grid of quantiles average nothing away.
    """
    pred = _quantiles(a, b)
    truth = distort(pred, k)
    n_bins = max(1, n // bin_size)
    if n_bins > _GRID // 16:
        return float(np.mean((pred - truth) ** 2) + np.mean(truth * (1 - truth)) / bin_size)
    cuts = (np.arange(n_bins) * bin_size / n * _GRID).astype(np.int64)
    inside = np.diff(np.append(cuts, _GRID))
    gap, variance = (np.add.reduceat(x, cuts) / inside for x in (pred - truth, truth * (1 - truth)))
    rows = np.full(n_bins, bin_size)
    rows[-1] = n - bin_size * (n_bins - 1)  # a short remainder joins the last bin
    return float((rows / n) @ (gap**2 + variance / rows))


def bin_size_study(sizes: Ints, n_draws: int, seed: int, *, k: float, shape: tuple[float, float]) -> Study:
    """Scores of the same pairs under each bin size."""
    a, b = shape
    scores = [
        bin_size_sweep(*synthetic_pairs(N_PAIRS, a=a, b=b, k=k, seed=seed + draw), bin_sizes=sizes).error ** 2
        for draw in range(n_draws)
    ]
    theory = [expected_score(N_PAIRS, int(size), k=k, a=a, b=b) for size in sizes]
    return Study(sizes, np.array(scores), np.array(theory))


def sample_size_study(sizes: Ints, n_draws: int, seed: int, *, k: float, shape: tuple[float, float]) -> Study:
    """Scores of samples of each size, in bins of the square root of it."""
    a, b = shape
    scores = np.empty((n_draws, len(sizes)))
    for column, n in enumerate(sizes.tolist()):
        for draw in range(n_draws):
            pairs = synthetic_pairs(n, a=a, b=b, k=k, seed=seed + 1000 * column + draw)
            scores[draw, column] = bin_size_sweep(*pairs, bin_sizes=[int(np.sqrt(n))]).error[0] ** 2
    theory = [expected_score(n, int(np.sqrt(n)), k=k, a=a, b=b) for n in sizes.tolist()]
    return Study(sizes, scores, np.array(theory))


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Run all three studies; no data are needed."""
    del data
    studies: dict[str, Study] = {}
    progress.stage("bin sizes and sample sizes", 6 + len(SHAPES))
    for name, k in (("perfect", 0.0), ("uncalibrated", SHIFT)):
        studies[f"doubled, {name}"] = bin_size_study(DOUBLED, 100, seed, k=k, shape=SHAPES[0])
        progress.advance("bin sizes doubled")
        studies[f"spaced, {name}"] = bin_size_study(SPACED, 100, seed, k=k, shape=SHAPES[0])
        progress.advance("bin sizes spaced")
        studies[f"samples, {name}"] = sample_size_study(SAMPLES, 20, seed, k=k, shape=SHAPES[0])
        progress.advance("sample sizes")
    others = []
    for shape in SHAPES[1:]:
        others.append(bin_size_study(DOUBLED, 10, seed, k=0.0, shape=shape))
        progress.advance("other distributions")
    return page(studies, others, SHAPES[1:], true_calibration_error(k=SHIFT) ** 2)
