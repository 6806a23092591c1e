"""Speed of the coreference kernels on generated documents, each beside the target that the project set.

Covers: features and scores per pair, sampling against a Python loop, exact marginals.
Not here: accuracy (`calib_core.coref.metrics.evaluation`). Training is timed on a generated corpus of OntoGUM's size.
"""

import numpy as np

from benchmarks.measure import Row, at_least, at_most, seconds
from calib_core.coref import (
    AntecedentModel,
    Antecedents,
    TrainConfig,
    cumulative_probabilities,
    pair_marginals,
    sample_clusterings,
)
from calib_core.coref.features.columns import N_PROPS, SIGNATURE, WORD
from calib_core.coref.features.mention_features import N_MENTION_FEATURES
from calib_core.coref.features.properties import MentionArrays
from calib_core.coref.model.training import Example, train_examples


def run() -> list[Row]:
    """All rows of this module."""
    return [*scoring_rows(), *sampling_rows(), *marginal_rows(), *training_rows()]


def random_arrays(n: int, seed: int = 0) -> MentionArrays:
    """Mentions with plausible random properties; most columns only need to vary."""
    rng = np.random.default_rng(seed)
    props = rng.integers(0, 4, (n, N_PROPS))
    props[:, 0] = rng.integers(0, 20, n)
    props[:, 1] = np.sort(rng.integers(0, n // 4 + 1, n))
    props[:, 2] = np.arange(n) * 4
    props[:, 3] = props[:, 2] + 2
    props[:, 4] = props[:, 2] + 1
    props[:, 5:8] = rng.integers(0, n // 2 + 1, (n, 3))
    words = rng.integers(0, n, 3 * n)
    props[:, SIGNATURE] = np.bitwise_or.reduce(1 << (words.reshape(n, 3) % 62), axis=1)
    codes = rng.integers(1, 5000, (n, N_MENTION_FEATURES)).astype(np.uint64)
    heads = np.where(np.arange(4 * n + 4) % 12 == 0, -1, np.arange(4 * n + 4) // 12 * 12)
    return MentionArrays(props, np.arange(n + 1) * 3, words, codes, heads)


def random_antecedents(n: int, seed: int = 0) -> Antecedents:
    """Logits spread as the shipped model's: a few likely candidates, and NEW likelier than most."""
    rng = np.random.default_rng(seed)
    offsets = np.cumsum([0, *range(1, n + 1)])
    candidates = np.concatenate([[*range(j), -1] for j in range(n)])
    logits = rng.normal(-4, 3, len(candidates))
    logits[offsets[1:] - 1] = rng.normal(2, 3, n)
    return Antecedents(offsets, candidates, logits)


def scoring_rows() -> list[Row]:
    """Features and scores of every pair of a document of 274 mentions."""
    arrays = random_arrays(274)
    weights = np.random.default_rng(0).normal(0, 0.1, 2**20).astype(np.float32)
    model = AntecedentModel(weights)
    model.score(arrays)  # compiles
    elapsed = seconds(lambda: model.score(arrays), repeats=100)
    return [at_most("coref scores", "features and scores", 1e6 * elapsed / (274 * 273 / 2), "µs per pair", 0.5)]


def sampling_rows() -> list[Row]:
    """A hundred samples of a document of 150 mentions, and the same by a Python loop."""
    antecedents = random_antecedents(150)
    sample_clusterings(antecedents, 100, key=1)
    elapsed = seconds(lambda: sample_clusterings(antecedents, 100, key=1), repeats=200)
    loop = 10 * seconds(lambda: _sample_by_loop(antecedents, 10), repeats=2)
    return [
        at_least("coref samples", "100 samples, 150 mentions", 1 / elapsed, "documents/s", 4000),
        Row("coref samples", "ratio to a Python loop", loop / elapsed, "times"),
    ]


def _sample_by_loop(antecedents: Antecedents, n_samples: int) -> np.ndarray:
    """The obvious first version: numpy's search, mention by mention."""
    rng = np.random.default_rng(0)
    cumulative = cumulative_probabilities(antecedents)
    entities = np.zeros((n_samples, len(antecedents)), dtype=np.int64)
    for s in range(n_samples):
        for j in range(len(antecedents)):
            start, end = antecedents.offsets[j], antecedents.offsets[j + 1]
            k = start + np.searchsorted(cumulative[start:end], rng.random(), side="right")
            candidate = antecedents.candidates[k]
            entities[s, j] = j if candidate < 0 else entities[s, candidate]
    return entities


def marginal_rows() -> list[Row]:
    """Exact pair marginals of documents of two sizes."""
    rows = []
    for n, target in ((300, 10.0), (2000, 1000.0)):
        antecedents = random_antecedents(n)
        pair_marginals(antecedents)
        elapsed = seconds(lambda a=antecedents: pair_marginals(a), repeats=5)
        rows.append(at_most("coref marginals", f"exact, {n} mentions", 1000 * elapsed, "ms", target))
    return rows


def training_rows() -> list[Row]:
    """Two epochs over part of a corpus as large as OntoGUM train, scaled up to the default configuration.

    Mentions with one head word are one entity here: a rule that is learned fast, so that gradients get as sparse as
    real ones do.
    """
    config = TrainConfig(epochs=2, members=1)
    arrays = [random_arrays(287, seed) for seed in range(12)]
    corpus = [Example(mentions, mentions.props[:, WORD].copy()) for mentions in arrays]
    train_examples(corpus[:1], config)  # compiles
    elapsed = seconds(lambda: train_examples(corpus, config), repeats=2)
    default = TrainConfig()
    total = elapsed * 177 / len(corpus) * default.epochs / config.epochs * default.members
    return [at_most("coref training", "OntoGUM's size, default configuration", total / 60, "minutes", 3.0)]
