"""Fit the temperatures of a parser's arcs and relations on a treebank that it was not trained on.

Covers: parsing the treebank's own words, gold trees beside what the parser thinks possible.
Not here: the search (`calib_core.syntax.temperature`), what a distribution keeps (`distribution`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calib_core.arrays import Ints
from calib_core.syntax import fit_arc_temperatures, fit_relation_temperature, gold_arcs
from workers.parsing.distribution import Temperatures, TreeDistribution, write_temperatures
from workers.parsing.engine import joint_engine
from workers.parsing.joint import ParsedSentence
from workers.parsing.package import write_manifest
from workers.parsing.segment import Token, as_read
from workers.parsing.treebank import read_conllu

LONGEST = 80
"""Words of a sentence beyond which it is left out of fitting: exact marginals take time in the cube of it."""

NEARLY_ALL = Temperatures(least=1e-6)
"""For fitting, when the right temperature is not known yet: the scores as they are, hardly anything left out."""


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """What the parser says about a sentence, and its gold tree.

    Attributes
    ----------
    trees : TreeDistribution
    best : shape (n,)
        Head of each word in the tree that the parser chooses, 0 for the root.
    heads : shape (n,)
        Gold head of each word.
    labels : shape (n,)
        Gold relation of each word as a position in `trees.names`; -1 for one that the parser does not know.
    """

    trees: TreeDistribution
    best: Ints
    heads: Ints
    labels: Ints


def judged(parsed: ParsedSentence, heads: Sequence[int], deprels: Sequence[str]) -> JudgedSentence:
    """A parse of gold words beside the gold tree; the parser must state its doubt."""
    if parsed.trees is None:
        raise ValueError("the sentence was parsed by a model that does not say how sure it is of a tree")
    number = {name: position for position, name in enumerate(parsed.trees.names)}
    labels = np.array([number.get(name, -1) for name in deprels], dtype=np.int64)
    return JudgedSentence(parsed.trees, np.array(parsed.heads), np.array(heads, dtype=np.int64), labels)


def fit_temperatures(sentences: list[JudgedSentence]) -> Temperatures:
    """Temperatures with the lowest log-loss; the sentences must come from an engine at `NEARLY_ALL`."""
    short = [one for one in sentences if len(one.heads) <= LONGEST]
    arcs = fit_arc_temperatures([(one.trees.arcs, one.heads) for one in short])
    relations = fit_relation_temperature(
        [(one.trees.relations, gold_arcs(one.trees.arcs, one.heads), one.labels) for one in short]
    )
    return Temperatures(arcs, relations)


def fit_model(folder: Path, dev: Path) -> Temperatures:
    """Fit the temperatures of a packed model on a treebank, and keep them in its folder."""
    engine, gold = joint_engine(folder, temperatures=NEARLY_ALL), read_conllu(dev)
    words = [[Token(as_read(word.form), 0, 0) for word in sentence.words] for sentence in gold]
    sentences = [
        judged(parsed, [word.head for word in one.words], [word.deprel for word in one.words])
        for parsed, one in zip(engine.parse_sentences(words), gold, strict=True)
    ]
    temperatures = fit_temperatures(sentences)
    write_temperatures(folder, temperatures)
    write_manifest(folder)
    return temperatures
