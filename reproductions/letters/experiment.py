"""Experiment `letters`: recalibrating a chain CRF of handwritten words, on Kuleshov & Liang's own data.

Covers: the split, choosing the penalty, Figures 2 to 4 for the chain.
Not here: the chain (`chain`), forecasts (`reproductions.structured.events`), the page (`page`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats
from reproductions.findings import DataFolder, Findings, Progress
from reproductions.letters.chain import Words, read_words, train_reader, word_events
from reproductions.letters.page import page
from reproductions.letters.results import LETTER, WORD, Results
from reproductions.structured.chain import MAP_GROUPS, TAG_GROUPS
from reproductions.structured.events import K, by_features, by_size, forecast
from reproductions.tagging import joined, log_partition, path_scores

N_TRAIN, N_TEST, N_SIMPLE = 2000, 2000, 1000
"""Words to train and to test on, as in the paper; the rest calibrates, 1,000 of it in Figure 2."""
N_CHOOSE = 400
"""Training words held out while the penalty is chosen."""
PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
SIZES, REPEATS = (30, 100, 300, 1000, 2877), 3
SIMPLE = {WORD: "smallest", LETTER: "margin"}
GROUPS = {WORD: MAP_GROUPS, LETTER: TAG_GROUPS}


@dataclass(frozen=True, slots=True)
class Split:
    """Words in random order."""

    train: Words
    calibrate: Words
    test: Words


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Everything on the words of 150 writers."""
    progress.stage("reading the letters")
    words = read_words(data.file("structured/ocr-letters.npz"))
    parts = np.split(np.random.default_rng(seed).permutation(len(words)), [N_TRAIN, N_TRAIN + N_TEST])
    train, test, calibrate = (words.part(part) for part in parts)
    return page(results(Split(train, calibrate, test), progress, seed=seed))


def results(split: Split, progress: Progress, *, seed: int, sizes: tuple[int, ...] = SIZES) -> Results:
    """Train on one part, calibrate on another, measure on the third."""
    l2 = best_penalty(split.train, progress, seed=seed)
    reader = train_reader(split.train, progress, l2=l2, seed=seed)
    progress.stage("features of words and letters")
    fit = dict(zip((WORD, LETTER), word_events(reader, split.calibrate), strict=True))
    test = dict(zip((WORD, LETTER), word_events(reader, split.test), strict=True))
    progress.stage("recalibrating", 2 * len(GROUPS))
    forecasts: dict[str, dict[str, Floats]] = {}
    simple: dict[str, Floats] = {}
    for kind, groups in GROUPS.items():
        some = fit[kind].of_examples(np.arange(N_SIMPLE))
        simple[kind] = forecast(some, test[kind], [SIMPLE[kind]], method="knn", size=K)
        progress.advance(f"{kind}, one feature")
        forecasts[kind] = by_features(fit[kind], test[kind], groups)
        progress.advance(f"{kind}, groups of features")
    progress.stage("calibration sets of different sizes")
    sized = by_size(fit[LETTER], test[LETTER], [SIMPLE[LETTER]], sizes, repeats=REPEATS, seed=seed)
    return Results(l2, len(reader.dictionary), test, simple, forecasts, sized)


def best_penalty(train: Words, progress: Progress, *, seed: int) -> float:
    """The L2 penalty with the best likelihood of held-out training words."""
    chosen, held = np.split(np.arange(len(train)), [len(train) - min(N_CHOOSE, len(train) // 3)])
    learned, judged = train.part(chosen), train.part(held)

    def likelihood(l2: float) -> float:
        crf = train_reader(learned, progress, l2=l2, seed=seed).crf
        scores = crf.score_features(judged.features(), judged.starts)
        gold = crf.tags_.numbers(joined([list(word) for word in judged.spelled()]), unknown=0)
        return float((path_scores(scores, gold) - log_partition(scores)).sum())

    return max(PENALTIES, key=likelihood)
