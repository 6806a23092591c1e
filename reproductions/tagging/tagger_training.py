"""Train the taggers of the experiments and choose their hyperparameters by accuracy on development text.

Covers: HMMs and CRFs on parts of the training text, each CRF trained once.
Not here: the models (`reproductions.tagging`), what is measured on them (`tagger_measures`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reproductions.findings import Progress
from reproductions.tagging import ConditionalRandomField, HiddenMarkovModel
from reproductions.tagging.tagged_text import TaggedText
from reproductions.tagging.tagger_measures import Tagger, accuracy

PSEUDOCOUNTS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.001, 0.0001)


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
        """A CRF from the first sentences of the training text."""
        n = min(n_sentences, len(self.text.train.words))
        if (n, groups, l2) not in self._models:
            part, model = self.text.train.part(np.arange(n)), ConditionalRandomField(l2=l2, templates=groups)
            self.progress.stage(f"CRF, {n} sentences, L2 {l2:g}, features: {', '.join(groups)}", model.max_iterations)
            model.fit(part.words, part.tags, progress=lambda _, value: self.progress.advance(f"objective {value:.0f}"))
            self._models[n, groups, l2] = model
        return self._models[n, groups, l2]

    def hmm(self, pseudocount: float) -> HiddenMarkovModel:
        """An HMM from all of the training text."""
        return HiddenMarkovModel(pseudocount=pseudocount).fit(self.text.train.words, self.text.train.tags)

    def on_dev(self, model: Tagger) -> float:
        """Accuracy on the development text."""
        return accuracy(model, self.text.dev)

    def best_penalty(self, n_sentences: int, groups: tuple[str, ...], penalties: Sequence[float]) -> float:
        """The L2 penalty with the best accuracy on dev."""
        return max(penalties, key=lambda l2: self.on_dev(self.crf(n_sentences, groups, l2)))

    def best_pseudocount(self) -> float:
        """The pseudocount of the HMM with the best accuracy on dev."""
        return max(PSEUDOCOUNTS, key=lambda value: self.on_dev(self.hmm(value)))
