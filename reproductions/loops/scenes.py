"""Tags of scenes: six yes/no labels that all depend on each other, few enough to sum over all 64 labellings.

Covers: reading, training by exact likelihood, exact and mean-field marginals, events.
Not here: forecasts (`reproductions.structured.events`), the page (`page`).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

from calib_core.arrays import Bools, Floats
from reproductions.structured.events import Events

N_STEPS = 200
"""Of mean field."""


@dataclass(frozen=True, slots=True)
class Scenes:
    """Features, shape (n, n_features), and labels, shape (n, n_tags)."""

    features: Floats
    labels: Bools

    def part(self, chosen: slice) -> "Scenes":
        """Some of the scenes."""
        return Scenes(self.features[chosen], self.labels[chosen])


@dataclass(frozen=True, slots=True)
class Graph:
    """A fully connected pairwise model: score(y) = Σ y_j (w_j x + b_j) + Σ_{j<k} v_jk y_j y_k."""

    weights: Floats
    """Shape (n_features + 1, n_tags); the last row is the bias."""
    pairs: Floats
    """Symmetric with zeros on the diagonal, shape (n_tags, n_tags)."""

    def unary(self, scenes: Scenes) -> Floats:
        """Score of each tag alone, shape (n, n_tags)."""
        return scenes.features @ self.weights[:-1] + self.weights[-1]


def read_scenes(path: Path) -> tuple[Scenes, Scenes]:
    """The training and the test scenes; features are scaled by those of training."""
    with np.load(path) as file:
        mean, scale = file["X_train"].mean(axis=0), file["X_train"].std(axis=0)
        train, test = (
            Scenes(((file[f"X_{part}"] - mean) / scale).astype(np.float64), file[f"y_{part}"].astype(np.bool_))
            for part in ("train", "test")
        )
    return train, test


def labellings(n_tags: int) -> Floats:
    """All labellings as rows of 0 and 1."""
    return ((np.arange(2**n_tags)[:, None] >> np.arange(n_tags)) & 1).astype(np.float64)


def train_graph(scenes: Scenes, *, l2: float) -> Graph:
    """Maximum likelihood with an L2 penalty, exact by summing over all labellings."""
    n_tags = scenes.labels.shape[1]
    every, upper = labellings(n_tags), np.triu_indices(n_tags, 1)
    together = every[:, upper[0]] * every[:, upper[1]]
    design = np.column_stack([scenes.features, np.ones(len(scenes.features))])
    truth = scenes.labels.astype(np.float64)
    true_pairs = (truth[:, upper[0]] * truth[:, upper[1]]).sum(axis=0)

    def objective(flat: Floats) -> tuple[float, Floats]:
        weights, pairs = flat[: -len(upper[0])].reshape(-1, n_tags), flat[-len(upper[0]) :]
        unary = design @ weights
        scores = unary @ every.T + together @ pairs
        log_z = logsumexp(scores, axis=1)
        p = np.exp(scores - log_z[:, None])
        value = log_z.sum() - (unary * truth).sum() - true_pairs @ pairs + l2 / 2 * (flat @ flat)
        slope = np.concatenate([(design.T @ (p @ every - truth)).ravel(), (p @ together).sum(axis=0) - true_pairs])
        return float(value), slope + l2 * flat

    start = np.zeros(design.shape[1] * n_tags + len(upper[0]))
    best = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    table = np.zeros((n_tags, n_tags))
    table[upper] = best[-len(upper[0]) :]
    return Graph(best[: -len(upper[0])].reshape(-1, n_tags), table + table.T)


def posterior(graph: Graph, scenes: Scenes) -> Floats:
    """Probability of every labelling, shape (n, 2 ** n_tags)."""
    every = labellings(graph.pairs.shape[0])
    scores = graph.unary(scenes) @ every.T + np.einsum("sj,jk,sk->s", every, graph.pairs, every) / 2
    return np.asarray(np.exp(scores - logsumexp(scores, axis=1)[:, None]))


def mean_field(graph: Graph, scenes: Scenes) -> Floats:
    """Marginals of the closest product distribution that coordinate ascent finds, shape (n, n_tags)."""
    unary = graph.unary(scenes)
    q = expit(unary)
    for _ in range(N_STEPS):
        for tag in range(q.shape[1]):
            q[:, tag] = expit(unary[:, tag] + q @ graph.pairs[:, tag])
    return np.asarray(q)


def scene_events(graph: Graph, scenes: Scenes) -> Events:
    """Events "this tag of the best labelling is right"; `raw` is its mean-field marginal, as theirs is."""
    every, p = labellings(graph.pairs.shape[0]), posterior(graph, scenes)
    best = every[p.argmax(axis=1)].astype(np.bool_)
    held = expit(graph.unary(scenes) + best @ graph.pairs)  # the tag given all others of the best labelling
    ways = {"exact": p @ every, "field": mean_field(graph, scenes), "pseudo": held, "alone": expit(graph.unary(scenes))}
    of_best = {name: np.where(best, on, 1 - on).ravel() for name, on in ways.items()}
    n, n_tags = best.shape
    return Events(
        raw=of_best["field"],
        holds=(best == scenes.labels).ravel(),
        example=np.repeat(np.arange(n), n_tags),
        columns={
            **{name: 2 * share - 1 for name, share in of_best.items()},  # the margin of two labels
            "label": np.tile(np.eye(n_tags), (n, 1)),
            "on": best.ravel().astype(np.float64),
            "marginal": of_best["exact"],
        },
    )
