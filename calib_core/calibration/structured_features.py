"""Features that tell how far to trust a structured prediction (Kuleshov & Liang 2015, Table 1).

Covers: the features that need only scores or labels per position, so they work for any chain, grid or set of labels.
One function each; its docstring gives the name in the paper.
Not here: which events to forecast and how (`event_forecaster`).

For a labelling of L positions with K possible labels, scores have shape (L, K) and labels shape (L,).
"""

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration.inputs import check_tags

Labelling = TypeVar("Labelling")


def margin(scores: ArrayLike) -> Floats:
    """Best score minus second best along the last axis: mrg of Table 1.

    With marginals p(y_j | x) of shape (L, K) it is φ₂ᵐᵍ, with scores of a classifier that sees each position alone
    φ₂ⁿᵒ, with the probabilities (or log-probabilities) of the best whole labellings, shape (n_best,), φ₃ᵐᵖ.
    """
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim < 1 or array.shape[-1] < 2:
        raise ValueError(f"a margin needs at least 2 scores; got shape {array.shape}")
    if np.isnan(array).any():
        raise ValueError("scores must not be NaN")
    second, best = np.moveaxis(np.partition(array, -2, axis=-1)[..., -2:], -1, 0)
    # two impossible labels, log 0 each, are equally good
    return np.where(second == best, 0.0, best - np.where(second == best, 0.0, second))


def smallest_margin(scores: ArrayLike) -> float:
    """The margin of the least certain position: φ₁ᵐᵍ with marginals, φ₁ⁿᵒ with scores of each position alone."""
    return float(margin(scores).min())


def pseudomargin(conditionals: ArrayLike) -> Floats:
    """Margin of each position's label with all other labels held at the MAP: φ₇ᵐᵖ.

    Parameters
    ----------
    conditionals : shape (L, K)
        p(y_j | y^MAP elsewhere, x), for instance from `chain_conditionals`. The MAP may be approximate.
    """
    return margin(conditionals)


def chain_conditionals(emissions: ArrayLike, transitions: ArrayLike, labels: ArrayLike) -> Floats:
    """p(y_j | the other labels, x) at every position of a linear chain, shape (L, K).

    Parameters
    ----------
    emissions : shape (L, K)
        Log-potential of each label at each position.
    transitions : shape (K, K)
        Log-potential of label k followed by label l.
    labels : shape (L,)
        The labelling at which the other positions are held.
    """
    table, moves = np.array(emissions, dtype=np.float64), np.asarray(transitions, dtype=np.float64)
    if table.ndim != 2 or moves.shape != (table.shape[1], table.shape[1]):
        raise ValueError(f"emissions must be (L, K) and transitions (K, K); got {table.shape} and {moves.shape}")
    chosen = check_tags(labels, table.shape[1], "labels")
    _check_positions(table, chosen)
    table[1:] += moves[chosen[:-1]]
    table[:-1] += moves[:, chosen[1:]].T
    return np.asarray(softmax(table, axis=1))


def concordance(marginals: ArrayLike, labels: ArrayLike) -> Bools:
    """At each position, whether the label with the largest marginal is the MAP's: φ₃ᵐᵍ."""
    table, chosen = np.asarray(marginals, dtype=np.float64), np.asarray(labels)
    _check_positions(table, chosen)
    return np.asarray(table.argmax(axis=1) == chosen)


def label_frequency(labels: ArrayLike) -> Floats:
    """Share of all positions that carry this position's label: φ₄ᵐᵖ."""
    _, place, count = np.unique(np.asarray(labels), return_inverse=True, return_counts=True)
    return np.asarray(count[place] / len(place))


def neighbour_agreement(labels: ArrayLike, neighbours: Sequence[ArrayLike] | None = None) -> Floats:
    """Neighbours that carry this position's label, as a share of all positions (so the paper's caption): φ₅ᵐᵖ.

    Parameters
    ----------
    labels : shape (L,)
        The MAP labelling.
    neighbours : for each position the positions next to it, optional
        Default: the chain's, before and after.
    """
    chosen = np.asarray(labels)
    if neighbours is None:
        if not len(chosen):
            return np.zeros(0)
        same = (chosen[1:] == chosen[:-1]).astype(np.int64)
        agreeing: Ints = np.pad(same, (0, 1)) + np.pad(same, (1, 0))
    else:
        if len(neighbours) != len(chosen):
            raise ValueError(f"neighbours must have one entry per position; got {len(neighbours)} for {len(chosen)}")
        agreeing = np.array([np.count_nonzero(chosen[np.asarray(near, dtype=np.int64)] == own)
                             for near, own in zip(neighbours, chosen, strict=True)])  # fmt: skip
    return np.asarray(agreeing / max(len(chosen), 1))


def label_length(labels: ArrayLike) -> int:
    """Number of positions: φ₁ᵐᵖ."""
    return len(np.asarray(labels))


def admissibility(labels: Labelling, admissible: Callable[[Labelling], bool]) -> bool:
    """Whether the whole labelling is admissible, for instance a word of the dictionary: φ₂ᵐᵖ."""
    return bool(admissible(labels))


def label_type(labels: ArrayLike, chosen: Collection[object]) -> Bools:
    """Whether each position's label is in a set, for instance of look-alike letters: φ₆ᵐᵖ."""
    return np.array([label in chosen for label in np.asarray(labels).tolist()], dtype=np.bool_)


def _check_positions(table: Floats, labels: NDArray[np.generic]) -> None:
    if table.ndim != 2 or labels.shape != table.shape[:1]:
        raise ValueError(f"scores must be (L, K) and labels (L,); got {table.shape} and {labels.shape}")
