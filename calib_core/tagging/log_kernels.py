"""Messages of a chain in logarithms, for potentials of any span and zero ones; and the best path.

Covers: forward, backward, Viterbi.
Not here: the faster way where the span allows it (`scaled_kernels`).
"""

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel


@kernel
def log_sum(terms: Floats) -> float:
    """Logarithm of the sum of exponentials; minus infinity where all terms are."""
    highest = terms.max()
    if highest == -np.inf:
        return highest
    return highest + np.log(np.exp(terms - highest).sum())


@kernel
def log_messages(
    unary: Floats,
    sentences: Ints,
    start: Floats,
    transition: Floats,
    end: Floats,
    left: Floats,
    right: Floats,
    log_z: Floats,
) -> None:
    """Fill the messages of all sentences, as logarithms.

    left[t - 1, i] + transition[i, j] + right[t, j] - log_z is the log marginal of a pair of neighbouring tags.
    `sentences` holds the first word of each sentence and the number of words.
    """
    n_tags = unary.shape[1]
    transposed, after = transition.T.copy(), np.empty(n_tags)
    for number in range(len(sentences) - 1):
        first, last = sentences[number], sentences[number + 1]
        left[first] = start + unary[first]
        for word in range(first + 1, last):
            for tag in range(n_tags):
                left[word, tag] = unary[word, tag] + log_sum(left[word - 1] + transposed[tag])
        log_z[number] = log_sum(left[last - 1] + end)
        after[:] = end
        for word in range(last - 1, first - 1, -1):
            right[word] = unary[word] + after
            for tag in range(n_tags):
                after[tag] = log_sum(transition[tag] + right[word])


@kernel
def best_paths(
    unary: Floats, sentences: Ints, start: Floats, transition: Floats, end: Floats, tags: Ints, score: Floats
) -> None:
    """Fill the best tags of every sentence and their score; of equal tags the lowest number wins."""
    n_words, n_tags = unary.shape
    back = np.empty((n_words, n_tags), dtype=np.int64)
    best, next_best = np.empty(n_tags), np.empty(n_tags)
    for number in range(len(sentences) - 1):
        first, last = sentences[number], sentences[number + 1]
        best[:] = start + unary[first]
        for word in range(first + 1, last):
            next_best[:] = -np.inf
            back[word] = 0
            for before in range(n_tags):
                for tag in range(n_tags):
                    reached = best[before] + transition[before, tag]
                    if reached > next_best[tag]:
                        next_best[tag] = reached
                        back[word, tag] = before
            best[:] = next_best + unary[word]
        best += end
        tags[last - 1] = best.argmax()
        score[number] = best.max()
        for word in range(last - 1, first, -1):
            tags[word - 1] = back[word, tags[word]]
