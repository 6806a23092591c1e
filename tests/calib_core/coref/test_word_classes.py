"""Word classes: the shipped table, and how one is made."""

from pathlib import Path

import numpy as np

from calib_core.coref.features.word_classes import cluster_words, load_word_classes, save_word_classes


def test_the_shipped_table_puts_like_words_together() -> None:
    classes = load_word_classes()
    assert classes["tuesday"] == classes["friday"]
    assert classes["john"][0] != classes["tuesday"][0]


def test_a_saved_table_is_read_back(tmp_path: Path) -> None:
    save_word_classes(tmp_path / "t.npz", ["ä", "b"], np.array([[1, 2], [3, 4]], dtype=np.uint16))
    assert load_word_classes(tmp_path / "t.npz") == {"ä": (1, 2), "b": (3, 4)}


def test_clustering_follows_direction_and_seed() -> None:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(10, 30)) * 5
    vectors = (np.repeat(centres, 20, axis=0) + rng.normal(0, 0.1, (200, 30))).astype(np.float32)
    classes = cluster_words(vectors, sizes=(10, 20))
    assert np.array_equal(classes, cluster_words(vectors, sizes=(10, 20)))
    assert classes.min() == 1
    assert all(len(set(classes[20 * k : 20 * k + 20, 0])) == 1 for k in range(10))
