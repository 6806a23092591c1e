"""Make a parser's probabilities of arcs and relations as sure as they deserve to be.

Covers: temperatures as a type, applying them, fitting them by the log-loss of gold trees.
Not here: whether the result is calibrated (`calib_core.calibration`).

A parser that is trained word by word is right more often than it says where it hesitates, and wrong more often than it
says where it does not. One temperature cannot repair both. So each word's heads get a mixture of two: a near one, and
with a small share a wide one, which keeps a little probability for arcs that the parser all but ruled out. That is the
ensemble temperature scaling of Zhang, Kailkhura & Han (2020, "Mix-n-Match"), with a fitted second temperature in place
of their uniform part. The order of a word's heads never changes, and neither does a tree made of first choices.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from calib_core.arrays import Floats, Ints
from calib_core.syntax.arcs import Arcs, Relations
from calib_core.syntax.marginals import arc_marginals

FLOOR = 1e-6
"""Probability given to what a distribution leaves out, so that its log-loss is finite."""

BOUNDS = (0.25, 4.0)
_EVALUATIONS = 100


@dataclass(frozen=True, slots=True)
class ArcTemperatures:
    """What the scores of arcs are divided by; the defaults leave them as they are.

    Attributes
    ----------
    near, wide : float
        The two temperatures.
    share : float
        Of the wide one, from 0 up to but not including 1.
    """

    near: float = 1.0
    wide: float = 1.0
    share: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no temperature and no share."""
        for name, value in (("near", self.near), ("wide", self.wide)):
            if not 0 < value < np.inf:
                raise ValueError(f"the {name} temperature must be above 0; got {value}")
        if not 0 <= self.share < 1:
            raise ValueError(f"share must lie in [0, 1); got {self.share}")

    def apply(self, arcs: Arcs) -> Arcs:
        """The same arcs with log-probabilities for scores, word by word."""
        near = arcs.tempered(self.near).log_probabilities()
        if not self.share:
            return Arcs(arcs.offsets, arcs.heads, near)
        wide = arcs.tempered(self.wide).log_probabilities()
        mixed = np.logaddexp(np.log1p(-self.share) + near, np.log(self.share) + wide)
        return Arcs(arcs.offsets, arcs.heads, mixed)


def gold_arcs(arcs: Arcs, heads: Ints) -> Ints:
    """Position of each word's gold arc, -1 where it is not among the possible ones, shape (n,).

    Parameters
    ----------
    arcs : Arcs
    heads : shape (n,)
        Gold head of each word, 0 for the root.
    """
    if heads.shape != (len(arcs),):
        raise ValueError(f"heads must have shape ({len(arcs)},); got {heads.shape}")
    found = np.full(len(arcs), -1, dtype=np.int64)
    right = np.flatnonzero(arcs.heads == heads[arcs.words - 1])
    found[arcs.words[right] - 1] = right
    return found


def arc_log_loss(sentences: Sequence[tuple[Arcs, Ints]], temperatures: ArcTemperatures | None = None) -> float:
    """Mean over words of -log P(gold head), by the exact marginals of single-root trees.

    Parameters
    ----------
    sentences : sequence of (Arcs, shape (n,))
        Arcs, and the gold head of each word.
    """
    loss, n_words = 0.0, 0
    for arcs, heads in sentences:
        gold = gold_arcs(arcs, heads)
        used = arcs if temperatures is None else temperatures.apply(arcs)
        p = np.where(gold >= 0, arc_marginals(used)[gold], 0.0)
        loss -= float(np.log(np.maximum(p, FLOOR)).sum())
        n_words += len(heads)
    return loss / max(1, n_words)


def relation_log_loss(sentences: Sequence[tuple[Relations, Ints, Ints]], temperature: float = 1.0) -> float:
    """Mean over gold arcs of -log P(gold relation | arc).

    Parameters
    ----------
    sentences : sequence of (Relations, shape (n,), shape (n,))
        Relations, the gold arc of each word (-1: not possible, and passed over) and its gold label.
    """
    loss, n_arcs = 0.0, 0
    for relations, gold, labels in sentences:
        wanted = np.full(len(relations), -1, dtype=np.int64)
        wanted[gold[gold >= 0]] = labels[gold >= 0]
        p = np.zeros(len(relations))
        right = np.flatnonzero(relations.labels == wanted[relations.arcs])
        p[relations.arcs[right]] = np.exp(relations.tempered(temperature).log_probabilities()[right])
        loss -= float(np.log(np.maximum(p[gold[gold >= 0]], FLOOR)).sum())
        n_arcs += int((gold >= 0).sum())
    return loss / max(1, n_arcs)


def fit_arc_temperatures(sentences: Sequence[tuple[Arcs, Ints]]) -> ArcTemperatures:
    """The temperatures with the lowest `arc_log_loss`; those that change nothing without sentences."""
    if not sentences:
        return ArcTemperatures()
    start = np.array([[0.2, 1.2, -2.5], [0.4, 1.2, -2.5], [0.2, 1.6, -2.5], [0.2, 1.2, -1.5]])
    found = minimize(
        lambda point: arc_log_loss(sentences, _temperatures(point)), start[0], method="Nelder-Mead",
        options={"initial_simplex": start, "xatol": 0.02, "fatol": 1e-5, "maxfev": _EVALUATIONS},
    )  # fmt: skip
    return _temperatures(found.x)


def _temperatures(point: Floats) -> ArcTemperatures:
    """From the logarithms of both temperatures and the log-odds of the share, all kept within reason."""
    near, wide = np.exp(np.clip(point[:2], *np.log(BOUNDS)))
    share = 1 / (1 + np.exp(-np.clip(point[2], -7.0, 2.0)))
    return ArcTemperatures(round(float(near), 3), round(float(wide), 3), round(float(share), 4))


def fit_relation_temperature(sentences: Sequence[tuple[Relations, Ints, Ints]]) -> float:
    """The temperature with the lowest `relation_log_loss`, to about 0.01; 1 without sentences."""
    return _lowest(lambda temperature: relation_log_loss(sentences, temperature)) if sentences else 1.0


def _lowest(loss: Callable[[float], float]) -> float:
    found = minimize_scalar(lambda log: loss(float(np.exp(log))), bounds=np.log(BOUNDS), options={"xatol": 0.005})
    return round(float(np.exp(found.x)), 3)
