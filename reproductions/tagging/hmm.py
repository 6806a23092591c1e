"""A hidden Markov model of tags and words.

Covers: counting, Dirichlet smoothing, and scores of new sentences.
Not here: inference (`chain`).
"""

from typing import Self

import numpy as np

from calib_core.arrays import Floats
from reproductions.tagging.chain import ChainScores
from reproductions.tagging.vocabulary import Sentences, Vocabulary, check_same_lengths, joined, sentence_starts


class HiddenMarkovModel:
    """Tags follow each other, and each tag emits its word.

    Parameters
    ----------
    pseudocount : float
        Added to the count of every transition, start and end among them, and of every word under every tag: the
        Dirichlet prior of Nguyen & O'Connor (2015), who take 1 or what is best on held-out text.

    Attributes
    ----------
    tags_, words_ : Vocabulary
        All words that were not in the training text share one emission, which was never seen.
    start_, transition_, end_, emission_
        Log probabilities; `emission_` has shape (n_words + 1, n_tags), its last row for unknown words.
    """

    tags_: Vocabulary
    words_: Vocabulary
    start_: Floats
    transition_: Floats
    end_: Floats
    emission_: Floats

    def __init__(self, *, pseudocount: float = 1.0) -> None:
        if not pseudocount > 0:
            raise ValueError(f"pseudocount must be positive, or an unknown word has no tag; got {pseudocount}")
        self.pseudocount = pseudocount

    def fit(self, words: Sentences, tags: Sentences) -> Self:
        """Count; `words` and `tags` hold one sequence for each sentence."""
        check_same_lengths(words, tags)
        starts = sentence_starts(words)
        self.tags_, self.words_ = Vocabulary.of(joined(tags)), Vocabulary.of(joined(words))
        tag, word, n_tags = self.tags_.numbers(joined(tags)), self.words_.numbers(joined(words)), len(self.tags_)
        # one more row and column: before the first word, and after the last
        steps = np.zeros((n_tags + 1, n_tags + 1))
        inner = np.delete(np.arange(len(tag)), starts[:-1])
        np.add.at(steps, (tag[inner - 1], tag[inner]), 1.0)
        steps[n_tags, :n_tags] = np.bincount(tag[starts[:-1]], minlength=n_tags)
        steps[:n_tags, n_tags] = np.bincount(tag[starts[1:] - 1], minlength=n_tags)
        step = self._log_share(steps[:n_tags])
        self.transition_, self.end_ = np.ascontiguousarray(step[:, :n_tags]), step[:, n_tags].copy()
        self.start_ = self._log_share(steps[n_tags:, :n_tags])[0]
        emitted = np.zeros((n_tags, len(self.words_) + 1))
        np.add.at(emitted, (tag, word), 1.0)
        self.emission_ = np.ascontiguousarray(self._log_share(emitted).T)
        return self

    def scores(self, words: Sentences) -> ChainScores:
        """Log joint probabilities: the partition function of a sentence is the probability of its words."""
        starts = sentence_starts(words)
        unary = self.emission_[self.words_.numbers(joined(words), unknown=len(self.words_))]
        return ChainScores(unary, starts, self.start_, self.transition_, self.end_)

    def _log_share(self, counts: Floats) -> Floats:
        """Smoothed log probabilities of each row."""
        smoothed = counts + self.pseudocount
        return np.log(smoothed / smoothed.sum(axis=1, keepdims=True))
