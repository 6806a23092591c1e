"""Taggers with exact probabilities: a hidden Markov model and a linear-chain conditional random field.

| question | function |
|---|---|
| Learn to tag | `HiddenMarkovModel`, `ConditionalRandomField`; both `fit(words, tags)` and give `scores(words)` |
| Which features does the CRF see? | `BASIC`, `ADVANCED`, or any of `TEMPLATES` |
| How likely is each tag of each word? | `tag_marginals(scores)` |
| And each pair of neighbouring tags? | `pair_marginals(scores)` |
| Best tags of each sentence, and how likely are they all right? | `viterbi(scores)` |
| And the second best? | `second_best_scores(scores, best)` |
"""

from reproductions.tagging.chain import (
    BestPath,
    ChainScores,
    log_partition,
    pair_marginals,
    path_scores,
    tag_marginals,
    viterbi,
)
from reproductions.tagging.crf import ConditionalRandomField
from reproductions.tagging.hmm import HiddenMarkovModel
from reproductions.tagging.runner_up import second_best_scores
from reproductions.tagging.templates import ADVANCED, BASIC, TEMPLATES, extract
from reproductions.tagging.vocabulary import Vocabulary, joined, sentence_starts

__all__ = [
    "ADVANCED",
    "BASIC",
    "TEMPLATES",
    "BestPath",
    "ChainScores",
    "ConditionalRandomField",
    "HiddenMarkovModel",
    "Vocabulary",
    "extract",
    "joined",
    "log_partition",
    "pair_marginals",
    "path_scores",
    "second_best_scores",
    "sentence_starts",
    "tag_marginals",
    "viterbi",
]
