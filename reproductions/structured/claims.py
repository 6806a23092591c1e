"""What Kuleshov & Liang claim, as tests decided before the run.

Covers: the figure and the region of each claim; all are without noise, under draws of examples.
Not here: the figures (`results`), the page (`page`).
"""

from collections.abc import Iterator, Mapping

import numpy as np

from calib_core.arrays import Floats
from reproductions.findings import Claim
from reproductions.resampling import Drawn, combined, difference, largest, smallest
from reproductions.structured.charts import METHODS
from reproductions.structured.events import OWN, Parts
from reproductions.structured.results import FORECAST, LINK, ONE_VS_ALL, TAG, WHOLE, Results
from reproductions.verdicts import Test

CALIBRATED = Test(
    "One feature and k-NN with k = 100 calibrate every setting.",
    "Calibration error after (ten buckets, squared); largest of six settings",
    high=0.001,
)
MULTICLASS = Test(
    "In the multiclass task this beats one-vs-all recalibration.",
    "L2 loss, event forecaster minus one-vs-all; larger of both classifiers",
    high=0.0,
)
LOSS = Test(
    "It lowers the L2 loss of structured models out of the box.",
    "L2 loss after minus before; largest of four settings",
    high=0.0,
)
SHARP_ONLY = Test(
    "Features affect only sharpness, not calibration.",
    "Range of calibration error minus range of sharpness, over groups of features; largest of four settings",
    high=0.0,
)
PSEUDOMARGIN = Test(
    "In the intractable setting pseudomargins, which need MAP inference only, do almost as well as marginals.",
    "L2 loss, pseudomargin minus pair marginal, as a share of the marginal's sharpness; links",
    high=0.2,
)
COMPLEMENT = Test(
    "Features complement each other: all together do better than any group.",
    "L2 loss, all minus the best group; largest of four settings",
    high=0.0,
)
SIMPLE = Test(
    "For whole labellings simple features (length, admissibility) can beat the margin.",
    "L2 loss, length and admissibility minus margin; sentences",
    high=0.0,
)
SIZES = Test(
    "Calibration error falls below 0.001 as the calibration set grows.",
    "Calibration error with the whole calibration set, tags, margin by k-NN",
    high=0.001,
)


def claims(results: Results) -> Iterator[Claim]:
    """Every claim; the smallest and largest are of every draw, so that choosing among settings costs width."""
    simple, features = results.simple_parts, results.feature_parts
    after = {name: ways[FORECAST].calibration for name, ways in simple.items()}
    yield CALIBRATED.judged(largest(*after.values()).estimate(), _each(after))
    digits = [ways for ways in simple.values() if ONE_VS_ALL in ways]
    yield MULTICLASS.judged(largest(*(_gap(ways, FORECAST, ONE_VS_ALL) for ways in digits)).estimate())
    gains = {name: _gap(simple[name], FORECAST, OWN) for name in results.gains}
    yield LOSS.judged(
        largest(*gains.values()).estimate(),
        f"{_each(gains)} Ours are close to calibrated to begin with, being trained by likelihood with exact inference, "
        "so there is little to win, and a margin alone knows less than the model's own probability.",
    )
    yield SHARP_ONLY.judged(largest(*map(_ranges, features.values())).estimate())
    cheap, dear = features[LINK]["MAP: pseudomargin"], features[LINK]["marginals: pair"]
    lost = combined(np.divide, difference(cheap.loss, dear.loss), dear.sharpness)
    yield PSEUDOMARGIN.judged(
        lost.estimate(),
        "A pair's marginal sums over all chains that can join two mentions; with the others held fixed that is lost.",
    )
    together = {name: _complement(groups) for name, groups in features.items()}
    yield COMPLEMENT.judged(largest(*together.values()).estimate(), _each(together))
    whole = features[WHOLE]
    yield SIMPLE.judged(
        _gap(whole, "MAP: length, admissible", "MAP: margin").estimate(),
        "Nothing here is as telling as their dictionary of words.",
    )
    yield SIZES.judged(features[TAG]["marginals: margin"].calibration.estimate(), _sizes(results))


def _gap(ways: Mapping[str, Parts], one: str, other: str) -> Drawn:
    return difference(ways[one].loss, ways[other].loss)


def _ranges(groups: Mapping[str, Parts]) -> Drawn:
    parts = [one for label, one in groups.items() if label != OWN]
    calibration, sharpness = ([getattr(one, what) for one in parts] for what in ("calibration", "sharpness"))
    return difference(combined(_range, *calibration), combined(_range, *sharpness))


def _range(*parts: Floats) -> Floats:
    return np.asarray(np.ptp(parts, axis=0))


def _complement(groups: Mapping[str, Parts]) -> Drawn:
    return difference(
        groups["all"].loss, smallest(*(one.loss for label, one in groups.items() if label not in (OWN, "all")))
    )


def _each(figures: Mapping[str, Drawn]) -> str:
    return "Each: " + "; ".join(f"{name} {one.value:+.4f}" for name, one in figures.items()) + "."


def _sizes(results: Results) -> str:
    steps = sorted({size for _, size in results.sizes})
    texts = [
        f"{name} {results.sizes[method, steps[0]][0]:.5f} to {results.sizes[method, steps[-1]][0]:.5f}"
        for method, name in METHODS.items()
    ]
    return f"With noise, from {steps[0]} to {steps[-1]} sentences: {'; '.join(texts)}."
