"""Experiment `loops`: recalibrating labels of graphs with loops, where marginals are approximate.

Covers: the splits.
Not here: the graphs (`scenes`, `snakes`), what is measured (`results`), the page (`page`).
"""

import numpy as np

from reproductions.findings import DataFolder, Findings, Progress
from reproductions.loops.page import page
from reproductions.loops.results import SCENE_GROUPS, SCENES, SNAKE_GROUPS, SNAKES, Task, measure
from reproductions.loops.scenes import read_scenes, scene_events, train_graph
from reproductions.loops.snakes import read_grids, snake_events, train_field

L2, STRENGTH = 10.0, 1.0
"""Penalties of the two graphs; not tuned."""


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Both graphs; half of each training set trains, the other half calibrates."""
    progress.stage("tags of scenes")
    train, test = read_scenes(data.file("structured/scene-tags.npz"))
    half = len(train.labels) // 2
    graph = train_graph(train.part(slice(half)), l2=L2)
    scenes = Task(scene_events(graph, train.part(slice(half, None))), scene_events(graph, test), SCENE_GROUPS)
    progress.stage("snakes")
    grids, unseen = read_grids(data.file("structured/snakes.npz"))
    order = np.random.default_rng(seed).permutation(len(grids))
    learned, kept = ([grids[at] for at in part] for part in np.array_split(order, 2))
    field = train_field(learned, strength=STRENGTH)
    snakes = Task(snake_events(field, kept), snake_events(field, unseen), SNAKE_GROUPS)
    return page(measure({SCENES: scenes, SNAKES: snakes}, progress))
