"""What the recalibration experiment says: tables, pictures, claims."""

from collections.abc import Mapping

import numpy as np

from reproductions.findings import Claim, Findings, Holds, Picture, Row
from reproductions.structured.charts import METHODS, curves_chart, features_chart, sizes_chart
from reproductions.structured.events import Scored
from reproductions.structured.results import CLUSTER, FORECAST, LINK, ONE_VS_ALL, OWN, TAG, WHOLE, Results
from reproductions.structured.tables import Panels, panel_rows, panel_table, size_rows, size_table


def page(results: Results) -> Findings:
    """All of the page."""
    simple = _simple_panels(results)
    gains = [
        Row(
            "L2 loss before minus after, one feature",
            f"{name}, {results.n_events[name][0]:,} events to fit on, {results.n_events[name][1]:,} to test on",
            gain.value,
            lo=gain.lo,
            hi=gain.hi,
        )
        for name, gain in results.gains.items()
    ]
    return Findings(
        they=THEY,
        we=WE,
        data=DATA,
        rows=(
            *gains,
            *panel_rows("One feature", simple),
            *panel_rows("Features", results.features),
            *size_rows(results.sizes),
        ),
        wide="\n\n".join(
            [
                panel_table("One feature, k-NN with k = 100 (Figure 2)", simple),
                panel_table("Features by cost (Figure 3)", results.features),
                size_table("Size of the calibration set (Figure 4)", results.sizes),
            ]
        ),
        pictures=(
            Picture("", CURVES, curves_chart(simple)),
            Picture("features", FEATURES, features_chart(results.features)),
            Picture("sizes", SIZES, sizes_chart(results.sizes)),
        ),
        claims=_claims(results),
        verdict=_verdict(results),
    )


def _simple_panels(results: Results) -> Panels:
    multiclass = {
        f"digits, {name}": {OWN: found.own, ONE_VS_ALL: found.one_vs_all, FORECAST: found.events}
        for name, found in results.digits.items()
    }
    return {**multiclass, **results.simple}


def _claims(results: Results) -> tuple[Claim, ...]:
    return (
        _claim_calibrated(results),
        _claim_multiclass(results),
        _claim_loss(results),
        _claim_sharpness(results),
        _claim_pseudomargin(results),
        _claim_complement(results),
        _claim_simple(results),
        _claim_sizes(results),
    )


def _share(held: int, of: int) -> Holds:
    return "yes" if held == of else ("partly" if held else "no")


def _claim_calibrated(results: Results) -> Claim:
    panels = _simple_panels(results)
    better = [ways[FORECAST].calibration < ways[OWN].calibration for ways in panels.values()]
    texts = [f"{name} {_change(ways, 'calibration')}" for name, ways in panels.items()]
    noise, n = _noise(results.simple[CLUSTER][FORECAST], results.n_events[CLUSTER][1]), results.n_events[CLUSTER][1]
    return Claim(
        "One feature and k-NN with k = 100 calibrate every setting.",
        _share(sum(better), len(better)),
        f"Calibration error falls in {sum(better)} of {len(better)}: {'; '.join(texts)}. Of the last figure "
        f"{noise:.4f} is what {n} events in ten buckets show by chance.",
    )


def _noise(found: Scored, n: int) -> float:
    """Calibration error that buckets with these frequencies show on average if the forecasts are right."""
    return float((found.bins.mean_label * (1 - found.bins.mean_label)).sum() / n)


def _change(ways: Mapping[str, Scored], measure: str) -> str:
    return f"{getattr(ways[OWN], measure):.4f} to {getattr(ways[FORECAST], measure):.4f}"


def _claim_multiclass(results: Results) -> Claim:
    better = [found.events.loss < found.one_vs_all.loss for found in results.digits.values()]
    texts = [f"{name} {d.events.loss:.4f} against {d.one_vs_all.loss:.4f}" for name, d in results.digits.items()]
    return Claim(
        "In the multiclass task it beats one-vs-all recalibration.",
        _share(sum(better), len(better)),
        f"L2 loss: {'; '.join(texts)}.",
    )


def _claim_loss(results: Results) -> Claim:
    gains = results.gains
    clear = [gain.lo > 0 for gain in gains.values()]
    texts = [f"{name} {gain.value:+.4f} ({gain.lo:+.4f} to {gain.hi:+.4f})" for name, gain in gains.items()]
    best = [f"{name} {groups[OWN].loss:.4f} to {_best(groups):.4f}" for name, groups in results.features.items()]
    return Claim(
        "It lowers the L2 loss of structured models out of the box.",
        _share(sum(clear), len(clear)),
        f"Loss before minus after: {'; '.join(texts)}. Ours are close to calibrated to begin with, being trained by "
        "likelihood with exact inference, so there is little to win, and a margin alone knows less than the model's "
        f"own probability. With the group of features that does best on these test events: {'; '.join(best)}.",
    )


def _best(groups: Mapping[str, Scored]) -> float:
    """The lowest loss of any group of features."""
    return min(found.loss for label, found in groups.items() if label != OWN)


def _claim_sharpness(results: Results) -> Claim:
    texts, held = [], []
    for name, groups in results.features.items():
        others = [found for label, found in groups.items() if label != OWN]
        calibration, sharpness = ([getattr(found, m) for found in others] for m in ("calibration", "sharpness"))
        held.append(float(np.ptp(calibration)) < float(np.ptp(sharpness)))
        texts.append(f"{name}: calibration error up to {max(calibration):.4f}, sharpness {min(sharpness):.4f} to "
                     f"{max(sharpness):.4f}")  # fmt: skip
    return Claim(
        "Features affect only sharpness, not calibration.",
        _share(sum(held), len(held)),
        f"Over the groups of features, {'; '.join(texts)}.",
    )


def _claim_pseudomargin(results: Results) -> Claim:
    links = results.features[LINK]
    cheap, dear = links["MAP: pseudomargin"], links["marginals: pair"]
    base = dear.loss + dear.sharpness - dear.calibration  # the loss of the base rate, but for what buckets hide
    reached = (base - cheap.loss) / (base - dear.loss)
    tags = results.features[TAG]
    return Claim(
        "In the intractable setting pseudomargins, which need MAP inference only, do almost as well as marginals.",
        "yes" if reached > 0.8 else ("partly" if reached > 0.5 else "no"),
        f"Links: L2 loss {cheap.loss:.4f} against {dear.loss:.4f}, which is {100 * reached:.0f} % of what the "
        "marginals take off the base rate's loss. A pair's marginal sums over all chains that can join two "
        f"mentions; with the others held fixed that is lost. Tags: {tags['MAP: pseudomargin'].loss:.4f} against "
        f"{tags['marginals: margin'].loss:.4f}.",
    )


def _claim_complement(results: Results) -> Claim:
    held, texts = [], []
    for name, groups in results.features.items():
        single = min(found.loss for label, found in groups.items() if label not in (OWN, "all"))
        held.append(groups["all"].loss < single)
        texts.append(f"{name} {groups['all'].loss:.4f} against {single:.4f}")
    return Claim(
        "Features complement each other: all together do better than any group.",
        _share(sum(held), len(held)),
        f"L2 loss of all against the best group: {'; '.join(texts)}. Where calibration events are few, a tree over "
        "many features loses more to noise than it gains.",
    )


def _claim_simple(results: Results) -> Claim:
    whole = results.features[WHOLE]
    simple, margin = whole["MAP: length, admissible"], whole["MAP: margin"]
    return Claim(
        "For whole labellings simple features (length, admissibility) can beat the margin.",
        "yes" if simple.loss < margin.loss else "no",
        f"L2 loss {simple.loss:.4f} against {margin.loss:.4f}. Admissibility does help (length alone: "
        f"{whole['MAP: length'].loss:.4f}), but nothing here is as telling as their dictionary of words.",
    )


def _claim_sizes(results: Results) -> Claim:
    steps = sorted({size for _, size in results.sizes})
    first, last = steps[0], steps[-1]
    falls = all(results.sizes[m, last][0] < results.sizes[m, first][0] for m in METHODS)
    low = all(results.sizes[m, last][0] < 1e-3 for m in METHODS)
    texts = [
        f"{name} {results.sizes[m, first][0]:.5f} to {results.sizes[m, last][0]:.5f}, sharpness "
        f"{results.sizes[m, first][1]:.4f} to {results.sizes[m, last][1]:.4f}"
        for m, name in METHODS.items()
    ]
    return Claim(
        "Calibration error falls with the size of the calibration set, soon below 0.001, while sharpness stays.",
        "yes" if falls and low else ("partly" if falls else "no"),
        f"From {first} to {last} sentences: {'; '.join(texts)}.",
    )


def _verdict(results: Results) -> str:
    svm, whole = results.digits["linear SVM"], results.simple[WHOLE]
    return (
        f"Calibration error by one feature: sentences {_change(whole, 'calibration')}, clusters "
        f"{_change(results.simple[CLUSTER], 'calibration')}; L2 loss: an SVM's digits {svm.own.loss:.3f} to "
        f"{svm.events.loss:.3f}, but sentences {_change(whole, 'loss')}; links "
        f"{_change(results.simple[LINK], 'loss')}, whose models are close to calibrated by themselves."
    )


THEY = (
    "For a trained structured model they choose events of interest (the whole labelling is right; this label is "
    "right), describe each by a few features, and learn from a calibration set how often such events hold, by "
    "k-nearest neighbours or a decision tree. On images (CIFAR-10, linear SVM), a chain CRF (handwritten words) and "
    "a graph CRF (scenes) this calibrates (Figure 2); features by cost (Figure 3) change sharpness only, and cheap "
    "MAP features do almost as well as marginals; calibration error falls below 0.001 with more data (Figure 4). The "
    "L2 losses are only in figures, without numbers to copy."
)
WE = (
    "The same with `EventForecaster`. Multiclass: scikit-learn's digits, 200 to train a linear SVM or a softmax "
    "regression on, 600 to calibrate, the other 997 to test, ten random splits. Chain: our CRF on Penn tags, 2,000 "
    "sentences of EWT train, calibrated on dev (2,001 sentences; 600 for single tags), tested on test (2,077; "
    "1,000). Intractable case: the antecedent model trained on two thirds of OntoGUM train, calibrated on the other "
    "third, tested on dev; the events are that a link, or a whole cluster, is right. Nothing is measured on its own "
    "training data. Several features go to a tree, a single one to k-NN; sizes by ten-fold cross-validation with the "
    "examples kept whole. The best clustering takes the place of the MAP labelling; a cluster's probability is exact "
    "here (`entity_marginals`), where theirs needs mean field. Admissible means: all tag pairs and all known words' "
    "tags seen in training; no mention inside another of its cluster."
)
DATA = (
    "Other tasks of the same three kinds, smaller: 1,797 digits instead of 60,000 photographs, tags of sentences "
    "instead of letters of words, clusterings of mentions instead of labellings of superpixels."
)
CURVES = (
    "Before and after recalibration by one feature, k-NN with k = 100; digits also by one-vs-all isotonic calibration."
)
FEATURES = "L2 loss by groups of features, ordered by the inference that they need."
SIZES = "Calibration error and sharpness by the number of calibration sentences, for single tags."
