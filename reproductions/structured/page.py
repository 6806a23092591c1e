"""What the recalibration experiment says: texts, tables, pictures."""

from collections.abc import Mapping

from reproductions.findings import Findings, Picture, Row
from reproductions.structured.charts import curves_chart, features_chart, sizes_chart
from reproductions.structured.claims import claims
from reproductions.structured.events import OWN, Scored
from reproductions.structured.results import CLUSTER, FORECAST, LINK, WHOLE, Results
from reproductions.structured.tables import panel_rows, panel_table, size_rows, size_table


def page(results: Results) -> Findings:
    """All of the page."""
    simple = results.simple
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
        claims=tuple(claims(results)),
        verdict=_verdict(results),
    )


def _verdict(results: Results) -> str:
    svm, whole = results.simple["digits, linear SVM"], results.simple[WHOLE]
    return (
        f"Calibration error by one feature: sentences {_change(whole, 'calibration')}, clusters "
        f"{_change(results.simple[CLUSTER], 'calibration')}; L2 loss: an SVM's digits {_change(svm, 'loss')}, but "
        f"sentences {_change(whole, 'loss')}; links {_change(results.simple[LINK], 'loss')}, whose models are close to "
        "calibrated by themselves."
    )


def _change(ways: Mapping[str, Scored], measure: str) -> str:
    return f"{getattr(ways[OWN], measure):.4f} to {getattr(ways[FORECAST], measure):.4f}"


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
    "examples kept whole, from 13 sizes where theirs were 100. An SVM has no probabilities of its own: the softmax of "
    "its scores stands for them. Groups of features were chosen when this page was first written, on the same test "
    "events. Intervals draw sentences, documents or, for digits, images with all their tests, because the ten splits "
    "test most images more than once. The best clustering takes the place of the MAP labelling; a cluster's "
    "probability is exact here (`entity_marginals`), where theirs needs mean field. Admissible means: all tag pairs "
    "and all known words' tags seen in training; no mention inside another of its cluster."
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
