"""Scores to trees: the tree that Stanza's pipeline would give, with less work.

Covers: heads and relations of one sentence from arc scores. Words that each prefer a head such that a tree with
one root results need no search: that tree is the best one. The rest goes to Chu-Liu-Edmonds, and heads
with two subjects or two objects to Stanza's own repair, which scores relations only for the arcs that it looks at.
Not here: the network that scores (`workers.parsing.network`).
"""

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from stanza.models.common.vocab import VOCAB_PREFIX_SIZE, BaseVocab
from stanza.models.depparse.head_constraints import find_head_constraint_violations, resolve_head_constraint_violations

from calib_core.spanning_tree import best_single_root_tree

Scores = NDArray[np.float32]
Heads = NDArray[np.int64]

LONGEST_REPAIRED = 120
"""Words of a sentence beyond which a head may keep two subjects."""


def best_tree(scores: Scores) -> Heads:
    """Head of each position of one sentence in the best tree with exactly one root.

    Parameters
    ----------
    scores : shape (n + 1, n + 1)
        Log-probability of head (column) for each word (row); position 0 is the root.

    Returns
    -------
    shape (n + 1,)
        Entry 0 is unused.
    """
    greedy: Heads = scores.argmax(1)
    greedy[0] = 0
    if is_tree(greedy):
        return greedy
    return best_single_root_tree(scores.astype(np.float64))


def is_tree(heads: Heads) -> bool:
    """Whether exactly one word hangs on position 0 and every word reaches it.

    >>> is_tree(np.array([0, 2, 0])), is_tree(np.array([0, 2, 1])), is_tree(np.array([0, 0, 0]))
    (True, False, False)
    """
    if np.count_nonzero(heads[1:] == 0) != 1:
        return False
    # Doubling the jumps reaches the root, or shows a cycle, in log2(n) rounds.
    jump = heads.copy()
    jump[0] = 0
    for _ in range(len(heads).bit_length()):
        jump = jump[jump]
    return not jump.any()


class ArcLabels:
    """Log-probabilities of relations by (word, head), as Stanza's repair indexes them; filled when first asked for."""

    def __init__(self, n_labels: int, row: Callable[[int], Scores]) -> None:
        self.shape = (n_labels,)
        self._row = row
        self._rows: dict[int, Scores] = {}
        self._known: dict[tuple[int, int], Scores] = {}

    def remember(self, word: int, head: int, labels: Scores) -> None:
        """Keep the labels of an arc that is scored already."""
        self._known[word, head] = labels

    def __getitem__(self, arc: tuple[int, ...]) -> Scores:
        """Labels of (word, head), or the score of (word, head, label)."""
        word, head, *label = (int(part) for part in arc)
        known = self._known.get((word, head))
        if known is None:
            if word not in self._rows:
                self._rows[word] = self._row(word)
            known = self._rows[word][head]
        return known[label[0]] if label else known


def repaired(
    scores: Scores, tree: Heads, labels: Scores, vocab: BaseVocab, row: Callable[[int], Scores]
) -> tuple[Heads, list[str]]:
    """The tree and its relations after Stanza's rule that a head has one subject and one object.

    Sentences of more than `LONGEST_REPAIRED` words keep their first tree: they are tables and lists, in which Stanza's
    repair finds hundreds of violations and takes minutes without mending them.

    Parameters
    ----------
    scores : shape (n + 1, n + 1)
    tree : shape (n + 1,)
    labels : shape (n, n_labels)
        Log-probabilities of the relation of each word to its head in `tree`.
    row : function
        Of a word, gives its relations' log-probabilities at every head, shape (n + 1, n_labels).
    """
    names = vocab.unmap((labels.argmax(1) + VOCAB_PREFIX_SIZE).tolist())
    if len(tree) - 1 > LONGEST_REPAIRED or not find_head_constraint_violations(tree, names):
        return tree, names
    arcs = ArcLabels(labels.shape[1], row)
    for word, head in enumerate(tree[1:], 1):
        arcs.remember(word, int(head), labels[word - 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a violation that stays is no news to anybody
        tree, ids = resolve_head_constraint_violations(scores, arcs, tree, vocab)
    return np.asarray(tree), vocab.unmap([i + VOCAB_PREFIX_SIZE for i in ids])
