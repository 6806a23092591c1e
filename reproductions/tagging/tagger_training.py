"""Train the taggers of the experiments and choose their hyperparameters on development text.

Covers: HMMs and CRFs on parts of the training text, each CRF trained once.
Not here: the models (`reproductions.tagging`), what is measured on them (`tagger_measures`).
"""

from dataclasses import dataclass

import numpy as np

from reproductions.findings import Progress
from reproductions.tagging import ConditionalRandomField, HiddenMarkovModel
from reproductions.tagging.tagged_text import TaggedText
from reproductions.tagging.tagger_measures import Tagger, accuracy, log_likelihood

PSEUDOCOUNTS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.001, 0.0001)
UNSMOOTHED = 1e-9
"""Pseudocount of the HMM by maximum likelihood; not 0, because then an unknown word would have no tag."""
PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""L2 of a CRF; wide enough that the best one has worse ones on both sides."""
CRITERIA = ("accuracy", "likelihood")
"""By what a penalty is chosen on development text: the paper's accuracy, or the likelihood of the tags."""
N_EPOCHS = 30
"""Passes of AdaGrad."""


@dataclass(frozen=True, slots=True)
class Splits:
    """Training text in random order, and the other two."""

    train: TaggedText
    dev: TaggedText
    test: TaggedText


class Trainer:
    """Trains each model once, however often it is requested; a training text that is too short gives what it has."""

    def __init__(self, text: Splits, progress: Progress) -> None:
        self.text, self.progress = text, progress
        self._models: dict[tuple[int, tuple[str, ...], float], ConditionalRandomField] = {}

    def crf(self, n_sentences: int, groups: tuple[str, ...], l2: float) -> ConditionalRandomField:
        """A CRF from the first sentences of the training text, trained until nothing improves."""
        n = min(n_sentences, len(self.text.train.words))
        if (n, groups, l2) not in self._models:
            model = ConditionalRandomField(l2=l2, templates=groups, max_iterations=2000, tolerance=1e-7)
            self._models[n, groups, l2] = self._fitted(model, n)
        return self._models[n, groups, l2]

    def adagrad_crf(self, n_sentences: int, groups: tuple[str, ...], l2: float, seed: int) -> ConditionalRandomField:
        """The same by the thesis's estimator: AdaGrad with batches of 100 sentences."""
        options = {"batch_size": 100, "max_iterations": N_EPOCHS, "seed": seed}
        model = ConditionalRandomField(l2=l2, templates=groups, **options)
        return self._fitted(model, min(n_sentences, len(self.text.train.words)))

    def _fitted(self, model: ConditionalRandomField, n: int) -> ConditionalRandomField:
        part = self.text.train.part(np.arange(n))
        self.progress.stage(f"CRF, {n} sentences, L2 {model.l2:g}, features: {', '.join(model.templates)}")
        return model.fit(part.words, part.tags, progress=lambda _, value: self.progress.advance(f"{value:.0f}"))

    def hmm(self, pseudocount: float) -> HiddenMarkovModel:
        """An HMM from all of the training text."""
        return HiddenMarkovModel(pseudocount=pseudocount).fit(self.text.train.words, self.text.train.tags)

    def on_dev(self, model: Tagger, by: str = "accuracy") -> float:
        """Accuracy on the development text, or the mean log-likelihood of its tags per word."""
        return accuracy(model, self.text.dev) if by == "accuracy" else log_likelihood(model, self.text.dev)

    def best_penalty(self, n_sentences: int, groups: tuple[str, ...], by: str) -> float:
        """The L2 penalty that does best on dev."""
        return max(PENALTIES, key=lambda l2: self.on_dev(self.crf(n_sentences, groups, l2), by))

    def climbed_penalty(self, n_sentences: int, groups: tuple[str, ...], by: str, start: float) -> float:
        """The same by climbing from `start`: a penalty with worse ones on both sides."""
        at = PENALTIES.index(start)
        while True:
            near = range(max(at - 1, 0), min(at + 2, len(PENALTIES)))
            best = max(near, key=lambda one: self.on_dev(self.crf(n_sentences, groups, PENALTIES[one]), by))
            if best == at:
                return PENALTIES[at]
            at = best

    def best_pseudocount(self) -> float:
        """The pseudocount of the HMM with the best accuracy on dev."""
        return max(PSEUDOCOUNTS, key=lambda value: self.on_dev(self.hmm(value)))
