"""The pairwise model of Choi & Cardie (2007): classify pairs, then cluster by single link.

Covers: local training, structured local training (EM), biased potential functions, inference.
Not here: the E-steps (`structured_local`), scores (`pair_scores`) and gradient (`interned_pairs`).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.features.properties import MentionArrays, mention_arrays
from calib_core.coref.mentions.detection import Mentions, detect_mentions
from calib_core.coref.model.gradient import NEGLIGIBLE, adagrad_step, empty_slope, settle
from calib_core.coref.model.logits import Weights
from calib_core.coref.model.training import Example, OnEpoch, examples
from calib_core.coref.pairwise.interned_pairs import InternedPairs, intern_pairs, interned_scores, interned_slope
from calib_core.coref.pairwise.pair_scores import pair_scores
from calib_core.coref.pairwise.structured_local import algorithm_1, algorithm_2, closest_links, links_of, single_link
from calib_core.document import Document

Labels = list[Bools]


@dataclass(frozen=True, slots=True)
class PairwiseConfig:
    """How to train a `PairwiseModel`.

    Attributes
    ----------
    em_iterations : int
        1 is local training (BASE); more is structured local training (SLT), the paper's choice being 5.
    e_step : "algorithm-1", "algorithm-2" or "none"
        The paper found the second slightly better. "none" keeps the true labels: local training with as many passes.
    bias : "none", "closest" (P1) or "all" (Pa)
        Which coreferent pairs the biased potentials emphasise.
    beta : float
        The bias factor; the paper has 1.5 and 3.
    bias_on : "likelihood" or "score"
        What the factor multiplies; see `emphasis`.
    epochs : int
        Passes of each M-step, which starts from the weights of the one before.
    bits, rate, penalty, window, seed
        As in `TrainConfig`.
    negligible : float
        Pairs whose share of the gradient is below this move no weight.
    """

    em_iterations: int = 1
    e_step: Literal["algorithm-1", "algorithm-2", "none"] = "algorithm-2"
    bias: Literal["none", "closest", "all"] = "none"
    beta: float = 1.5
    bias_on: Literal["likelihood", "score"] = "likelihood"
    epochs: int = 2
    bits: int = 20
    rate: float = 0.03
    penalty: float = 0.01
    window: int = 500
    seed: int = 0
    negligible: float = NEGLIGIBLE

    def __post_init__(self) -> None:
        """Refuse choices that name nothing and a negative factor."""
        if self.bias not in ("none", "closest", "all"):
            raise ValueError(f"bias must be 'none', 'closest' or 'all'; got {self.bias!r}")
        if self.e_step not in ("algorithm-1", "algorithm-2", "none"):
            raise ValueError(f"e_step must be 'algorithm-1', 'algorithm-2' or 'none'; got {self.e_step!r}")
        if self.bias_on not in ("likelihood", "score"):
            raise ValueError(f"bias_on must be 'likelihood' or 'score'; got {self.bias_on!r}")
        if self.beta < 0:
            raise ValueError(f"beta must not be negative; got {self.beta}")
        if self.em_iterations < 1:
            raise ValueError(f"em_iterations must be at least 1; got {self.em_iterations}")


@dataclass(frozen=True, slots=True)
class PairwiseModel:
    """A log-linear classifier of mention pairs; `weights` has a power of two entries."""

    weights: Weights
    window: int = 500

    def scores(self, document: Document, *, mentions: Mentions | None = None) -> Floats:
        """Log-odds of coreference of every pair, shape (n, n), below the diagonal; minus infinity elsewhere."""
        found = detect_mentions(document) if mentions is None else mentions
        return pair_scores(mention_arrays(document, found), self.weights, self._shift(), self.window)

    def clustering(self, document: Document, *, mentions: Mentions | None = None) -> Ints:
        """The entity of each mention: single-link clustering of the pairs that are more likely coreferent than not."""
        return single_link(self.scores(document, mentions=mentions) > 0)

    def _shift(self) -> np.uint64:
        return np.uint64(65 - len(self.weights).bit_length())


def emphasis(truth: Ints, config: PairwiseConfig) -> Floats:
    """What each pair's log-likelihood counts under the biased potentials, shape (n, n).

    Notes
    -----
    Read literally, a factor on both potentials of a pair cancels in the normalised likelihood. What the paper means,
    emphasis on the pairs that meet the predicate without a change to the i.i.d. assumption over documents, is a
    weight β on their terms of the document's log-likelihood; it raises recall as theirs does. At test time every
    pair counts 1, and the argmax is untouched (their footnote 15). `bias_on="score"` is the other reading that does
    not cancel: the potential of such a pair is exp(β Σ λ f), so that β multiplies its score in training.
    """
    n = len(truth)
    if config.bias == "none":
        return np.ones((n, n))
    biased = closest_links(truth) if config.bias == "closest" else links_of(truth)
    return np.where(biased, config.beta, 1.0)


def train_pairwise_model(
    documents: Iterable[Document], config: PairwiseConfig | None = None, *, progress: OnEpoch | None = None
) -> PairwiseModel:
    """Fit a pairwise model; the same documents, configuration and seed give the same weights.

    Notes
    -----
    EM as in the paper: the first M-step learns the true labels; each E-step then replaces them by a labelling that
    clusters (nearly) to the truth. Of iterations 2 to the last, those weights are kept that leave the lowest pair error
    after clustering on the training documents.
    """
    config = config or PairwiseConfig()
    path = list(em_path(intern_examples(examples(documents), config), config, progress=progress))
    return PairwiseModel(best_iteration(path).weights, window=config.window)


@dataclass(frozen=True, slots=True)
class Iteration:
    """The weights after one M-step, and how many pairs of the training documents clustering then gets wrong."""

    weights: Weights
    wrong: float


@dataclass(frozen=True, slots=True)
class InternedExample:
    """A document ready for many passes of training; takes 160 bytes per pair of mentions."""

    arrays: MentionArrays
    entities: Ints
    pairs: InternedPairs


def intern_examples(prepared: Iterable[Example], config: PairwiseConfig) -> list[InternedExample]:
    """Number the features of all pairs, for every training run with the same `bits` and `window`."""
    shift = np.uint64(64 - config.bits)
    return [
        InternedExample(one.arrays, one.entities, intern_pairs(one.arrays, shift, config.window)) for one in prepared
    ]


def em_path(
    prepared: Sequence[InternedExample], config: PairwiseConfig, *, progress: OnEpoch | None = None
) -> Iterator[Iteration]:
    """Every iteration of EM, the first being local training; so one run gives both the baseline and SLT."""
    trainer = _Trainer(prepared, config)
    labels, wrong = [links_of(example.entities) for example in prepared], math.nan
    for iteration in range(config.em_iterations):
        likelihood = trainer.maximise(labels)
        weights = trainer.settled()
        if progress is not None:
            progress(iteration + 1, config.em_iterations, likelihood)
        if config.em_iterations > 1:
            labels, wrong = _e_step(prepared, weights, config)
        yield Iteration(weights, wrong)


def best_iteration(path: Sequence[Iteration]) -> Iteration:
    """Of iterations 2 to the last, the first with the lowest error after clustering; the only one if there is one."""
    return min(path[1:], key=lambda iteration: iteration.wrong, default=path[0])


def _e_step(prepared: Sequence[InternedExample], weights: Weights, config: PairwiseConfig) -> tuple[Labels, float]:
    """New labels of every document, and the number of pairs that clustering gets wrong."""
    algorithm = {"algorithm-1": algorithm_1, "algorithm-2": algorithm_2, "none": _true_labels}[config.e_step]
    shift = np.uint64(64 - config.bits)
    labels, wrong = [], 0.0
    for example in prepared:
        scores = interned_scores(example.arrays, example.pairs, weights, shift, config.window)
        labels.append(algorithm(scores, example.entities))
        wrong += float(np.sum(links_of(single_link(scores > 0)) != links_of(example.entities)))
    return labels, wrong


def _true_labels(_: Floats, truth: Ints) -> Bools:
    return links_of(truth)


class _Trainer:
    """AdaGrad state that survives from one M-step to the next."""

    def __init__(self, prepared: Sequence[InternedExample], config: PairwiseConfig) -> None:
        n = 2**config.bits
        self.prepared, self.config = prepared, config
        self.weights = np.zeros(n, dtype=np.float32)
        self.squares, self.last, self.slope = np.zeros(n), np.zeros(n, dtype=np.int64), empty_slope(n)
        self.order = np.random.default_rng(config.seed)
        self.step = 0

    def maximise(self, labels: Labels) -> float:
        """Climb the weighted log-likelihood of the labels for some epochs; returns it per document."""
        config, shift = self.config, np.uint64(64 - self.config.bits)
        total = 0.0
        for _ in range(config.epochs):
            total = 0.0
            for d in self.order.permutation(len(self.prepared)):
                example = self.prepared[d]
                weight = emphasis(example.entities, config)
                self.step += 1
                total += interned_slope(
                    *(example.arrays, example.pairs, labels[d], weight, self.weights, shift, config.window),
                    *(config.bias_on == "score", config.negligible, self.slope),
                )
                adagrad_step(self.weights, self.squares, self.last, self.slope, self.step, config.rate, config.penalty)
        return total / max(1, len(self.prepared))

    def settled(self) -> Weights:
        """The weights as they stand."""
        return settle(self.weights, self.squares, self.last, self.step, self.config.rate, self.config.penalty)
