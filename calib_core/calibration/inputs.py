"""Turn arguments into arrays, or say which argument breaks which rule with which value."""

from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calib_core.arrays import Bools, Floats, Ints


def check_pairs(pred: ArrayLike, label: ArrayLike) -> tuple[Floats, Bools]:
    """Predictions in [0, 1] and as many 0/1 labels; at least one pair."""
    probabilities, labels = check_pred(pred), check_label(label)
    if probabilities.shape != labels.shape:
        raise ValueError(f"pred and label must have the same length; got {len(probabilities)} and {len(labels)}")
    if not len(probabilities):
        raise ValueError("pred and label must have at least one row; got 0")
    return probabilities, labels


def check_pred(pred: ArrayLike, name: str = "pred") -> Floats:
    """Numbers in [0, 1], shape (n,)."""
    return _check_unit(_as_floats(pred, name, n_dims=1), name)


def check_label(label: ArrayLike) -> Bools:
    """0/1 or False/True labels, shape (n,), as booleans."""
    labels = np.asarray(label)
    if labels.ndim != 1:
        raise ValueError(f"label must have one dimension; got shape {labels.shape}")
    if labels.dtype == np.bool_:
        return labels
    true = labels == 1
    wrong = ~(true | (labels == 0))
    if wrong.any():
        _refuse("label", "0 or 1", labels, wrong)
    return true


def check_tag_scores(probs: ArrayLike, gold: ArrayLike) -> tuple[Floats, Ints]:
    """Scores in [0, 1] of shape (n, n_tags), and the gold tag of each row as a column number."""
    scores = check_scores(probs)
    tags = check_tags(gold, scores.shape[1], "gold")
    if len(scores) != len(tags):
        raise ValueError(f"probs and gold must have the same length; got {len(scores)} and {len(tags)}")
    if not scores.size:
        raise ValueError(f"probs must have at least one row and one tag; got shape {scores.shape}")
    return scores, tags


def check_scores(probs: ArrayLike) -> Floats:
    """Scores in [0, 1], shape (n, n_tags)."""
    return _check_unit(_as_floats(probs, "probs", n_dims=2), "probs")


def check_tags(tags: ArrayLike, n_tags: int, name: str = "tag") -> Ints:
    """Whole numbers in [0, n_tags), shape (n,)."""
    given = np.asarray(tags)
    if given.ndim != 1:
        raise ValueError(f"{name} must have one dimension; got shape {given.shape}")
    if given.size and given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers; got dtype {given.dtype}")
    wrong = (given < 0) | (given >= n_tags)
    if wrong.any():
        _refuse(name, f"in [0, {n_tags}), the tags that are known", given, wrong)
    return given.astype(np.int64)


def check_at_least(name: str, value: int, least: int) -> None:
    """Refuse a count that is too small or not a whole number."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be a whole number; got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}; got {value}")


def _as_floats(values: ArrayLike, name: str, n_dims: int) -> Floats:
    if np.ma.isMaskedArray(values):
        raise ValueError(f"{name} must have no masked entries; fill or drop them first")
    given = np.asarray(values)
    if given.dtype.kind not in "fiub" and given.size:
        raise ValueError(f"{name} must be real numbers; got dtype {given.dtype}")
    array = given.astype(np.float64, copy=False)
    if array.ndim != n_dims:
        raise ValueError(f"{name} must have {n_dims} dimension{'s' * (n_dims > 1)}; got shape {array.shape}")
    return array


def _check_unit(array: Floats, name: str) -> Floats:
    # min and max are NaN if any entry is, so two passes settle the common case without a mask
    if array.size and not (array.min() >= 0.0 and array.max() <= 1.0):
        _refuse(name, "numbers in [0, 1]", array, ~((array >= 0.0) & (array <= 1.0)))
    return array


def _refuse(name: str, rule: str, array: NDArray[np.generic], wrong: Bools) -> NoReturn:
    where = tuple(int(axis[0]) for axis in np.nonzero(wrong))
    place = f"row {where[0]}" if len(where) == 1 else f"row {where[0]}, column {where[1]}"
    raise ValueError(f"{name} must be {rule}; got {array[where]} at {place} ({int(wrong.sum())} such)")
