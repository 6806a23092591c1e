"""What section 5 claims, as tests decided before the run.

Covers: the figure and the region of each claim.
Not here: the figures (`measures`), the page (`experiment`).
"""

from collections.abc import Iterator

import numpy as np

from reproductions.coref.measures import HIGH, MIDDLE, Measured, Repeated
from reproductions.findings import Claim
from reproductions.resampling import Drawn, ratio
from reproductions.verdicts import Test

CROSSED = Test(
    "The antecedent model is well calibrated on pairs: CalibErr below 0.01.",
    "CalibErr without noise of pairs, OntoGUM train by repeated cross-validation; theirs 0.0087 over 4.3 million",
    high=0.01,
)
DEV = Test("The shipped weights are as well calibrated.", "The same, OntoGUM dev", high=0.01)
OVER = Test(
    "It is slightly overconfident on middle to high-valued predictions.",
    f"Prediction minus frequency above {MIDDLE}, repeated cross-validation",
    low=0.0,
)
OVER_DEV = Test("So are the shipped weights.", "The same, OntoGUM dev", low=0.0)
SAMPLES = Test(
    "1,000 samples per document are enough to measure this.",
    "CalibErr without noise by samples over the exact one, OntoGUM dev",
    0.9,
    1.1,
)
FAR = Test(
    "Ours: it stays calibrated on other kinds of text.",
    "CalibErr without noise, LitBank over OntoGUM dev",
    high=2.0,
)


def claims(sets: tuple[Measured, ...], crossed: Repeated) -> Iterator[Claim]:
    """Every claim; intervals draw documents."""
    dev, sampled, _, far, novels = sets
    yield CROSSED.judged(
        crossed.error.estimate(),
        f"Mean of {len(crossed.each)} repetitions, which lie between {min(crossed.each):.4f} and "
        f"{max(crossed.each):.4f}. Most pairs are near 0, which flatters any model: among those above 0.01 the error "
        f"is {sets[2].likely.value:.3f} here and {dev.likely.value:.3f} on dev.",
    )
    yield DEV.judged(dev.drawn.estimate(), "Dev has 30 documents, and pairs of one document err together.")
    yield OVER.judged(crossed.gap.estimate(), _share_text(sets[2]))
    yield OVER_DEV.judged(dev.over.estimate(), _share_text(dev))
    yield SAMPLES.judged(
        ratio(sampled.drawn, dev.drawn).estimate(), "The exact marginals need one pass and no samples."
    )
    yield FAR.judged(
        _unpaired_ratio(far.drawn, dev.drawn).estimate(),
        f"Over annotated mentions alone CalibErr is {novels.error.value:.3f}. Both figures are biased: unannotated "
        "entities make labels too low, and annotated mentions are known to refer, which the model must guess. Of the "
        f"pairs of annotated mentions {novels.rate:.3f} corefer, where it expects {novels.mean_pred:.3f}: in novels a "
        "few characters make up most mentions. Recalibrate on the kind of text you want to count.",
    )


def _share_text(found: Measured) -> str:
    return f"Of the pairs above {HIGH} one document holds {found.largest:.0%}."


def _unpaired_ratio(one: Drawn, other: Drawn) -> Drawn:
    """A ratio of figures whose documents have nothing to do with each other."""
    order = np.random.default_rng(1).permutation(len(other.draws))
    return ratio(one, Drawn(other.value, other.draws[order]))
