"""What the tagging experiments measure on a fitted tagger.

Covers: marginals beside the right tags, the yes/no questions made of them, and calibration with both intervals.
Not here: pages (`reproductions.hmm_crf.page`, `reproductions.tweets.page`), taggers (`reproductions.tagging`).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import Estimate, calibration_error_interval, cluster_bootstrap
from reproductions.tagging import (
    ChainScores,
    Vocabulary,
    joined,
    log_partition,
    pair_marginals,
    path_scores,
    sentence_starts,
    tag_marginals,
    viterbi,
)
from reproductions.tagging.tagged_text import TaggedText
from reproductions.tagging.vocabulary import Sentences


class Tagger(Protocol):
    """Either of the two models, once fitted."""

    tags_: Vocabulary

    def scores(self, words: Sentences) -> ChainScores:
        """Scores of sentences."""


@dataclass(frozen=True, slots=True)
class Question:
    """Yes/no questions with the model's answers: predicted probability, truth, and the document asked about."""

    pred: Floats
    label: Bools
    document: Ints


@dataclass(frozen=True, slots=True)
class Calibration:
    """The error of a question by the paper's Algorithms 1 and 2, and without noise by drawing whole documents."""

    paper: Estimate
    clean: Estimate


@dataclass(frozen=True, slots=True)
class Tagged:
    """A tagger's probabilities on a text."""

    scores: ChainScores
    marginal: Floats
    """Shape (n_words, n_tags)."""
    gold: Ints
    """The right tag's column, or -1 where training had no such tag. Shape (n_words,)."""
    document: Ints
    names: tuple[str, ...]
    accuracy: float
    """Of the best path."""

    @property
    def overconfidence(self) -> float:
        """Mean probability of the most likely tag, minus how often it is right."""
        return float(self.marginal.max(axis=1).mean() - (self.marginal.argmax(axis=1) == self.gold).mean())

    def overconfident_words(self) -> tuple[Floats, Ints]:
        """For each word, the probability of its likeliest tag minus 1 if that is right; and its document."""
        return self.marginal.max(axis=1) - (self.marginal.argmax(axis=1) == self.gold), self.document

    def all_tags(self) -> Question:
        """For every word and tag: is this the word's tag?"""
        n_tags = self.marginal.shape[1]
        label = self.gold[:, None] == np.arange(n_tags)
        return Question(self.marginal.ravel(), label.ravel(), np.repeat(self.document, n_tags))

    def one_tag(self, name: str) -> Question:
        """For every word: is this its tag?"""
        number = self.names.index(name)
        return Question(self.marginal[:, number], self.gold == number, self.document)

    def tag_pair(self, pairs: Ints) -> list[Question]:
        """For each pair of tags: does a word and the one before it have them? `pairs` has shape (n_pairs, 2)."""
        follows = np.delete(np.arange(len(self.gold)), self.scores.sentences[:-1])
        pred, document = pair_marginals(self.scores, pairs), self.document[follows]
        before, here = self.gold[follows - 1], self.gold[follows]
        return [
            Question(pred[:, column], (before == first) & (here == second), document)
            for column, (first, second) in enumerate(pairs.tolist())
        ]


def accuracy(model: Tagger, text: TaggedText) -> float:
    """Share of words whose tag on the best path is right."""
    return float(np.mean(viterbi(model.scores(text.words)).tags == model.tags_.numbers(joined(text.tags))))


def log_likelihood(model: Tagger, text: TaggedText) -> float:
    """Mean log-probability per word of the right tags given the words; leaves out sentences with an unknown tag."""
    scores, gold = model.scores(text.words), model.tags_.numbers(joined(text.tags))
    first = scores.sentences[:-1]
    known = np.minimum.reduceat(gold, first) >= 0
    logs = path_scores(scores, np.maximum(gold, 0)) - log_partition(scores)
    return float(logs[known].sum() / np.diff(scores.sentences)[known].sum())


def tag(model: Tagger, text: TaggedText) -> Tagged:
    """Probabilities of all tags on a text."""
    scores = model.scores(text.words)
    gold = model.tags_.numbers(joined(text.tags))
    right = float(np.mean(viterbi(scores).tags == gold))
    return Tagged(scores, tag_marginals(scores), gold, text.word_documents, model.tags_.names, right)


def calibration(question: Question, *, bin_size: int, seed: int) -> Calibration:
    """Both estimates in bins of the same size."""
    paper = calibration_error_interval(question.pred, question.label, bin_size=bin_size, seed=seed)
    clean = cluster_bootstrap(question.pred, question.label, question.document, bin_size=bin_size, seed=seed)
    return Calibration(paper, clean)


def frequent_pairs(text: TaggedText, names: tuple[str, ...], n_pairs: int) -> Ints:
    """The most frequent pairs of neighbouring tags that the tagger knows, most frequent first: shape (n_pairs, 2)."""
    number = {name: column for column, name in enumerate(names)}
    tags = np.array([number.get(name, -1) for name in joined(text.tags)])
    follows = np.delete(np.arange(len(tags)), sentence_starts(text.tags)[:-1])
    known = (tags[follows - 1] >= 0) & (tags[follows] >= 0)
    code, count = np.unique(tags[follows - 1][known] * len(names) + tags[follows][known], return_counts=True)
    top = code[np.argsort(-count, kind="stable")][:n_pairs]
    return np.column_stack([top // len(names), top % len(names)])
