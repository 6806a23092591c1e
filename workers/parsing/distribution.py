"""The parser's own doubt: from arc and relation scores to a sparse distribution over the trees of a sentence.

Covers: temperatures, which arcs and relations are kept, the type that a parsed sentence carries.
Not here: probabilities and samples (`calib_core.syntax`), fitting the temperatures (`fit_temperatures`).

The scores are trained word by word, each a softmax over heads. Read as weights of whole trees with one root they are
too sure of themselves, which `calib_core.syntax.temperature` repairs. Tags are not part of
it: the tagger's first choice is taken as certain.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats, Ints
from calib_core.syntax import Arcs, ArcTemperatures, Relations
from workers.parsing.choice import ModelError

TEMPERATURES = "temperatures.json"
"""File of a model folder; a folder without one has temperatures of 1."""

MOST_HEADS, LEAST_SCORE = 10, float(np.log(1e-6))
"""Possible heads of a word that are looked at: the most probable ones, by the scores as they are."""


@dataclass(frozen=True, slots=True)
class Temperatures:
    """How scores become probabilities, and what is left out afterwards.

    Attributes
    ----------
    arcs : ArcTemperatures
    relations : float
        What the scores of relations given their arcs are divided by.
    least : float
        Arcs and labelled arcs that are less probable, word by word, are left out; the arcs of the best tree never are.
    """

    arcs: ArcTemperatures = field(default_factory=ArcTemperatures)
    relations: float = 1.0
    least: float = 0.002

    def __post_init__(self) -> None:
        """Refuse what is no temperature."""
        if not 0 < self.relations < np.inf:
            raise ValueError(f"the temperature of relations must be above 0; got {self.relations!r}")


@dataclass(frozen=True, slots=True)
class TreeDistribution:
    """The likely arcs of one sentence, and the likely relations of each.

    Attributes
    ----------
    arcs : Arcs
        Scores are log-probabilities, word by word, at the model's temperature.
    relations : Relations
        Labels are positions in `names`.
    names : tuple of str
        Relations, such as `nsubj`; the same for all sentences of a model.
    """

    arcs: Arcs
    relations: Relations
    names: tuple[str, ...]


def load_temperatures(folder: Path) -> Temperatures:
    """Temperatures of a checked model folder."""
    path = folder / TEMPERATURES
    if not path.exists():
        return Temperatures()
    try:
        found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Temperatures(ArcTemperatures(**found["arcs"]), found["relations"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(str(path), f"must hold the temperatures of arcs and relations: {error!r}") from error


def write_temperatures(folder: Path, temperatures: Temperatures) -> None:
    """Put the temperatures beside a model's other files; the manifest must be written after it."""
    content = {"arcs": asdict(temperatures.arcs), "relations": temperatures.relations}
    (folder / TEMPERATURES).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def likely_arcs(scores: NDArray[np.float32], tree: Ints, temperatures: Temperatures) -> Arcs:
    """The arcs worth keeping.

    Parameters
    ----------
    scores : shape (n + 1, n + 1)
        Log-probability of each head (column) of each word (row); position 0 is the root.
    tree : shape (n + 1,)
        Heads of a tree with one root, kept whatever its probability, so that there always is one.
    temperatures : Temperatures
    """
    rows = scores[1:].astype(np.float64)
    words = np.arange(len(rows))
    rows[words, words + 1] = -np.inf
    bar = np.full(len(rows), LEAST_SCORE)
    if rows.shape[1] > MOST_HEADS:
        bar = np.maximum(bar, -np.partition(-rows, MOST_HEADS - 1, axis=1)[:, MOST_HEADS - 1])
    keep = rows >= bar[:, np.newaxis]
    keep[words, tree[1:]] = True
    looked_at = temperatures.arcs.apply(_arcs(keep, rows))
    keep[keep] = (looked_at.scores >= np.log(temperatures.least)) | (looked_at.heads == tree[looked_at.words])
    rows[looked_at.words - 1, looked_at.heads] = looked_at.scores
    return _arcs(keep, rows)


def _arcs(keep: Bools, rows: Floats) -> Arcs:
    """The arcs that are marked, of words (rows) and heads (columns)."""
    word, head = np.nonzero(keep)
    offsets = np.searchsorted(word, np.arange(len(rows) + 1))
    return Arcs(offsets.astype(np.int64), head.astype(np.int64), rows[word, head])


def likely_relations(arcs: Arcs, logs: NDArray[np.float32], temperatures: Temperatures) -> Relations:
    """The relations worth keeping of each arc: those that together with it are probable enough, and its best.

    Parameters
    ----------
    arcs : Arcs
    logs : shape (n_arcs, n_labels)
        Log-probability of each relation given the arc.
    temperatures : Temperatures
    """
    tempered: Floats = logs.astype(np.float64) / temperatures.relations
    tempered -= np.log(np.exp(tempered).sum(axis=1, keepdims=True))
    keep = tempered + arcs.scores[:, np.newaxis] >= np.log(temperatures.least)
    keep[np.arange(len(logs)), logs.argmax(axis=1)] = True
    arc, label = np.nonzero(keep)
    offsets = np.searchsorted(arc, np.arange(len(logs) + 1))
    return Relations(offsets.astype(np.int64), label.astype(np.int64), tempered[arc, label])
