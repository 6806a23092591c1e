"""Graphs with loops: exact sums against enumeration, mean field where it is exact, pages from made-up pictures."""

from pathlib import Path

import numpy as np
import pytest

from reproductions.findings import DataFolder
from reproductions.loops.experiment import run
from reproductions.loops.page import page
from reproductions.loops.results import SCENE_GROUPS, SCENES, SNAKE_GROUPS, SNAKES, Task, measure
from reproductions.loops.scenes import Graph, Scenes, labellings, mean_field, posterior, scene_events, train_graph
from reproductions.loops.snakes import N_LABELS, Field, Grid, best_labels, snake_events, train_field
from reproductions.loops.snakes import mean_field as field_marginals
from reproductions.stages import Stages

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def made_up_scenes(n: int, seed: int, n_tags: int = 3) -> Scenes:
    """The second tag is on where the first is; the third follows the features."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 4))
    first = features[:, 0] + rng.normal(size=n) > 0
    labels = np.column_stack([first, first ^ (rng.random(n) < 0.1), features[:, 1] + rng.normal(size=n) > 0])
    return Scenes(features, labels[:, :n_tags])


def made_up_grid(seed: int) -> Grid:
    """Two labels, one on either side, some cells exchanged, whose colours tell them apart but for noise."""
    rng = np.random.default_rng(seed)
    labels = np.where((np.arange(6) < 3) ^ (rng.random((5, 6)) < 0.2), 0, 3)
    return Grid((labels[..., None] / 3 + rng.normal(0, 0.8, (5, 6, 3))), labels)


def test_posterior_by_hand() -> None:
    graph = Graph(np.array([[0.0, 0.0], [1.0, -0.5]]), np.array([[0.0, 2.0], [2.0, 0.0]]))
    scores = np.array([0.0, 1.0, -0.5, 2.5])  # neither, first, second, both
    assert labellings(2).tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]
    found = posterior(graph, Scenes(np.zeros((1, 1)), np.zeros((1, 2), dtype=np.bool_)))[0]
    assert found == pytest.approx(np.exp(scores) / np.exp(scores).sum())


def test_training_matches_the_moments_of_the_data() -> None:
    scenes = made_up_scenes(400, 0)
    graph = train_graph(scenes, l2=1e-6)
    every = labellings(3)
    p = posterior(graph, scenes)
    assert (p @ every).mean(axis=0) == pytest.approx(scenes.labels.mean(axis=0), abs=1e-3)
    assert (p @ (every[:, 0] * every[:, 1])).mean() == pytest.approx(scenes.labels[:, :2].all(axis=1).mean(), abs=1e-3)


def test_mean_field_is_exact_without_pairs() -> None:
    scenes = made_up_scenes(20, 1)
    graph = Graph(np.random.default_rng(0).normal(size=(5, 3)), np.zeros((3, 3)))
    assert mean_field(graph, scenes) == pytest.approx(posterior(graph, scenes) @ labellings(3))


def test_neighbours_and_colours_of_a_grid_by_hand() -> None:
    grid = Grid(np.arange(12.0).reshape(2, 2, 3), np.zeros((2, 2), dtype=np.int64))
    assert grid.neighbours().tolist() == [[-1, 1, -1, 2], [0, -1, -1, 3], [-1, 3, 0, -1], [2, -1, 1, -1]]
    assert grid.features()[0, 12:15].tolist() == [0.0, 1.0, 2.0]  # the cell itself
    assert grid.features()[0, 15:18].tolist() == [3.0, 4.0, 5.0]  # to its right


def test_field_without_pairs_reads_each_cell_alone() -> None:
    grid, rng = made_up_grid(0), np.random.default_rng(0)
    field = Field(rng.normal(size=(28, N_LABELS)), np.zeros((4, N_LABELS, N_LABELS)))
    assert np.array_equal(best_labels(field, grid), field.unary(grid).argmax(axis=1))
    assert field_marginals(field, grid).sum(axis=1) == pytest.approx(1.0)


def test_loops_run_through() -> None:
    graph = train_graph(made_up_scenes(100, 0), l2=1.0)
    scenes = Task(scene_events(graph, made_up_scenes(80, 1)), scene_events(graph, made_up_scenes(60, 2)), SCENE_GROUPS)
    field = train_field([made_up_grid(seed) for seed in range(5)], strength=1.0)
    fit, test = (snake_events(field, [made_up_grid(seed) for seed in seeds]) for seeds in (range(5, 12), range(12, 18)))
    assert fit.holds.mean() > 0.7
    found = page(measure({SCENES: scenes, SNAKES: Task(fit, test, SNAKE_GROUPS)}, Stages()))
    assert len(found.claims) == 5
    assert all(picture.chart.to_dict() for picture in found.pictures)


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "structured").exists(), reason="needs the data folder")
def test_real_pictures_run_through_and_exact_marginals_lose_least() -> None:
    found = run(DataFolder(DATA), Stages(), 0)
    losses = {row.figure: row.ours for row in found.rows if row.table == f"L2 loss, {SCENES}"}
    assert losses["marginals: exact"] <= losses["none: tag alone"]
    assert all(claim.estimate for claim in found.claims)
