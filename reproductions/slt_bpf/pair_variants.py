"""The variants of the pairwise coreference model of Choi & Cardie: train each from every seed, measure each.

Covers: the two settings (mentions found, mentions given), EM runs and local training with as many passes, and what
each variant does on each test document.
Not here: the model (`calib_core.coref.pairwise.pairwise_model`), figures from the counts (`outcomes`), the page
(`experiment`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from calib_core.arrays import Bools, Floats
from calib_core.coref import Mentions, PairwiseConfig, clusters_of, detect_mentions, gold_entities
from calib_core.coref.features.properties import mention_arrays
from calib_core.coref.metrics.metric_counts import align, muc
from calib_core.coref.model.logits import Weights
from calib_core.coref.model.training import Example
from calib_core.coref.pairwise.interned_pairs import interned_scores
from calib_core.coref.pairwise.pairwise_model import InternedExample, best_iteration, em_path, intern_examples
from calib_core.coref.pairwise.structured_local import links_of, single_link
from calib_core.document import Document
from reproductions.findings import Progress
from reproductions.slt_bpf.outcomes import COUNTS, Outcome, Predictions

EM = PairwiseConfig(em_iterations=5)
BIASES: dict[str, PairwiseConfig] = {
    "": EM,
    "P1 1.5": replace(EM, bias="closest", beta=1.5),
    "P1 3.0": replace(EM, bias="closest", beta=3.0),
    "Pa 1.5": replace(EM, bias="all", beta=1.5),
    "Pa 3.0": replace(EM, bias="all", beta=3.0),
}
"""The paper's: no bias, bias on the closest coreferent pairs (P1) and on all of them (Pa), with β of 1.5 and 3."""
SEEDS = 5
N_RUNS = 2 * len(BIASES) + len(BIASES) - 1 + 2
"""Training runs per seed: SLT and BASIC per bias, the score reading per bias, ALGORITHM-1, and without the cut."""


@dataclass(frozen=True, slots=True)
class Case:
    """One document of a setting: its mentions, looked up, and the gold clusters to score against."""

    document: Document
    mentions: Mentions
    example: Example


def cases(documents: Sequence[Document], *, given: bool) -> list[Case]:
    """Look up the mentions of every document: those that are found, or those that the annotation gives."""
    prepared = []
    for document in documents:
        mentions = gold_mentions(document) if given else detect_mentions(document)
        example = Example(mention_arrays(document, mentions), gold_entities(document, mentions))
        prepared.append(Case(document, mentions, example))
    return prepared


def gold_mentions(document: Document) -> Mentions:
    """The annotated mentions; the head of each is its first token that depends on one outside."""
    spans = sorted({span for cluster in document.clusters or () for span in cluster}, key=lambda s: (s[0], -s[1]))
    starts, ends = (np.array([span[side] for span in spans], dtype=np.int64) for side in (0, 1))
    heads = [start + int(np.argmax(_outside(document, start, end))) for start, end in spans]
    return Mentions(starts, ends, np.array(heads, dtype=np.int64))


def _outside(document: Document, start: int, end: int) -> Bools:
    above = document.heads[start:end]
    return np.asarray((above < start) | (above >= end))


def train_variants(prepared: Sequence[InternedExample], progress: Progress, *, seed: int) -> dict[str, Weights]:
    """Every variant from one seed.

    Local training makes as many passes as structured training had made by the iteration that is chosen, so that what
    tells them apart is what they learn, not how long.
    """
    found: dict[str, Weights] = {}
    passes: dict[str, int] = {}
    for label, config in BIASES.items():
        path = list(em_path(prepared, replace(config, seed=seed)))
        best = best_iteration(path)
        passes[label] = config.epochs * (1 + next(at for at, one in enumerate(path) if one is best))
        found[f"SLT-{label}" if label else "SLT"] = best.weights
        if not label:
            found["BASE, 2 passes"] = path[0].weights
        progress.advance(f"seed {seed}, SLT {label}")
    for name, config in _local(passes):
        found[name] = next(em_path(prepared, replace(config, em_iterations=1, seed=seed))).weights
        progress.advance(f"seed {seed}, {name}")
    found["SLT, ALGORITHM-1"] = best_iteration(
        list(em_path(prepared, replace(EM, e_step="algorithm-1", seed=seed)))
    ).weights
    progress.advance(f"seed {seed}, ALGORITHM-1")
    return found


def _local(passes: dict[str, int]) -> Iterator[tuple[str, PairwiseConfig]]:
    yield "BASE, no cut", replace(EM, epochs=passes[""], negligible=0.0)
    for label, config in BIASES.items():
        yield f"BASIC-{label}" if label else "BASE", replace(config, epochs=passes[label])
        if label:
            yield f"BASIC-{label}, on the score", replace(config, epochs=passes[label], bias_on="score")


def measure(variants: dict[str, list[Weights]], testing: Sequence[Case], progress: Progress) -> dict[str, Outcome]:
    """What each variant, given as its weights from every seed, does on the test documents."""
    counts = {name: np.zeros((len(seeds), len(testing), len(COUNTS))) for name, seeds in variants.items()}
    preds: dict[str, list[list[Floats]]] = {name: [[] for _ in seeds] for name, seeds in variants.items()}
    labels, groups = [], []
    for number, case in enumerate(testing):
        (interned,) = intern_examples([case.example], EM)
        truth, rows = links_of(case.example.entities), np.tril_indices(len(case.mentions), -1)
        labels.append(truth[rows])
        groups.append(np.full(len(rows[0]), number))
        for name, seeds in variants.items():
            for seed, weights in enumerate(seeds):
                scores = interned_scores(interned.arrays, interned.pairs, weights, _shift(weights), EM.window)
                counts[name][seed, number] = document_counts(case, scores, truth)
                preds[name][seed].append(expit(scores[rows]).astype(np.float32))
        progress.advance(case.document.doc_id)
    label, group = np.concatenate(labels), np.concatenate(groups)
    return {
        name: Outcome(counts[name], Predictions([np.concatenate(one) for one in preds[name]], label, group))
        for name in variants
    }


def document_counts(case: Case, scores: Floats, truth: Bools) -> Floats:
    """`COUNTS` of one document."""
    decided = np.tril(scores > 0, -1)
    entities = single_link(decided)
    joined, n = links_of(entities), len(truth)
    aligned = align(case.document.clusters or (), clusters_of(entities, case.mentions))
    pairs = [float(value) for links in (decided, joined) for value in _pairs(links, truth)]
    links = (*muc(aligned.key, aligned.response), *muc(aligned.response, aligned.key))
    return np.array([*pairs, float(truth.sum()), n * (n - 1) / 2, *links])


def _pairs(links: Bools, truth: Bools) -> tuple[int, int, int]:
    """Right, linked, and wrong pairs."""
    return int((links & truth).sum()), int(links.sum()), int((links != truth).sum())


def _shift(weights: Weights) -> np.uint64:
    return np.uint64(65 - len(weights).bit_length())
