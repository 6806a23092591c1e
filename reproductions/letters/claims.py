"""What Kuleshov & Liang claim about the chain, as tests decided before the run."""

from collections.abc import Iterator

import numpy as np

from calib_core.arrays import Floats
from reproductions.findings import Claim
from reproductions.letters.results import LETTER, ONE, WORD, Results
from reproductions.resampling import Drawn, combined, difference, largest, smallest
from reproductions.structured.events import OWN, Parts
from reproductions.verdicts import Test

CALIBRATED = Test(
    "One feature, k-NN with k = 100 and 1,000 words calibrate the probability that a word is right.",
    "Calibration error without noise (ten buckets, squared)",
    high=0.001,
)
BETTER = Test("They lower the L2 loss of the model's own probability.", "L2 loss after minus before, words", high=0.0)
SHARP_ONLY = Test(
    "Features affect only sharpness.",
    "Range of calibration error minus range of sharpness, over groups of features; larger of words and letters",
    high=0.0,
)
SIMPLE = Test(
    "Length and dictionary can beat the margin between the two best words.",
    "L2 loss, length and dictionary minus margin",
    high=0.0,
)
CONCORDANCE = Test(
    "Concordance of marginals and best word improves on the margin of a letter alone.",
    "L2 loss, both minus margin",
    high=0.0,
)
COMPLEMENT = Test(
    "Features complement each other: marginals improve on what SVM and best word say.",
    "L2 loss, all features minus the best group without marginals; larger of words and letters",
    high=0.0,
)
CHEAP = Test(
    "Cheap features do almost as well as dear ones.",
    "L2 loss, pseudomargin minus margin of the marginal, letters; a tenth of the variance that the margin explains",
    high=0.1,
)
STABLE = Test(
    "Calibration error falls below 0.001 as the calibration set grows (k-NN and trees).",
    "Calibration error without noise with all calibration words, letters, margin by k-NN",
    high=0.001,
)


def claims(results: Results) -> Iterator[Claim]:
    """Every claim; draws are of words."""
    words, letters = results.parts(WORD), results.parts(LETTER)
    yield CALIBRATED.judged(words[ONE].calibration.estimate(), f"Before {words[OWN].calibration.value:.4f}.")
    yield BETTER.judged(difference(words[ONE].loss, words[OWN].loss).estimate())
    yield SHARP_ONLY.judged(largest(*(_ranges(parts) for parts in (words, letters))).estimate())
    yield SIMPLE.judged(difference(words["MAP: length, admissible"].loss, words["MAP: margin"].loss).estimate())
    both, alone = letters["marginals: margin, concordance"], letters["marginals: margin"]
    yield CONCORDANCE.judged(difference(both.loss, alone.loss).estimate())
    yield COMPLEMENT.judged(largest(*(_gain(parts) for parts in (words, letters))).estimate())
    lost = difference(letters["MAP: pseudomargin"].loss, alone.loss)
    yield CHEAP.judged(combined(np.divide, lost, alone.sharpness).estimate())
    yield STABLE.judged(alone.calibration.estimate(), _sizes(results))


def _ranges(parts: dict[str, Parts]) -> Drawn:
    groups = [one for name, one in parts.items() if name not in (OWN, ONE)]
    calibration, sharpness = ([getattr(one, what) for one in groups] for what in ("calibration", "sharpness"))
    return difference(combined(_range, *calibration), combined(_range, *sharpness))


def _gain(parts: dict[str, Parts]) -> Drawn:
    cheap = [one.loss for name, one in parts.items() if name.startswith(("none", "MAP"))]
    return difference(parts["all"].loss, smallest(*cheap))


def _sizes(results: Results) -> str:
    steps = sorted({size for _, size in results.sizes})
    texts = [
        f"{method} {results.sizes[method, steps[0]][0]:.5f} to {results.sizes[method, steps[-1]][0]:.5f}"
        for method in dict.fromkeys(method for method, _ in results.sizes)
    ]
    return f"With noise, from {steps[0]} to {steps[-1]:,} words: {'; '.join(texts)}."


def _range(*parts: Floats) -> Floats:
    return np.asarray(np.ptp(parts, axis=0))
