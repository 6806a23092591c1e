"""The second best tags of each sentence, needed for a margin between whole labellings.

Covers: the score of the best path that differs from the best one.
Not here: the best path itself (`chain`).
"""

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel
from reproductions.tagging.chain import BestPath, ChainScores


def second_best_scores(scores: ChainScores, best: BestPath) -> Floats:
    """Score of the second best path of each sentence, shape (n_sentences,); minus infinity where there is only one.

    Notes
    -----
    A path that differs from the best has another tag somewhere. The best path with tag k at word t comes from one
    max-product pass in each direction, and the second best is the largest of these over all words t and all tags k
    but the best path's. Equal to the best score if two paths are equally good.
    """
    second = np.empty(len(scores.sentences) - 1)
    chain = (scores.start, scores.transition, scores.end)
    _second_best(scores.unary, scores.sentences, *chain, best.tags, second)
    return second


@kernel
def _second_best(
    unary: Floats, sentences: Ints, start: Floats, transition: Floats, end: Floats, tags: Ints, second: Floats
) -> None:
    for number in range(len(sentences) - 1):
        words = slice(sentences[number], sentences[number + 1])
        left = _best_until(unary[words], start, transition)
        second[number] = _best_other(unary[words], transition, end, left, tags[words])


@kernel
def _best_until(unary: Floats, start: Floats, transition: Floats) -> Floats:
    """Score of the best path from the left end to each tag of each word of one sentence."""
    best = np.empty(unary.shape)
    best[0] = start + unary[0]
    for word in range(1, len(unary)):
        for tag in range(len(start)):
            best[word, tag] = (best[word - 1] + transition[:, tag]).max() + unary[word, tag]
    return best


@kernel
def _best_other(unary: Floats, transition: Floats, end: Floats, left: Floats, tags: Ints) -> float:
    """Score of the best path that has another tag than the given ones somewhere."""
    top, after = -np.inf, end.copy()
    for word in range(len(unary) - 1, -1, -1):
        for tag in range(len(end)):
            if tag != tags[word]:
                top = max(top, left[word, tag] + after[tag])
        later = unary[word] + after
        for tag in range(len(end)):
            after[tag] = (transition[tag] + later).max()
    return top
