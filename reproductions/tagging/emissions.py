"""Sparse weights that join features to tags.

Covers: which pairs of feature and tag have a weight, and the kernels that add weights up and hand expectations back.
Not here: learning the weights (`crf`).

As in CRFsuite, a feature has weights only for tags that it was seen with: about two per feature, where a full table
would have one for every tag.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel
from reproductions.tagging.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class WordFeatures:
    """Feature numbers of n words, one word after another."""

    features: Ints
    starts: Ints
    """Where each word's features begin, and their number: shape (n + 1,)."""


@dataclass(frozen=True, slots=True)
class EmissionMap:
    """The pairs of feature and tag that have a weight, ordered by feature."""

    vocabulary: Vocabulary
    starts: Ints
    """Where each feature's pairs begin, and their number: shape (n_features + 1,)."""
    tags: Ints
    """Tag of each pair, shape (n_pairs,)."""

    @classmethod
    def observed(cls, features: list[list[str]], tags: Ints, n_tags: int, *, min_count: int) -> "EmissionMap":
        """Pairs that occur in training; features seen fewer than `min_count` times are left out."""
        counts = Counter(feature for word in features for feature in word)
        vocabulary = Vocabulary.of(feature for feature, count in counts.items() if count >= min_count)
        if not len(vocabulary):
            raise ValueError(f"no feature occurs min_count = {min_count} times; lower it")
        seen = _encode(vocabulary, features)
        pairs = np.unique(seen.features * n_tags + np.repeat(tags, np.diff(seen.starts)))
        starts = np.searchsorted(pairs, np.arange(len(vocabulary) + 1) * n_tags)
        return cls(vocabulary, starts, pairs % n_tags)

    def encode(self, features: list[list[str]]) -> WordFeatures:
        """The numbers of the features that have weights; others are left out."""
        return _encode(self.vocabulary, features)

    def counts(self, words: WordFeatures, tags: Ints) -> Floats:
        """How often each pair occurs in tagged words, shape (n_pairs,)."""
        found = np.zeros(len(self.tags))
        observed_counts(words.starts, words.features, self.starts, self.tags, tags, found)
        return found

    def scores(self, words: WordFeatures, weights: Floats, n_tags: int) -> Floats:
        """Sum of weights at each word and tag, shape (n_words, n_tags)."""
        unary = np.zeros((len(words.starts) - 1, n_tags))
        add_scores(0, words.starts, words.features, self.starts, self.tags, weights, unary)
        return unary


def _encode(vocabulary: Vocabulary, features: list[list[str]]) -> WordFeatures:
    numbers = vocabulary.numbers(feature for word in features for feature in word)
    starts = np.concatenate([[0], np.cumsum([len(word) for word in features])])
    known = numbers >= 0
    return WordFeatures(numbers[known], np.concatenate([[0], np.cumsum(known)])[starts])


@kernel
def add_scores(
    first: int, word_starts: Ints, features: Ints, pair_starts: Ints, pair_tags: Ints, weights: Floats, unary: Floats
) -> None:
    """Add the weights of word `first` and those after it to the rows of `unary`, shape (n, n_tags)."""
    for word in range(len(unary)):
        for at in range(word_starts[first + word], word_starts[first + word + 1]):
            feature = features[at]
            for pair in range(pair_starts[feature], pair_starts[feature + 1]):
                unary[word, pair_tags[pair]] += weights[pair]


@kernel
def add_expectations(
    first: int, word_starts: Ints, features: Ints, pair_starts: Ints, pair_tags: Ints, marginal: Floats, out: Floats
) -> None:
    """The reverse of `add_scores`: add the marginals of each word's tags to the pairs that scored them."""
    for word in range(len(marginal)):
        for at in range(word_starts[first + word], word_starts[first + word + 1]):
            feature = features[at]
            for pair in range(pair_starts[feature], pair_starts[feature + 1]):
                out[pair] += marginal[word, pair_tags[pair]]


@kernel
def observed_counts(
    word_starts: Ints, features: Ints, pair_starts: Ints, pair_tags: Ints, tags: Ints, out: Floats
) -> None:
    """Add one to every pair of a feature and the tag of its word."""
    for word in range(len(tags)):
        for at in range(word_starts[word], word_starts[word + 1]):
            feature = features[at]
            for pair in range(pair_starts[feature], pair_starts[feature + 1]):
                if pair_tags[pair] == tags[word]:
                    out[pair] += 1.0
