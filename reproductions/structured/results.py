"""The recalibration experiment: models, their events, and forecasts of them.

Covers: what is trained, calibrated and tested on what, and Figures 2 to 4 of Kuleshov & Liang (2015) as numbers.
Not here: the tasks (`digits`, `chain`, `coref`), the page (`page`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats
from calib_core.calibration import Estimate
from calib_core.coref import TrainConfig
from calib_core.coref.model.training import examples, train_examples
from reproductions.findings import DataFolder, Progress
from reproductions.ontogum import read_ontogum
from reproductions.resampling import draw_times
from reproductions.structured.chain import MAP_GROUPS, TAG_GROUPS, chain_events, train_chain
from reproductions.structured.coref import CLUSTER_GROUPS, LINK_GROUPS, coref_events
from reproductions.structured.digits import Digits
from reproductions.structured.events import (
    OWN,
    Events,
    K,
    Parts,
    Scored,
    by_features,
    by_size,
    drawn_parts,
    forecast,
    loss_gain,
    scored,
)
from reproductions.tagging.tagged_text import TaggedText, read_treebank

WHOLE, TAG = "tags: whole sentence", "tags: this tag"
LINK, CLUSTER = "coreference: this link", "coreference: this cluster"
GROUPS = {TAG: TAG_GROUPS, WHOLE: MAP_GROUPS, LINK: LINK_GROUPS, CLUSTER: CLUSTER_GROUPS}
SIMPLE = {TAG: "margin", WHOLE: "smallest", LINK: "marginal", CLUSTER: "entity"}
"""The one feature of the "out of the box" forecaster: margins of marginals, and the marginals of links and clusters."""

ONE_VS_ALL, FORECAST = "one-vs-all", "event forecaster"
N_TRAIN, N_TAG_FIT, N_TAG_TEST = 2000, 600, 1000
SIZES, REPEATS = (10, 30, 100, 300, 600), 3

Sets = dict[str, tuple[Events, Events]]
"""By setting: events to fit on, and events to test on."""


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that the page shows."""

    digits: dict[str, Digits]
    simple: dict[str, dict[str, Scored]]
    """Figure 2: by setting, then by way to a probability."""
    simple_parts: dict[str, dict[str, Parts]]
    """The same under draws of documents, sentences or images."""
    gains: dict[str, Estimate]
    features: dict[str, dict[str, Scored]]
    """Figure 3."""
    feature_parts: dict[str, dict[str, Parts]]
    sizes: dict[tuple[str, int], tuple[float, float]]
    """Figure 4."""
    n_events: dict[str, tuple[int, int]]


def chain_sets(data: DataFolder, progress: Progress, *, seed: int) -> Sets:
    """A CRF trained on sentences of EWT train; events of dev to fit on, of test to test on."""
    progress.stage("reading EWT")
    train, dev, test = (read_treebank(data.file(f"treebank/en_ewt-{part}.conllu")) for part in ("train", "dev", "test"))
    rng = np.random.default_rng(seed)
    chain = train_chain(_some(train, N_TRAIN, rng), progress, seed=seed)
    progress.stage("features of sentences and tags")
    (whole_fit, tag_fit), (whole_test, tag_test) = chain_events(chain, dev), chain_events(chain, test)
    return {
        WHOLE: (whole_fit, whole_test),
        TAG: (_some_events(tag_fit, N_TAG_FIT, rng), _some_events(tag_test, N_TAG_TEST, rng)),
    }


def _some(text: TaggedText, n: int, rng: np.random.Generator) -> TaggedText:
    return text.part(np.sort(rng.permutation(len(text.words))[:n]))


def _some_events(events: Events, n: int, rng: np.random.Generator) -> Events:
    return events.of_examples(rng.permutation(np.unique(events.example))[:n])


def coref_sets(data: DataFolder, progress: Progress, *, seed: int) -> Sets:
    """An antecedent model trained on two thirds of OntoGUM train; the other third to fit on, dev to test on."""
    train, dev = read_ontogum(data, "train"), read_ontogum(data, "dev")
    config = TrainConfig(members=1, seed=seed)
    progress.stage("training an antecedent model", config.epochs)
    learned = examples(document for number, document in enumerate(train) if number % 3)
    model = train_examples(learned, config, progress=lambda *_: progress.advance())
    progress.stage("features of links and clusters")
    (link_fit, cluster_fit), (link_test, cluster_test) = coref_events(model, train[::3]), coref_events(model, dev)
    return {LINK: (link_fit, link_test), CLUSTER: (cluster_fit, cluster_test)}


def results(multiclass: dict[str, Digits], sets: Sets, progress: Progress, *, seed: int) -> Results:
    """Figures 2, 3 and 4."""
    forecasts = {
        f"digits, {name}": (one.events, {OWN: one.events.raw, ONE_VS_ALL: one.one_vs_all, FORECAST: one.forecast})
        for name, one in multiclass.items()
    }
    gains = {}
    progress.stage("recalibrating with one feature", len(sets))
    for name, (fit, test) in sets.items():
        after = forecast(fit, test, [SIMPLE[name]], method="knn", size=K)
        forecasts[name] = (test, {OWN: test.raw, FORECAST: after})
        gains[name] = loss_gain(test.raw, after, test, seed=seed)
        progress.advance(name)
    progress.stage("recalibrating with groups of features", len(sets))
    by_group = {}
    for name, groups in GROUPS.items():
        by_group[name] = (sets[name][1], by_features(*sets[name], groups))
        progress.advance(name)
    progress.stage("calibration sets of different sizes")
    sizes = by_size(*sets[TAG], [SIMPLE[TAG]], SIZES, repeats=REPEATS, seed=seed)
    return Results(
        digits=multiclass,
        simple={name: _scored(*one) for name, one in forecasts.items()},
        simple_parts={name: _drawn(*one) for name, one in forecasts.items()},
        gains=gains,
        features={name: _scored(*one) for name, one in by_group.items()},
        feature_parts={name: _drawn(*one) for name, one in by_group.items()},
        sizes=sizes,
        n_events={name: (len(fit), len(test)) for name, (fit, test) in sets.items()},
    )


def _scored(test: Events, ways: dict[str, Floats]) -> dict[str, Scored]:
    return {name: scored(pred, test.holds) for name, pred in ways.items()}


def _drawn(test: Events, ways: dict[str, Floats]) -> dict[str, Parts]:
    times = draw_times(len(np.unique(test.example)))
    return {name: drawn_parts(pred, test, times) for name, pred in ways.items()}
