"""The distribution over trees of an annotated document as columns of the annotations table, and back.

Covers: packing log-probabilities into whole thousandths, names of relations.
Not here: the other columns (`workers.annotation_table`), what the numbers mean (`calib_core.syntax`).

A log-probability is kept to a thousandth, so a probability to a thousandth of itself: far finer than it is known.
Whatever samples trees reads them from here, so that every run sees the same numbers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from calib_core.arrays import Floats
from calib_core.syntax import DocumentTrees

NAMES = ("n_heads", "arc_heads", "arc_costs", "n_relations", "relations", "relation_costs")
_MOST = 65_535


def tree_columns(trees: DocumentTrees | None) -> dict[str, Any]:
    """Values of the columns; all null for a parser that does not say how sure it is."""
    if trees is None:
        return dict.fromkeys(NAMES)
    return {
        "n_heads": trees.n_heads,
        "arc_heads": trees.heads,
        "arc_costs": _costs(trees.scores),
        "n_relations": trees.n_relations,
        "relations": [trees.names[label] for label in trees.labels.tolist()],
        "relation_costs": _costs(trees.label_scores),
    }


def read_tree_columns(row: Mapping[str, pa.Scalar]) -> DocumentTrees | None:
    """The distribution that a row holds, if it holds one."""
    if not all(name in row and row[name].is_valid for name in NAMES):
        return None
    names, labels = np.unique(np.array(row["relations"].as_py(), dtype=np.str_), return_inverse=True)
    return DocumentTrees(
        n_heads=_numbers(row["n_heads"]).astype(np.int64),
        heads=_numbers(row["arc_heads"]).astype(np.int64),
        scores=_numbers(row["arc_costs"]) / -1000.0,
        n_relations=_numbers(row["n_relations"]).astype(np.int64),
        labels=labels.astype(np.int64),
        label_scores=_numbers(row["relation_costs"]) / -1000.0,
        names=tuple(names.tolist()),
    )


def _costs(scores: Floats) -> NDArray[np.uint16]:
    """Thousandths below 0, at most 65.5."""
    return np.clip(np.round(-1000.0 * scores), 0, _MOST).astype(np.uint16)


def _numbers(value: pa.Scalar) -> NDArray[Any]:
    numbers: NDArray[Any] = value.values.to_numpy(zero_copy_only=False)
    return numbers
