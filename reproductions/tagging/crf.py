"""A linear-chain conditional random field with an L2 penalty, trained by L-BFGS or by mini-batch AdaGrad.

Covers: the objective with its gradient, training, and scores of new sentences.
Not here: inference (`chain`), features (`templates`), their sparse weights (`emissions`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.optimize import minimize

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel
from reproductions.tagging.adagrad import adagrad
from reproductions.tagging.chain import ChainScores
from reproductions.tagging.emissions import EmissionMap, WordFeatures, add_expectations, add_scores
from reproductions.tagging.scaled_kernels import sentence_messages
from reproductions.tagging.templates import BASIC, extract
from reproductions.tagging.vocabulary import Sentences, Vocabulary, check_same_lengths, joined, sentence_starts


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Negative log-likelihood of tagged sentences plus the penalty, as a function of one vector of weights.

    The vector holds the emission weights, then `transition` row by row, `start` and `end`.
    """

    emissions: EmissionMap
    words: WordFeatures
    sentences: Ints
    n_tags: int
    observed: Floats
    """How often each weight is used by the right tags."""
    l2: float

    @classmethod
    def of(
        cls, emissions: EmissionMap, words: WordFeatures, sentences: Ints, tags: Ints, **rest: float
    ) -> "Likelihood":
        """Count what the right tags use; `rest` are `n_tags` and `l2`."""
        n_tags = int(rest["n_tags"])
        inner = np.delete(np.arange(len(tags)), sentences[:-1])
        steps = np.bincount(tags[inner - 1] * n_tags + tags[inner], minlength=n_tags**2)
        first, last = (np.bincount(tags[at], minlength=n_tags) for at in (sentences[:-1], sentences[1:] - 1))
        observed = np.concatenate([emissions.counts(words, tags), steps, first, last])
        return cls(emissions, words, sentences, n_tags, observed, rest["l2"])

    def of_sentences(self, tags: Ints, first: int, last: int) -> "Likelihood":
        """The part of sentences `first` to `last` - 1, with their share of the penalty."""
        cuts = self.sentences[first : last + 1]
        starts = self.words.starts[cuts[0] : cuts[-1] + 1]
        words = WordFeatures(self.words.features[starts[0] : starts[-1]], starts - starts[0])
        share = (last - first) / (len(self.sentences) - 1)
        own = tags[cuts[0] : cuts[-1]]
        return Likelihood.of(self.emissions, words, cuts - cuts[0], own, n_tags=self.n_tags, l2=self.l2 * share)

    def __call__(self, weights: Floats) -> tuple[float, Floats]:
        """The objective and its gradient."""
        emission, transition, start, end = split(weights, self.n_tags)
        expected = np.zeros_like(weights)
        chain = (start, transition, end)
        shift = [potential.max() for potential in chain]
        start, transition, end = (np.exp(potential - highest) for potential, highest in zip(chain, shift, strict=True))
        log_z = expectations(
            *(self.words.starts, self.words.features, self.emissions.starts, self.emissions.tags, self.sentences),
            *(emission, start, transition, end),
            *split(expected, self.n_tags),
        )
        n_sentences = len(self.sentences) - 1
        log_z += n_sentences * (shift[0] + shift[2]) + (self.sentences[-1] - n_sentences) * shift[1]
        value = log_z - self.observed @ weights + self.l2 / 2 * (weights @ weights)
        return float(value), expected - self.observed + self.l2 * weights


def batch_ends(n_sentences: int, batch_size: int) -> list[tuple[int, int]]:
    """Where each batch begins and ends."""
    return [(first, min(first + batch_size, n_sentences)) for first in range(0, n_sentences, batch_size)]


def split(weights: Floats, n_tags: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Views of the emission, transition, start and end weights."""
    n_emissions = len(weights) - n_tags**2 - 2 * n_tags
    cuts = n_emissions + np.array([0, n_tags**2, n_tags**2 + n_tags])
    emission, transition, start, end = np.split(weights, cuts)
    return emission, transition.reshape(n_tags, n_tags), start, end


@kernel
def expectations(
    word_starts: Ints,
    features: Ints,
    pair_starts: Ints,
    pair_tags: Ints,
    sentences: Ints,
    weights: Floats,
    start: Floats,
    transition: Floats,
    end: Floats,
    of_emission: Floats,
    of_transition: Floats,
    of_start: Floats,
    of_end: Floats,
) -> float:
    """Add how often the model expects each weight to be used; return the sum of the log partition functions.

    `weights` are logarithms; `start`, `transition` and `end` are exponentials with a maximum of 1. One sentence at a
    time, so that what it needs stays in the cache.
    """
    n_tags, total = len(start), 0.0
    transposed = transition.T.copy()
    for number in range(len(sentences) - 1):
        first, n = sentences[number], sentences[number + 1] - sentences[number]
        unary = np.zeros((n, n_tags))
        left, right, marginal = np.empty((n, n_tags)), np.empty((n, n_tags)), np.empty((n, n_tags))
        add_scores(first, word_starts, features, pair_starts, pair_tags, weights, unary)
        total += sentence_messages(unary, start, transition, transposed, end, left, right, marginal)
        add_expectations(first, word_starts, features, pair_starts, pair_tags, marginal, of_emission)
        for tag in range(n_tags):
            of_start[tag] += marginal[0, tag]
            of_end[tag] += marginal[n - 1, tag]
        for word in range(1, n):
            for before in range(n_tags):
                share = left[word - 1, before]
                for tag in range(n_tags):
                    of_transition[before, tag] += share * right[word, tag]
    for before in range(n_tags):
        for tag in range(n_tags):
            of_transition[before, tag] *= transition[before, tag]
    return total


class ConditionalRandomField:
    """Scores of tags given features of the words, and of tags given the tag before.

    Parameters
    ----------
    l2 : float
        The penalty is l2 / 2 times the sum of squared weights.
    templates : sequence of str
        Groups of features; see `templates`.
    min_count : int
        Features seen less often in training are left out.
    max_iterations : int
        Of L-BFGS.
    tolerance : float
        Stop when an iteration lowers the objective by less than this share.
    batch_size : int, optional
        Sentences per step of AdaGrad (the thesis: 100), `max_iterations` passes of it; L-BFGS if not given.
    rate, seed
        Of AdaGrad.

    Attributes
    ----------
    tags_ : Vocabulary
    emissions_ : EmissionMap
    weights_ : shape (n_weights,)
        As in `Likelihood`.
    n_iterations_ : int
    """

    tags_: Vocabulary
    emissions_: EmissionMap
    weights_: Floats
    n_iterations_: int

    def __init__(
        self,
        *,
        l2: float = 1.0,
        templates: Sequence[str] = BASIC,
        min_count: int = 1,
        max_iterations: int = 100,
        tolerance: float = 1e-5,
        batch_size: int | None = None,
        rate: float = 0.1,
        seed: int = 0,
    ) -> None:
        if not l2 >= 0:
            raise ValueError(f"l2 must be at least 0; got {l2}")
        self.l2 = l2
        self.templates = tuple(templates)
        self.min_count = min_count
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.batch_size = batch_size
        self.rate = rate
        self.seed = seed

    def fit(self, words: Sentences, tags: Sentences, *, progress: Callable[[int, float], None] | None = None) -> Self:
        """Learn from one sequence of words and one of tags for each sentence.

        `progress` is told the number of each iteration and the objective there.
        """
        check_same_lengths(words, tags)
        return self.fit_features(extract(words, self.templates), tags, progress=progress)

    def fit_features(
        self, features: list[list[str]], tags: Sentences, *, progress: Callable[[int, float], None] | None = None
    ) -> Self:
        """Learn from the features of each word, all sentences end to end, and the tags of each sentence."""
        sentences = sentence_starts(tags)
        self.tags_ = Vocabulary.of(joined(tags))
        n_tags, tag = len(self.tags_), self.tags_.numbers(joined(tags))
        self.emissions_ = EmissionMap.observed(features, tag, n_tags, min_count=self.min_count)
        encoded = self.emissions_.encode(features)
        likelihood = Likelihood.of(self.emissions_, encoded, sentences, tag, n_tags=n_tags, l2=self.l2)
        if self.batch_size is None:
            self.weights_, self.n_iterations_ = self._minimise(likelihood, progress)
        else:
            batches = [likelihood.of_sentences(tag, *ends) for ends in batch_ends(len(tags), self.batch_size)]
            self.weights_ = adagrad(
                *(batches, len(likelihood.observed)), rate=self.rate, n_epochs=self.max_iterations, seed=self.seed,
                on_epoch=progress or (lambda _, __: None),
            )  # fmt: skip
            self.n_iterations_ = self.max_iterations
        return self

    def scores(self, words: Sentences) -> ChainScores:
        """Scores of new sentences; features that training did not see add nothing."""
        return self.score_features(extract(words, self.templates), sentence_starts(words))

    def score_features(self, features: list[list[str]], sentences: Ints) -> ChainScores:
        """The same from the features of each word and where each sentence begins, and ends."""
        n_tags = len(self.tags_)
        emission, transition, start, end = split(self.weights_, n_tags)
        unary = self.emissions_.scores(self.emissions_.encode(features), emission, n_tags)
        return ChainScores(unary, sentences, start, transition, end)

    def _minimise(self, likelihood: Likelihood, progress: Callable[[int, float], None] | None) -> tuple[Floats, int]:
        done = 0

        def count(intermediate_result: object) -> None:
            nonlocal done
            done += 1
            if progress:
                progress(done, float(intermediate_result.fun))  # type: ignore[attr-defined]

        found = minimize(
            likelihood,
            np.zeros(len(likelihood.observed)),
            jac=True,
            method="L-BFGS-B",
            callback=count,
            options={"maxiter": self.max_iterations, "ftol": self.tolerance, "maxcor": 6},
        )
        return found.x, done
