"""The variants of the pairwise coreference model of Choi & Cardie: train each, measure each.

Covers: the two settings (mentions found, mentions given), one EM run per bias, scores and calibration of a variant.
Not here: the model (`calib_core.coref.pairwise.pairwise_model`), the page (`experiment`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import expit

from calib_core.arrays import Bools, Floats
from calib_core.calibration import Estimate, ReliabilityCurve, calibration_error, cluster_bootstrap, reliability_curve
from calib_core.coref import Mentions, PairwiseConfig, clusters_of, detect_mentions, gold_entities
from calib_core.coref.features.properties import mention_arrays
from calib_core.coref.metrics.metric_counts import align, muc
from calib_core.coref.metrics.scores import Ratio
from calib_core.coref.model.logits import Weights
from calib_core.coref.model.training import Example
from calib_core.coref.pairwise.pair_gradient import pair_scores
from calib_core.coref.pairwise.pairwise_model import Iteration, best_iteration, em_path
from calib_core.coref.pairwise.structured_local import links_of, single_link
from calib_core.document import Document
from reproductions.findings import Progress

BIASES: tuple[tuple[str, PairwiseConfig], ...] = (
    ("", PairwiseConfig(em_iterations=5)),
    ("P1 1.5", PairwiseConfig(em_iterations=5, bias="closest", beta=1.5)),
    ("P1 3.0", PairwiseConfig(em_iterations=5, bias="closest", beta=3.0)),
    ("Pa 1.5", PairwiseConfig(em_iterations=5, bias="all", beta=1.5)),
    ("Pa 3.0", PairwiseConfig(em_iterations=5, bias="all", beta=3.0)),
)
"""The paper's: no bias, bias on the closest coreferent pairs (P1) and on all of them (Pa), with β of 1.5 and 3."""


@dataclass(frozen=True, slots=True)
class Case:
    """One document of a setting: its mentions, looked up, and the gold clusters to score against."""

    document: Document
    mentions: Mentions
    example: Example


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one variant does on the test documents.

    Attributes
    ----------
    before, after : PairScores
        Decisions on pairs of mentions, before and after single-link clustering.
    muc : Ratio
        Of the clusters, against the annotated ones.
    error : Estimate
        CalibErr of the pair probabilities; the interval draws whole documents.
    mean_pred, rate : float
        Mean predicted probability and share of coreferent pairs.
    """

    name: str
    before: "PairScores"
    after: "PairScores"
    muc: Ratio
    error: Estimate
    mean_pred: float
    rate: float
    curve: ReliabilityCurve


@dataclass(frozen=True, slots=True)
class PairScores:
    """Right and wrong decisions on pairs; add up over documents."""

    links: Ratio = field(default_factory=Ratio)
    wrong: int = 0
    n: int = 0

    @property
    def error(self) -> float:
        """Share of pairs decided wrongly."""
        return self.wrong / self.n if self.n else 0.0

    def __add__(self, other: "PairScores") -> "PairScores":
        """Both together."""
        return PairScores(self.links + other.links, self.wrong + other.wrong, self.n + other.n)


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


def train_variants(training: Sequence[Case], progress: Progress, *, seed: int) -> Iterator[tuple[str, Iteration]]:
    """Local training and SLT under every bias, and SLT by ALGORITHM-1: six EM runs."""
    prepared = [case.example for case in training]
    for label, config in BIASES:
        path = _path(prepared, replace(config, seed=seed), progress)
        yield f"BASIC-{label}" if label else "BASE", path[0]
        yield f"SLT-{label}" if label else "SLT", best_iteration(path)
    first = replace(BIASES[0][1], e_step="algorithm-1", seed=seed)
    yield "SLT, ALGORITHM-1", best_iteration(_path(prepared, first, progress))


def _path(prepared: Sequence[Example], config: PairwiseConfig, progress: Progress) -> list[Iteration]:
    found = []
    for iteration in em_path(prepared, config):
        found.append(iteration)
        progress.advance(f"bias {config.bias}, {config.beta}, {config.e_step}, iteration {len(found)}")
    return found


def measure(name: str, weights: Weights, testing: Sequence[Case]) -> Outcome:
    """Score one variant on the test documents."""
    before, after, joined = PairScores(), PairScores(), Ratio()
    pred, label, groups = [], [], []
    for number, case in enumerate(testing):
        scores = pair_scores(case.example.arrays, weights, _shift(weights), PairwiseConfig().window)
        truth, entities = links_of(case.example.entities), single_link(scores > 0)
        before += _pair_scores(scores > 0, truth)
        after += _pair_scores(links_of(entities), truth)
        joined += _muc(case, clusters_of(entities, case.mentions))
        rows = np.tril_indices(len(case.mentions), -1)
        pred.append(expit(scores[rows]))
        label.append(truth[rows])
        groups.append(np.full(len(rows[0]), number))
    return _outcome(name, before, after, joined, *(np.concatenate(part) for part in (pred, label, groups)))


def _outcome(
    name: str, before: PairScores, after: PairScores, joined: Ratio, pred: Floats, label: Bools, groups: Floats
) -> Outcome:
    bin_size = min(5000, max(1, len(pred) // 50))
    interval = cluster_bootstrap(pred, label, groups, bin_size=bin_size)
    return Outcome(
        name,
        before,
        after,
        joined,
        Estimate(calibration_error(pred, label, bin_size=bin_size), interval.lo, interval.hi),
        float(pred.mean()),
        float(label.mean()),
        reliability_curve(pred, label, bin_size=bin_size),
    )


def _pair_scores(decided: Bools, truth: Bools) -> PairScores:
    """Both read below the diagonal."""
    decided, n = np.tril(decided, -1), len(truth)
    right = int((decided & truth).sum())
    return PairScores(
        Ratio(right, int(truth.sum()), right, int(decided.sum())), int((decided != truth).sum()), n * (n - 1) // 2
    )


def _muc(case: Case, clusters: Sequence[Sequence[tuple[int, int]]]) -> Ratio:
    aligned = align(case.document.clusters or (), clusters)
    return Ratio(*muc(aligned.key, aligned.response), *muc(aligned.response, aligned.key))


def _shift(weights: Weights) -> np.uint64:
    return np.uint64(65 - len(weights).bit_length())
