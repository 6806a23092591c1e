"""An annotated document asked a question, the way a run asks it.

Covers: what sampling and explaining share.
Not here: sampling (`sample_events`), explaining (`workers.explanations`). It stands beside `workers.annotation_table`
and not in it, because what annotates must not depend on what is asked: a new event predicate parses nothing again.
"""

from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import QueriedDocument, Query, TreeSamples, query_document
from workers.annotation_table import Annotation

SYNTAX = ("best", "samples")
"""Trees to read a document by: the parser's best one in all samples, or one drawn for every sample."""


def ask(
    annotation: Annotation, query: Query, recalibration: Recalibration | None, *, syntax: str, n_samples: int, seed: int
) -> QueriedDocument:
    """Evidence and recalibrated antecedents of an annotated document.

    An annotation without distributions over trees has the best tree only.
    """
    trees = annotation.trees if syntax == "samples" else None
    return query_document(
        annotation.document, annotation.linked, query, year=annotation.published.year, recalibration=recalibration,
        trees=None if trees is None else TreeSamples(trees, n_samples, seed),
    )  # fmt: skip
