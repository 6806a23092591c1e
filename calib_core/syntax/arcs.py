"""What a parser says about the tree of one sentence: possible heads of each word, and relations of each arc.

Covers: the ragged arrays that the distribution over trees reads, and making them from full matrices.
Not here: probabilities of trees (`marginals`), drawing them (`sampling`).

A tree's weight is the product of the exponentials of its arcs' scores, over trees in which every word reaches the
root and exactly one word hangs on it. A relation is drawn given its arc, independently of the rest of the tree.
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel


@dataclass(frozen=True, slots=True)
class Arcs:
    """Possible heads of a sentence's n words, ragged: word w, from 1, owns entries `offsets[w - 1]:offsets[w]`.

    Attributes
    ----------
    offsets : shape (n + 1,)
        Starts at 0, never decreases.
    heads : shape (n_arcs,)
        From 0, the root, to n; never the word itself, ascending within a word.
    scores : shape (n_arcs,)
        Log-weights, finite. Adding a constant to all arcs of a word changes no probability.
    """

    offsets: Ints
    heads: Ints
    scores: Floats

    def __post_init__(self) -> None:
        """Refuse what the compiled kernels would read past or misread."""
        n_arcs = len(self.heads)
        if not len(self.offsets) or self.offsets[0] != 0 or self.offsets[-1] != n_arcs or len(self.scores) != n_arcs:
            raise ValueError(
                f"offsets must run from 0 to the number of arcs; they are {self.offsets[:1]} to {self.offsets[-1:]} "
                f"for {n_arcs} heads and {len(self.scores)} scores"
            )
        if (np.diff(self.offsets) < 1).any():
            word = int(np.argmax(np.diff(self.offsets) < 1)) + 1
            raise ValueError(f"every word must have a possible head; word {word} has none")
        wrong = (self.heads < 0) | (self.heads > len(self)) | (self.heads == self.words)
        wrong[1:] |= (self.words[1:] == self.words[:-1]) & (self.heads[1:] <= self.heads[:-1])
        if wrong.any():
            arc = int(np.argmax(wrong))
            raise ValueError(
                f"heads must lie in [0, {len(self)}], ascend and not be the word itself; word {self.words[arc]} has "
                f"head {self.heads[arc]}"
            )
        if not np.isfinite(self.scores).all():
            arc = int(np.argmin(np.isfinite(self.scores)))
            raise ValueError(f"scores must be finite; word {self.words[arc]} has {self.scores[arc]}")
        if len(self) and not _has_tree(self.offsets, self.heads):
            raise ValueError(f"the arcs of {len(self)} words must allow a tree with one root; these allow none")

    def __len__(self) -> int:
        """Number of words."""
        return len(self.offsets) - 1

    @property
    def words(self) -> Ints:
        """The dependent of each arc, from 1, shape (n_arcs,)."""
        return np.repeat(np.arange(1, len(self) + 1), np.diff(self.offsets))

    @classmethod
    def of_matrix(cls, scores: Floats) -> "Arcs":
        """Arcs of a full matrix.

        Parameters
        ----------
        scores : shape (n + 1, n + 1)
            Score of each head (column) for each word (row), as `best_single_root_tree` takes them; position 0 is the
            root, the diagonal is ignored, and a score of minus infinity rules an arc out.
        """
        if scores.ndim != 2 or scores.shape[0] != scores.shape[1] or not len(scores):
            raise ValueError(f"scores must have shape (n + 1, n + 1); got {scores.shape}")
        possible = scores != -np.inf
        possible[0] = False
        np.fill_diagonal(possible, False)
        word, head = np.nonzero(possible)
        offsets = np.searchsorted(word, np.arange(1, len(scores) + 1))
        return cls(offsets.astype(np.int64), head.astype(np.int64), scores[word, head].astype(np.float64))

    def matrix(self) -> Floats:
        """Scores as a full matrix, minus infinity where there is no arc, shape (n + 1, n + 1)."""
        scores = np.full((len(self) + 1, len(self) + 1), -np.inf)
        scores[self.words, self.heads] = self.scores
        return scores

    def tempered(self, temperature: float) -> "Arcs":
        """The same arcs with scores divided by a temperature; above 1 it makes the parser less sure."""
        if not temperature > 0:
            raise ValueError(f"temperature must be above 0; got {temperature}")
        return Arcs(self.offsets, self.heads, self.scores / temperature)

    def log_probabilities(self) -> Floats:
        """Log P(head) of each arc if words chose their heads one by one, shape (n_arcs,)."""
        return _log_softmax(self.scores, self.offsets)


@dataclass(frozen=True, slots=True)
class Relations:
    """Possible relations of each arc, ragged: arc a owns entries `offsets[a]:offsets[a + 1]`.

    Attributes
    ----------
    offsets : shape (n_arcs + 1,)
        Starts at 0, never decreases.
    labels : shape (n_entries,)
        Numbers of relations; which names they stand for is the caller's business.
    scores : shape (n_entries,)
        Log-weights, finite; a softmax over an arc's entries gives P(relation | arc).
    """

    offsets: Ints
    labels: Ints
    scores: Floats

    def __post_init__(self) -> None:
        """Refuse what the compiled kernels would read past or misread."""
        n_entries = len(self.labels)
        if not len(self.offsets) or self.offsets[0] != 0 or self.offsets[-1] != n_entries:
            raise ValueError(
                f"offsets must run from 0 to {n_entries}; they are {self.offsets[:1]} to {self.offsets[-1:]}"
            )
        if (np.diff(self.offsets) < 1).any():
            arc = int(np.argmax(np.diff(self.offsets) < 1))
            raise ValueError(f"every arc must have a possible relation; arc {arc} has none")
        if len(self.scores) != n_entries or not np.isfinite(self.scores).all():
            raise ValueError(f"scores must be {n_entries} finite numbers")

    def __len__(self) -> int:
        """Number of arcs."""
        return len(self.offsets) - 1

    @property
    def arcs(self) -> Ints:
        """The arc of each entry, shape (n_entries,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def tempered(self, temperature: float) -> "Relations":
        """The same relations with scores divided by a temperature."""
        if not temperature > 0:
            raise ValueError(f"temperature must be above 0; got {temperature}")
        return Relations(self.offsets, self.labels, self.scores / temperature)

    def log_probabilities(self) -> Floats:
        """Log P(relation | arc) of each entry, shape (n_entries,)."""
        return _log_softmax(self.scores, self.offsets)


def _log_softmax(scores: Floats, offsets: Ints) -> Floats:
    """Scores less the logarithm of their group's summed exponentials; no group is empty."""
    if not len(scores):
        return scores
    group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    shifted = scores - np.maximum.reduceat(scores, offsets[:-1])[group]
    return np.asarray(shifted - np.log(np.add.reduceat(np.exp(shifted), offsets[:-1]))[group])


@kernel
def _has_tree(offsets: Ints, heads: Ints) -> bool:
    """Whether all words can reach some possible root along arcs between words."""
    n = len(offsets) - 1
    for root in range(n):
        if heads[offsets[root]] != 0:
            continue
        reaches = np.zeros(n, np.bool_)
        reaches[root] = True
        grown = True
        while grown:
            grown = False
            for word in range(n):
                for arc in range(offsets[word], offsets[word + 1]):
                    if not reaches[word] and heads[arc] > 0 and reaches[heads[arc] - 1]:
                        reaches[word] = grown = True
        if reaches.all():
            return True
    return False
