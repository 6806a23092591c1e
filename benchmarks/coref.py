"""Speed of the coreference kernels on generated documents, each beside the target that the project set.

Covers: features and scores per pair, sampling against a Python loop, exact marginals.
Not here: accuracy (`calib_core.coref.evaluation`). Training time is measured on a generated corpus of OntoGUM's size.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from calib_core.coref import (
    AntecedentModel,
    Antecedents,
    TrainConfig,
    cumulative_probabilities,
    pair_marginals,
    sample_clusterings,
)
from calib_core.coref.properties import N_MENTION_FEATURES, N_PROPS, SIGNATURE, MentionArrays
from calib_core.coref.training import Example, train_examples

Row = dict[str, Any]


def run() -> list[Row]:
    """All rows of this module."""
    return [*scoring_rows(), *sampling_rows(), *marginal_rows(), *training_rows()]


def row(name: str, what: str, value: float, unit: str, target: float | None, *, at_most: bool = True) -> Row:
    """One line of the benchmark table; `met` is None where there is no target."""
    met = None if target is None else bool(value <= target if at_most else value >= target)
    return {"name": name, "what": what, "value": value, "unit": unit, "target": target, "met": met}


def best_time(function: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest of several calls, after one that compiles."""
    function()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


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
    seconds = best_time(lambda: model.score(arrays), 20)
    return [row("coref scores", "features and scores", 1e6 * seconds / (274 * 273 / 2), "µs a pair", 0.5)]


def sampling_rows() -> list[Row]:
    """A hundred samples of a document of 150 mentions, and the same by a Python loop."""
    antecedents = random_antecedents(150)
    seconds = best_time(lambda: sample_clusterings(antecedents, 100, key=1), 200)
    loop = best_time(lambda: _sample_by_loop(antecedents, 10), 2) * 10
    return [
        row("coref samples", "100 samples, 150 mentions", 1 / seconds, "documents/s", 4000, at_most=False),
        row("coref samples", "ratio to a Python loop", loop / seconds, "times", None),
    ]


def _sample_by_loop(antecedents: Antecedents, n_samples: int) -> np.ndarray:
    """What one writes first: numpy's search, mention by mention."""
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
        seconds = best_time(lambda a=antecedents: pair_marginals(a), 3)
        rows.append(row("coref marginals", f"exact, {n} mentions", 1000 * seconds, "ms", target))
    return rows


def training_rows() -> list[Row]:
    """One member's epoch over a corpus as large as OntoGUM train, times what the default configuration asks for."""
    config = TrainConfig(epochs=1, members=1)
    rng = np.random.default_rng(0)
    corpus = [Example(random_arrays(287, seed), rng.integers(-1, 40, 287)) for seed in range(20)]
    seconds = best_time(lambda: train_examples(corpus, config), 1)
    default = TrainConfig()
    total = seconds * 177 / len(corpus) * default.epochs * default.members
    return [row("coref training", "OntoGUM's size, default configuration", total / 60, "minutes", 3.0)]
