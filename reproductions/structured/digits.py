"""Multiclass recalibration on scikit-learn's digits: softmax, one-vs-all, and the event forecaster.

Covers: events "the predicted digit is right".
Not here: the page (`structured`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import margin
from reproductions.structured.events import Events, K, forecast

N_TRAIN, N_CALIBRATE, N_SPLITS = 200, 600, 10
MODELS = {
    "linear SVM": LinearSVC(C=1.0, max_iter=20_000, random_state=0),
    "softmax regression": LogisticRegression(C=1.0, max_iter=5000),
}
"""The paper's classifier, whose scores are no probabilities, and one that has them."""


@dataclass(frozen=True, slots=True)
class Digits:
    """Forecasts of "the predicted digit is right" by each way to a probability; all splits together.

    The splits test many images more than once. `example` is the image, so that draws of examples draw an image with
    all its tests: counting every test as new would make intervals too short.
    """

    events: Events
    """`raw` is the model's own probability."""
    one_vs_all: Floats
    forecast: Floats

    @property
    def accuracy(self) -> float:
        """Share of tests in which the digit is right."""
        return float(self.events.holds.mean())


def digits(linear: Any, *, seed: int) -> Digits:
    """Train a linear classifier, recalibrate it in two ways, and test; on ten random splits."""
    images, labels = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(len(labels)) for _ in range(N_SPLITS)]
    parts = [_one_split(linear, images / 16, labels, order) for order in orders]
    holds, own, one_vs_all, after = (np.concatenate(column) for column in zip(*parts, strict=True))
    image = np.concatenate([order[N_TRAIN + N_CALIBRATE :] for order in orders])
    return Digits(Events(own, holds.astype(np.bool_), image, {}), one_vs_all, after)


def _one_split(linear: Any, images: Floats, labels: Ints, order: Ints) -> tuple[Bools, Floats, Floats, Floats]:
    """Whether each test image is right, and three probabilities that it is."""
    train, calibrate, test = np.split(order, [N_TRAIN, N_TRAIN + N_CALIBRATE])
    model = clone(linear).fit(images[train], labels[train])
    existing = CalibratedClassifierCV(FrozenEstimator(model), method="isotonic")
    existing.fit(images[calibrate], labels[calibrate])
    fit, held = (_events(model, images[part], labels[part]) for part in (calibrate, test))
    # of the digit that the classifier predicts, so that all three speak of the same event
    share = existing.predict_proba(images[test])[np.arange(len(test)), model.predict(images[test])]
    return held.holds, held.raw, share, forecast(fit, held, ["margin"], method="knn", size=K)


def _events(model: Any, images: Floats, labels: Ints) -> Events:
    """Take the softmax of the scores as the model's own probability, whether meant for that or not."""
    values = model.decision_function(images)
    share, holds = softmax(values, axis=1).max(axis=1), model.predict(images) == labels
    return Events(share, holds, np.arange(len(labels)), {"margin": margin(values)})
