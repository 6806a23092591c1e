"""Messages of a chain in logarithms, for potentials of any span and zero ones; and the best path.

Covers: forward, backward, Viterbi.
Not here: the faster way where the span allows it (`scaled_kernels`).
"""

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel


@kernel
def log_sum(one: Floats, other: Floats) -> float:
    """Logarithm of the sum of exp(one + other); minus infinity where all of its terms are."""
    highest, total = -np.inf, 0.0
    for at in range(len(one)):
        highest = max(highest, one[at] + other[at])
    if highest == -np.inf:
        return highest
    for at in range(len(one)):
        total += np.exp(one[at] + other[at] - highest)
    return float(highest + np.log(total))


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
        for tag in range(n_tags):
            left[first, tag] = start[tag] + unary[first, tag]
            after[tag] = end[tag]
        for word in range(first + 1, last):
            for tag in range(n_tags):
                left[word, tag] = unary[word, tag] + log_sum(left[word - 1], transposed[tag])
        log_z[number] = log_sum(left[last - 1], end)
        for word in range(last - 1, first - 1, -1):
            for tag in range(n_tags):
                right[word, tag] = unary[word, tag] + after[tag]
            for tag in range(n_tags):
                after[tag] = log_sum(transition[tag], right[word])


@kernel
def best_step(best: Floats, transition: Floats, unary: Floats, next_best: Floats, back: Ints) -> None:
    """Fill the score of the best path to each tag of the next word, and the tag that it comes from."""
    for tag in range(len(unary)):
        next_best[tag], back[tag] = -np.inf, 0
    for before in range(len(unary)):
        for tag in range(len(unary)):
            reached = best[before] + transition[before, tag]
            if reached > next_best[tag]:
                next_best[tag], back[tag] = reached, before
    for tag in range(len(unary)):
        next_best[tag] += unary[tag]


@kernel
def best_paths(
    unary: Floats, sentences: Ints, start: Floats, transition: Floats, end: Floats, tags: Ints, score: Floats
) -> None:
    """Fill the best tags of every sentence and their score; of equal tags the lowest number wins."""
    n_words, n_tags = unary.shape
    back = np.empty((n_words, n_tags), dtype=np.int64)
    best = np.empty((2, n_tags))
    for number in range(len(sentences) - 1):
        first, last = sentences[number], sentences[number + 1]
        for tag in range(n_tags):
            best[first % 2, tag] = start[tag] + unary[first, tag]
        for word in range(first + 1, last):
            best_step(best[(word - 1) % 2], transition, unary[word], best[word % 2], back[word])
        chosen, at_end = 0, best[(last - 1) % 2]
        for tag in range(n_tags):
            at_end[tag] += end[tag]
            chosen = tag if at_end[tag] > at_end[chosen] else chosen
        tags[last - 1], score[number] = chosen, at_end[chosen]
        for word in range(last - 1, first, -1):
            tags[word - 1] = back[word, tags[word]]
