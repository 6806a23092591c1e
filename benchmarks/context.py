"""What reading context costs: annotation with the accurate profile beside today's, on the same documents.

Times are CPU seconds of one thread. The accurate profile needs its encoder (`credence models fetch`); if it is missing,
one row says so.
"""

import resource
import time
from datetime import date

from benchmarks.measure import Row, at_most
from benchmarks.parser import documents
from workers.annotate import Annotator, AnnotatorConfig
from workers.parsing.choice import ModelError

DAY = date(2000, 1, 1)


def run() -> list[Row]:
    """CPU seconds per document of both profiles, their ratio, and the memory of a process that holds both."""
    default = _seconds_per_document(Annotator(AnnotatorConfig()))
    try:
        annotator = Annotator(AnnotatorConfig(coref="accurate"))
    except ModelError as error:
        return [Row("accurate profile", f"not measured: {error}", 0.0, "")]
    accurate = _seconds_per_document(annotator)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return [
        Row("annotation, default", "6 documents of 220 words", default, "CPU s per document"),
        Row("annotation, accurate", "the same", accurate, "CPU s per document"),
        Row("annotation, accurate", "against the default", accurate / default, "times"),
        at_most("annotation, accurate", "memory of a process with both", memory, "GiB", 2),
    ]


def _seconds_per_document(annotator: Annotator) -> float:
    texts = documents()
    annotator.annotate("warm", DAY, "", texts[0])  # compiles
    start = time.process_time()
    for number, text in enumerate(texts):
        annotator.annotate(str(number), DAY, "", text)
    return (time.process_time() - start) / len(texts)
