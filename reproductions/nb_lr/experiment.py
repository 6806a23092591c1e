"""Experiment `nb-lr`: Naive Bayes against logistic regression on binary unigrams.

Covers: reading the review snippets, the rotating split, choosing hyperparameters by F1, and test predictions.
Not here: the page (`page`).
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.naive_bayes import BernoulliNB

from calib_core.arrays import Bools, Floats, Ints
from reproductions.findings import DataFolder, Findings, Progress
from reproductions.nb_lr.page import Fold, page

N_PARTS = 5
SMOOTHING = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Naive Bayes: the pseudocount."""
STRENGTH = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Logistic regression: one over the weight of the L2 penalty."""


def read_snippets(path: Path) -> tuple[list[str], Bools]:
    """Text and sentiment of every snippet of the Pang & Lee archive; they come tokenised and in lower case."""
    texts: list[str] = []
    labels: list[bool] = []
    with zipfile.ZipFile(path) as archive:
        for name, positive in (("neg", False), ("pos", True)):
            member = f"sentence_polarity/rt-polarity.{name}"
            if member not in archive.namelist():
                raise ValueError(f"{path} must hold {member}; it holds {', '.join(archive.namelist()[:5])}")
            lines = archive.read(member).decode("latin-1").splitlines()
            texts += [line for line in lines if line.strip()]
            labels += [positive] * (len(texts) - len(labels))
    return texts, np.array(labels)


def rotations(n: int, seed: int) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Train, dev and test rows; every row is tested once, by a model that saw three fifths of the others."""
    parts = np.array_split(np.random.default_rng(seed).permutation(n), N_PARTS)
    for turn in range(N_PARTS):
        dev, test = parts[(turn + 1) % N_PARTS], parts[turn]
        yield np.concatenate([parts[(turn + step) % N_PARTS] for step in range(2, N_PARTS)]), dev, test


def candidates() -> dict[str, list[tuple[float, ClassifierMixin]]]:
    """Both models under every hyperparameter."""
    return {
        "NB": [(alpha, BernoulliNB(alpha=alpha)) for alpha in SMOOTHING],
        "LR": [(c, LogisticRegression(C=c, max_iter=1000)) for c in STRENGTH],
    }


def fit_fold(texts: list[str], labels: Bools, rows: tuple[Ints, Ints, Ints]) -> Iterator[tuple[str, Fold]]:
    """For each model: the hyperparameter that is best on dev, and its predictions on test."""
    train, dev, test = rows
    vectors = CountVectorizer(binary=True, lowercase=False, token_pattern=r"\S+")  # noqa: S106, a pattern of words
    seen = vectors.fit_transform([texts[row] for row in train])
    held_out, unseen = (vectors.transform([texts[row] for row in part]) for part in (dev, test))
    for name, models in candidates().items():
        fitted = [(value, model.fit(seen, labels[train])) for value, model in models]
        scores = [f1_score(labels[dev], model.predict(held_out)) for _, model in fitted]
        value, best = fitted[int(np.argmax(scores))]
        pred: Floats = best.predict_proba(unseen)[:, 1]
        yield name, Fold(pred, labels[test], float(value))


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Train and test both models in rotation."""
    texts, labels = read_snippets(data.file("tagging/sentence_polarity.zip"))
    progress.stage("training Naive Bayes and logistic regression", N_PARTS)
    folds: dict[str, list[Fold]] = {"NB": [], "LR": []}
    for rows in rotations(len(texts), seed):
        for name, fold in fit_fold(texts, labels, rows):
            folds[name].append(fold)
        progress.advance()
    progress.stage("measuring")
    return page(folds)
