"""The chain of letters: a CRF over pixels, and events about its best words and letters.

Covers: reading the images, training, features of Table 1 by what they cost.
Not here: forecasts of the events (`reproductions.structured.events`), the page (`page`).
"""

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import LinearSVC

from calib_core.arrays import Floats, Ints
from calib_core.calibration import concordance, margin
from reproductions.findings import Progress
from reproductions.structured.chain import map_columns
from reproductions.structured.events import Events
from reproductions.tagging import (
    ConditionalRandomField,
    log_partition,
    second_best_scores,
    tag_marginals,
    viterbi,
)

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Words:
    """Words written by hand, one letter after another."""

    pixels: NDArray[np.uint8]
    """Shape (n_letters, 128), 0 or 1."""
    letters: Ints
    """Shape (n_letters,), 0 for "a"."""
    starts: Ints
    """Where each word begins, and the number of letters."""

    def __len__(self) -> int:
        """Number of words."""
        return len(self.starts) - 1

    def part(self, chosen: Ints) -> "Words":
        """Some of the words."""
        rows = np.concatenate([np.arange(self.starts[word], self.starts[word + 1]) for word in chosen])
        lengths = np.diff(self.starts)[chosen]
        return Words(self.pixels[rows], self.letters[rows], np.concatenate([[0], np.cumsum(lengths)]))

    def spelled(self) -> list[str]:
        """Each word as text."""
        return spell(self.letters, self.starts)

    def features(self) -> list[list[str]]:
        """The lit pixels of each letter by name, and a constant."""
        return [["any", *(f"pixel {at}" for at in np.flatnonzero(row))] for row in self.pixels]


def spell(letters: Ints, starts: Ints) -> list[str]:
    """Letters as words."""
    text = "".join(ALPHABET[letter] for letter in letters)
    return [text[first:last] for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


def read_words(path: Path) -> Words:
    """The file of Kassel's and Taskar's letters."""
    with np.load(path) as file:
        pixels = np.unpackbits(file["pixels"], axis=1)
        return Words(pixels, file["letters"].astype(np.int64), file["word_offsets"].astype(np.int64))


@dataclass(frozen=True, slots=True)
class Reader:
    """A trained chain, an SVM that sees each letter alone, and the words of the training text."""

    crf: ConditionalRandomField
    svm: LinearSVC
    dictionary: Set[str]


def train_reader(words: Words, progress: Progress, *, l2: float, seed: int) -> Reader:
    """Train both classifiers; the dictionary is every word of the training text."""
    progress.stage(f"CRF, {len(words):,} words, L2 {l2:g}")
    crf = ConditionalRandomField(l2=l2, max_iterations=1000, tolerance=1e-6)
    tags = [list(word) for word in words.spelled()]
    crf.fit_features(words.features(), tags, progress=lambda _, value: progress.advance(f"objective {value:.0f}"))
    progress.stage("SVM that sees each letter alone")
    svm = LinearSVC(C=0.01, random_state=seed, max_iter=5000).fit(words.pixels, words.letters)
    return Reader(crf, svm, frozenset(words.spelled()))


def word_events(reader: Reader, words: Words) -> tuple[Events, Events]:
    """Events about whole words, and about single letters, of words that the chain has not seen."""
    scores = reader.crf.score_features(words.features(), words.starts)
    best, marginal, first = viterbi(scores), tag_marginals(scores), words.starts[:-1]
    guess = np.array([ALPHABET.index(name) for name in reader.crf.tags_.names])[best.tags]
    right, probability = guess == words.letters, np.exp(best.log_probability)
    svm, margins = margin(reader.svm.decision_function(words.pixels)), margin(marginal)
    runner_up = np.exp(second_best_scores(scores, best) - log_partition(scores))
    known = [word in reader.dictionary for word in spell(guess, words.starts)]
    whole = Events(
        raw=probability,
        holds=np.logical_and.reduceat(right, first),
        example=np.arange(len(words)),
        columns={
            "svm": np.minimum.reduceat(svm, first),
            "length": np.diff(words.starts).astype(np.float64),
            "admissible": np.array(known, dtype=np.float64),
            "margin": probability - runner_up,
            "smallest": np.minimum.reduceat(margins, first),
        },
    )
    columns: dict[str, Floats] = {
        "svm": svm,
        **map_columns(scores, best.tags),
        "margin": margins,
        "concordance": concordance(marginal, best.tags).astype(np.float64),
    }
    word = np.repeat(np.arange(len(words)), np.diff(words.starts))
    return whole, Events(marginal[np.arange(len(right)), best.tags], right, word, columns)
