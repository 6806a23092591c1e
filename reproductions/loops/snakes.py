"""Snakes on grids: eleven labels a cell, a graph with loops where nothing can be summed exactly.

Covers: reading, training by pseudolikelihood, the best labelling by coordinate ascent, mean-field marginals, events.
Not here: forecasts (`reproductions.structured.events`), the page (`page`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import log_softmax, softmax
from sklearn.linear_model import LogisticRegression

from calib_core.arrays import Floats, Ints
from calib_core.calibration import margin
from reproductions.structured.events import Events

N_LABELS = 11
STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Where the neighbours are: left, right, above, below."""
N_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Grid:
    """One picture: pixels of shape (height, width, 3), labels of shape (height, width)."""

    pixels: Floats
    labels: Ints

    def features(self) -> Floats:
        """The colours of each cell and of the eight around it, shape (n_cells, 27)."""
        height, width, _ = self.pixels.shape
        padded = np.pad(self.pixels, ((1, 1), (1, 1), (0, 0)))
        around = [padded[down : down + height, right : right + width] for down in range(3) for right in range(3)]
        return np.concatenate(around, axis=2).reshape(height * width, -1)

    def neighbours(self) -> Ints:
        """The number of each cell's neighbour in each direction, -1 beyond the edge; shape (n_cells, 4)."""
        height, width = self.labels.shape
        number = np.pad(np.arange(height * width).reshape(height, width), 1, constant_values=-1)
        shifted = [number[1 + d : 1 + d + height, 1 + r : 1 + r + width] for d, r in STEPS]
        return np.stack(shifted, axis=2).reshape(-1, len(STEPS))


@dataclass(frozen=True, slots=True)
class Field:
    """Scores of labels given the colours, and given each neighbour's label."""

    weights: Floats
    """Shape (28, N_LABELS); the last row is the bias."""
    pairs: Floats
    """Shape (4, N_LABELS, N_LABELS): direction, the neighbour's label, the cell's label."""

    def unary(self, grid: Grid) -> Floats:
        """Shape (n_cells, N_LABELS)."""
        return grid.features() @ self.weights[:-1] + self.weights[-1]


def read_grids(path: Path) -> tuple[list[Grid], list[Grid]]:
    """The training and the test pictures."""
    with np.load(path) as file:
        parts = []
        for part in ("train", "test"):
            names = sorted(name.removesuffix("_labels") for name in file if name.startswith(part) and "labels" in name)
            parts.append(
                [Grid(file[f"{name}_pixels"] / 255.0, file[f"{name}_labels"].astype(np.int64)) for name in names]
            )
    return parts[0], parts[1]


def train_field(grids: Sequence[Grid], *, strength: float) -> Field:
    """Pseudolikelihood: each label given the colours and the true labels around it, a softmax regression."""
    rows = np.concatenate([np.hstack([grid.features(), _seen(grid)]) for grid in grids])
    labels = np.concatenate([grid.labels.ravel() for grid in grids])
    fitted = LogisticRegression(C=strength, max_iter=2000).fit(rows, labels)
    learned = np.vstack([fitted.coef_.T, fitted.intercept_])
    if len(fitted.classes_) == 2:  # one column then stands for the second class against the first
        learned = np.hstack([np.zeros_like(learned), learned])
    table = np.zeros((len(learned), N_LABELS))
    table[-1] = -20.0  # a label that training never had
    table[:, fitted.classes_] = learned
    n_pixels = grids[0].features().shape[1]
    pairs = table[n_pixels:-1].reshape(len(STEPS), N_LABELS, N_LABELS)
    return Field(np.vstack([table[:n_pixels], table[-1:]]), pairs)


def _seen(grid: Grid) -> Floats:
    """The labels around each cell as indicators, shape (n_cells, 4 * N_LABELS)."""
    near, flat = grid.neighbours(), grid.labels.ravel()
    return np.where(near[..., None] >= 0, np.eye(N_LABELS)[flat[near]], 0.0).reshape(len(flat), -1)


def local_scores(field: Field, grid: Grid, around: Floats) -> Floats:
    """Score of each label of each cell, given a distribution over labels at every cell, shape (n_cells, N_LABELS)."""
    near = grid.neighbours()
    found = field.unary(grid)
    for direction in range(len(STEPS)):
        there = near[:, direction] >= 0
        found[there] += around[near[there, direction]] @ field.pairs[direction]
    return found


def best_labels(field: Field, grid: Grid) -> Ints:
    """Coordinate ascent from the mean-field labels until nothing changes, even and odd cells in turn."""
    labels = mean_field(field, grid).argmax(axis=1)
    parity = np.add(*np.indices(grid.labels.shape)).ravel() % 2
    for _ in range(N_ROUNDS):
        before = labels.copy()
        for side in (0, 1):
            scores = local_scores(field, grid, np.eye(N_LABELS)[labels])
            labels = np.where(parity == side, scores.argmax(axis=1), labels)
        if np.array_equal(before, labels):
            break
    return labels


def mean_field(field: Field, grid: Grid) -> Floats:
    """Marginals of mean field, even and odd cells in turn, shape (n_cells, N_LABELS)."""
    q = softmax(field.unary(grid), axis=1)
    parity = np.add(*np.indices(grid.labels.shape)).ravel() % 2
    for _ in range(N_ROUNDS):
        for side in (0, 1):
            updated = softmax(local_scores(field, grid, q), axis=1)
            q = np.where((parity == side)[:, None], updated, q)
    return np.asarray(q)


def snake_events(field: Field, grids: Sequence[Grid]) -> Events:
    """Events "this label of the best labelling is right"; `raw` is its mean-field marginal, as theirs is."""
    parts = [_events_of(field, grid) for grid in grids]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    example = np.repeat(np.arange(len(parts)), [len(part["raw"]) for part in parts])
    return Events(columns.pop("raw"), columns.pop("holds").astype(np.bool_), example, columns)


def _events_of(field: Field, grid: Grid) -> dict[str, Floats]:
    best, q, near = best_labels(field, grid), mean_field(field, grid), grid.neighbours()
    held = softmax(local_scores(field, grid, np.eye(N_LABELS)[best]), axis=1)
    same = (near >= 0) & (best[near] == best[:, None])
    rows = np.arange(len(best))
    return {
        "raw": q[rows, best],
        "holds": (best == grid.labels.ravel()).astype(np.float64),
        "alone": margin(np.exp(log_softmax(field.unary(grid), axis=1))),
        "pseudo": margin(held),
        "frequency": np.bincount(best, minlength=N_LABELS)[best] / len(best),
        "neighbours": same.sum(axis=1) / len(best),
        "label": np.eye(N_LABELS)[best],
        "field": margin(q),
        "concordance": (q.argmax(axis=1) == best).astype(np.float64),
    }
