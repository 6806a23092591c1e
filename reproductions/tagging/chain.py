"""Exact inference in a linear chain of tags.

Covers: the scores of a batch of sentences, and what follows from them: partition functions, marginals of tags and of
neighbouring pairs, the best path and its probability.
Not here: where scores come from (`hmm`, `crf`), the loops over words (`scaled_kernels`, `log_kernels`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Floats, Ints
from reproductions.tagging.log_kernels import best_paths, log_messages
from reproductions.tagging.scaled_kernels import WIDEST, scaled_messages


@dataclass(frozen=True, slots=True)
class ChainScores:
    """Log potentials of a batch of sentences: a path's probability is proportional to exp(sum of its scores).

    Attributes
    ----------
    unary : shape (n_words, n_tags)
        Score of each tag at each word, all sentences one after another; minus infinity forbids a tag.
    sentences : shape (n_sentences + 1,)
        The first word of each sentence, and n_words at the end; no sentence is empty.
    start, end : shape (n_tags,)
        Score of a tag at the first and last word.
    transition : shape (n_tags, n_tags)
        Score of tag j after tag i.
    """

    unary: Floats
    sentences: Ints
    start: Floats
    transition: Floats
    end: Floats

    def __post_init__(self) -> None:
        """Refuse shapes that do not fit, empty sentences and scores that are NaN or plus infinity."""
        n_words, n_tags = self.unary.shape
        for name, shape in (("start", (n_tags,)), ("end", (n_tags,)), ("transition", (n_tags, n_tags))):
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} must have shape {shape}; got {getattr(self, name).shape}")
        if self.sentences[0] != 0 or self.sentences[-1] != n_words or (np.diff(self.sentences) < 1).any():
            raise ValueError(f"sentences must rise from 0 to {n_words} words; got {self.sentences}")
        for name in ("unary", "start", "transition", "end"):
            values = getattr(self, name)
            if np.isnan(values).any() or (values == np.inf).any():
                raise ValueError(f"{name} must be finite or minus infinity; got NaN or plus infinity")

    @property
    def span(self) -> float:
        """How far apart the scores of one path can lie at a word; infinite where a score forbids."""
        with np.errstate(invalid="ignore"):  # where a word forbids every tag
            chain = sum(np.ptp(scores) for scores in (self.start, self.transition, self.end))
            return float(np.ptp(self.unary, axis=1).max() + chain)


@dataclass(frozen=True, slots=True)
class BestPath:
    """The most probable tags of each sentence."""

    tags: Ints
    """Shape (n_words,)."""
    score: Floats
    """Sum of the path's scores, shape (n_sentences,)."""
    log_probability: Floats
    """Logarithm of the probability that every tag of the sentence is as in `tags`, shape (n_sentences,)."""


@dataclass(frozen=True, slots=True)
class _Messages:
    left: Floats
    right: Floats
    marginal: Floats
    log_z: Floats
    logarithmic: bool


def log_partition(scores: ChainScores) -> Floats:
    """Logarithm of the sum of exp(score) over all paths of each sentence, shape (n_sentences,)."""
    return _messages(scores).log_z


def tag_marginals(scores: ChainScores) -> Floats:
    """Probability of each tag at each word, shape (n_words, n_tags); rows sum to 1."""
    return _messages(scores).marginal


def pair_marginals(scores: ChainScores, pairs: ArrayLike | None = None) -> Floats:
    """Probability of tag pairs at neighbouring words of a sentence.

    Parameters
    ----------
    scores : ChainScores
    pairs : shape (n_pairs, 2), optional
        Which pairs, first tag first; all of them, in order, if not given.

    Returns
    -------
    shape (n_words - n_sentences, n_pairs)
        One row for every word that has one before it in its sentence.
    """
    n_tags = scores.unary.shape[1]
    wanted = np.argwhere(np.ones((n_tags, n_tags))) if pairs is None else np.asarray(pairs, dtype=np.int64)
    if wanted.ndim != 2 or wanted.shape[1] != 2 or (wanted.size and not 0 <= wanted.min() <= wanted.max() < n_tags):
        raise ValueError(f"pairs must be two tags below {n_tags} each; got shape {wanted.shape}")
    found, (first, second) = _messages(scores), wanted.T
    follows = np.ones(len(scores.unary), dtype=np.bool_)
    follows[scores.sentences[:-1]] = False
    later = np.flatnonzero(follows)
    left, right, between = found.left[later - 1][:, first], found.right[later][:, second], scores.transition
    if not found.logarithmic:
        return np.minimum(left * np.exp(between - between.max())[first, second] * right, 1.0)
    log_z = np.repeat(found.log_z, np.diff(scores.sentences) - 1)[:, None]
    return np.minimum(np.exp(left + between[first, second] + right - log_z), 1.0)


def path_scores(scores: ChainScores, tags: ArrayLike) -> Floats:
    """Score of given tags, shape (n_words,), summed over each sentence: shape (n_sentences,)."""
    path = np.asarray(tags, dtype=np.int64)
    if path.shape != scores.unary.shape[:1]:
        raise ValueError(f"tags must be one for each of {len(scores.unary)} words; got shape {path.shape}")
    step = scores.unary[np.arange(len(path)), path]
    step[1:] += scores.transition[path[:-1], path[1:]]
    first, last = scores.sentences[:-1], scores.sentences[1:] - 1
    # the first word of a sentence follows nothing; adding the unwanted transition and subtracting it would round
    step[first] = scores.unary[first, path[first]] + scores.start[path[first]]
    step[last] += scores.end[path[last]]
    return np.add.reduceat(step, first)


def viterbi(scores: ChainScores) -> BestPath:
    """The most probable path of each sentence; of equal paths the one with lower tag numbers at its end."""
    tags, best = np.empty(len(scores.unary), dtype=np.int64), np.empty(len(scores.sentences) - 1)
    best_paths(scores.unary, scores.sentences, scores.start, scores.transition, scores.end, tags, best)
    return BestPath(tags, best, np.minimum(best - log_partition(scores), 0.0))


def _messages(scores: ChainScores) -> _Messages:
    left, right = np.empty_like(scores.unary), np.empty_like(scores.unary)
    log_z = np.empty(len(scores.sentences) - 1)
    chain = (scores.start, scores.transition, scores.end)
    if scores.span < WIDEST:
        marginal = np.empty_like(scores.unary)
        shift = [potential.max() for potential in chain]
        start, between, end = (np.exp(potential - highest) for potential, highest in zip(chain, shift, strict=True))
        scaled_messages(scores.unary, scores.sentences, start, between, end, left, right, marginal, log_z)
        log_z += shift[0] + shift[2] + shift[1] * (np.diff(scores.sentences) - 1)
        return _Messages(left, right, np.minimum(marginal, 1.0), log_z, logarithmic=False)
    log_messages(scores.unary, scores.sentences, *chain, left, right, log_z)
    if not np.isfinite(log_z).all():
        raise ValueError(f"sentence {int(np.isfinite(log_z).argmin())} has no path of finite score")
    words = np.repeat(log_z, np.diff(scores.sentences))[:, None]
    with np.errstate(invalid="ignore"):  # minus infinity in both: the tag is forbidden, and unary is subtracted twice
        marginal = np.exp(left + right - scores.unary - words)
    return _Messages(left, right, np.minimum(np.nan_to_num(marginal), 1.0), log_z, logarithmic=True)
