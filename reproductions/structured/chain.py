"""Recalibration of a linear chain: events about the best tags of a sentence, and about each of them.

Covers: the features of Table 1 of Kuleshov & Liang on part-of-speech tags, by what they cost.
Not here: the CRF (`reproductions.tagging`), the page (`structured`).
"""

from dataclasses import dataclass

import numpy as np
from sklearn.feature_extraction import FeatureHasher
from sklearn.linear_model import SGDClassifier

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import (
    chain_conditionals,
    concordance,
    label_frequency,
    margin,
    neighbour_agreement,
    pseudomargin,
)
from reproductions.findings import Progress
from reproductions.structured.events import Events
from reproductions.tagging import (
    ADVANCED,
    ChainScores,
    ConditionalRandomField,
    extract,
    joined,
    log_partition,
    second_best_scores,
    sentence_starts,
    tag_marginals,
    viterbi,
)
from reproductions.tagging.tagged_text import TaggedText
from reproductions.tagging.vocabulary import Sentences

MAP_GROUPS = {
    "none: SVM margin": ["svm"],
    "MAP: length": ["length"],
    "MAP: length, admissible": ["length", "admissible"],
    "MAP: margin": ["margin"],
    "MAP: all": ["length", "admissible", "margin"],
    "marginals: margin": ["smallest"],
    "all": ["svm", "length", "admissible", "margin", "smallest"],
}
"""Features of the event "every tag of the sentence is right", by what they cost."""

TAG_GROUPS = {
    "none: SVM margin": ["svm"],
    "MAP: label": ["label"],
    "MAP: frequency, neighbours, label": ["frequency", "neighbours", "label"],
    "MAP: pseudomargin": ["pseudo"],
    "MAP: all": ["frequency", "neighbours", "label", "pseudo"],
    "marginals: margin": ["margin"],
    "marginals: margin, concordance": ["margin", "concordance"],
    "all": ["svm", "frequency", "neighbours", "label", "pseudo", "margin", "concordance"],
}
"""Features of the event "this tag is right"."""

MAX_ITERATIONS = 60


class Local:
    """A linear SVM that tags each word by itself: the features that need no inference over the sentence."""

    def __init__(self, seed: int) -> None:
        self._hasher = FeatureHasher(2**16, input_type="string")
        self._model = SGDClassifier(loss="hinge", max_iter=5, tol=None, random_state=seed)

    def fit(self, words: Sentences, tags: Sentences) -> "Local":
        """Learn from the same features as the CRF."""
        self._model.fit(self._hasher.transform(extract(words, ADVANCED)), joined(tags))
        return self

    def margins(self, words: Sentences) -> Floats:
        """Best score minus second best of each word, shape (n_words,)."""
        return margin(self._model.decision_function(self._hasher.transform(extract(words, ADVANCED))))


@dataclass(frozen=True, slots=True)
class Chain:
    """A trained chain and what its features need: tag pairs and words' tags seen in training."""

    crf: ConditionalRandomField
    local: Local
    bigrams: Bools
    """Shape (n_tags, n_tags): which tag has followed which."""
    lexicon: dict[str, set[int]]


def train_chain(tagged: TaggedText, progress: Progress, *, seed: int) -> Chain:
    """Train the CRF and the SVM, and remember what was seen."""
    progress.stage(f"training a CRF on {len(tagged.words):,} sentences", MAX_ITERATIONS)
    crf = ConditionalRandomField(templates=ADVANCED, max_iterations=MAX_ITERATIONS)
    crf.fit(tagged.words, tagged.tags, progress=lambda *_: progress.advance())
    progress.stage("training an SVM that sees each word alone")
    local = Local(seed).fit(tagged.words, tagged.tags)
    n = len(crf.tags_)
    bigrams, lexicon = np.zeros((n, n), dtype=np.bool_), dict[str, set[int]]()
    for words, tags in zip(tagged.words, tagged.tags, strict=True):
        numbers = crf.tags_.numbers(tags)
        bigrams[numbers[:-1], numbers[1:]] = True
        for word, tag in zip(words, numbers.tolist(), strict=True):
            lexicon.setdefault(word, set()).add(tag)
    return Chain(crf, local, bigrams, lexicon)


def chain_events(chain: Chain, tagged: TaggedText) -> tuple[Events, Events]:
    """Events about whole sentences, and about single tags, of sentences that the chain has not seen."""
    scores = chain.crf.scores(tagged.words)
    best, marginal = viterbi(scores), tag_marginals(scores)
    starts = sentence_starts(tagged.words)
    sentence = np.repeat(np.arange(len(tagged.words)), np.diff(starts))
    right = best.tags == chain.crf.tags_.numbers(joined(tagged.tags))
    svm, margins = chain.local.margins(tagged.words), margin(marginal)
    runner_up = np.exp(second_best_scores(scores, best) - log_partition(scores))
    whole = Events(
        raw=np.exp(best.log_probability),
        holds=np.logical_and.reduceat(right, starts[:-1]),
        example=np.arange(len(tagged.words)),
        columns={
            "svm": np.minimum.reduceat(svm, starts[:-1]),
            "length": np.diff(starts).astype(np.float64),
            "admissible": _admissible(chain, tagged.words, best.tags, starts),
            "margin": np.exp(best.log_probability) - runner_up,
            "smallest": np.minimum.reduceat(margins, starts[:-1]),
        },
    )
    single = Events(
        raw=marginal[np.arange(len(right)), best.tags],
        holds=right,
        example=sentence,
        columns={
            "svm": svm,
            **map_columns(scores, best.tags),
            "margin": margins,
            "concordance": concordance(marginal, best.tags).astype(np.float64),
        },
    )
    return whole, single


def _admissible(chain: Chain, words: Sentences, tags: Ints, starts: Ints) -> Floats:
    """Whether every pair of tags, and every known word with its tag, was seen in training."""
    found = []
    for sentence, first, last in zip(words, starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        path = tags[first:last]
        known = all(tag in chain.lexicon.get(word, {tag}) for word, tag in zip(sentence, path.tolist(), strict=True))
        found.append(known and bool(chain.bigrams[path[:-1], path[1:]].all()))
    return np.array(found, dtype=np.float64)


def map_columns(scores: ChainScores, tags: Ints) -> dict[str, Floats]:
    """What the best tags alone say about each of them: φ₄ to φ₇ of Table 1."""
    parts: dict[str, list[Floats]] = {"frequency": [], "neighbours": [], "pseudo": []}
    for first, last in zip(scores.sentences[:-1].tolist(), scores.sentences[1:].tolist(), strict=True):
        path, unary = tags[first:last], scores.unary[first:last].copy()
        unary[0] += scores.start
        unary[-1] += scores.end
        parts["frequency"].append(label_frequency(path))
        parts["neighbours"].append(neighbour_agreement(path))
        parts["pseudo"].append(pseudomargin(chain_conditionals(unary, scores.transition, path)))
    columns = {name: np.concatenate(column) for name, column in parts.items()}
    return columns | {"label": np.eye(scores.unary.shape[1])[tags]}
