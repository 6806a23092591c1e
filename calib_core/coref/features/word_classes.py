"""Which class of words a word belongs to: what lets the model treat a noun it never met like its neighbours.

Covers: reading the shipped table (two clusterings of word vectors, coarse and fine) and making one from vectors.
Not here: the vectors themselves, which are not shipped.
"""

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DEFAULT_FILE = Path(__file__).parents[1] / "models" / "word_classes.npz"
"""The table that the package ships."""

WordClasses = dict[str, tuple[int, int]]
"""Lower-case word to (coarse class, fine class), both from 1; a word that is not there has class 0."""


@cache
def load_word_classes(path: Path = DEFAULT_FILE) -> WordClasses:
    """Read a table written by `save_word_classes`; read once per process."""
    with np.load(path, allow_pickle=False) as stored:
        words = stored["words"].tobytes().decode().split("\n")
        classes = stored["classes"].astype(np.int64)
    if len(words) != len(classes):
        raise ValueError(f"{path} has {len(words)} words but {len(classes)} rows of classes")
    return {word: (coarse, fine) for word, (coarse, fine) in zip(words, classes.tolist(), strict=True)}


def cluster_words(
    vectors: NDArray[np.float32], *, sizes: Sequence[int] = (64, 1000), seed: int = 0
) -> NDArray[np.uint16]:
    """Cluster word vectors into classes numbered from 1.

    Parameters
    ----------
    vectors : shape (n_words, dimension)
    sizes : number of classes of each clustering
    seed : int

    Returns
    -------
    shape (n_words, len(sizes))

    Notes
    -----
    The mean and the three strongest directions, which mostly tell frequent words from rare ones, are taken out first
    (Mu & Viswanath 2018); without that, the most frequent words fall into one class.
    """
    from sklearn.cluster import KMeans

    centred = vectors - vectors.mean(axis=0)
    strongest = np.linalg.svd(centred, full_matrices=False)[2][:3]
    centred -= centred @ strongest.T @ strongest
    unit = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-12)
    columns = [KMeans(size, random_state=seed, n_init=1, max_iter=30).fit_predict(unit) + 1 for size in sizes]
    return np.stack(columns, axis=1).astype(np.uint16)


def save_word_classes(path: str | Path, words: Sequence[str], classes: NDArray[np.uint16]) -> None:
    """Write a table: the words as one block of text, so that loading unpickles nothing."""
    buffer = io.BytesIO()
    text = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    np.savez_compressed(buffer, words=text, classes=classes)
    Path(path).write_bytes(buffer.getvalue())
