"""An annotated document asked a question, the way a run asks it.

Covers: what sampling and explaining share.
Not here: sampling (`sample_events`), explaining (`workers.explanations`). It stands beside `workers.annotation_table`
and not in it, because what annotates must not depend on what is asked: a new event predicate parses nothing again.
"""

from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import QueriedDocument, Query, query_document
from workers.annotation_table import Annotation


def ask(annotation: Annotation, query: Query, recalibration: Recalibration | None) -> QueriedDocument:
    """Evidence and recalibrated antecedents of an annotated document."""
    year = annotation.published.year
    return query_document(annotation.document, annotation.linked, query, year=year, recalibration=recalibration)
