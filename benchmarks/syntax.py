"""What doubt about syntax costs, and what it does for the examples that the shipped parser gets wrong.

Times are processor time of one core, the shortest of several runs.
"""

import time
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

from benchmarks.measure import Row, at_most
from benchmarks.parser import documents
from calib_core.document import Document
from calib_core.events import Query
from calib_core.events.examples import Example, is_right, language_examples, predicate_examples
from calib_core.syntax import sampled_documents
from workers.annotate import Annotator, AnnotatorConfig
from workers.annotation_table import annotation_row, annotations_table, read_annotations
from workers.event_samples import event_table
from workers.parser import Parser
from workers.propagation.sample_events import sample_events
from workers.storage import parquet_bytes
from workers.tree_columns import NAMES

N, COPIES = 100, 5


def run() -> list[Row]:
    """About two minutes."""
    rows = annotations()
    copies = [row | {"doc_id": f"{row['doc_id']}-{copy}"} for row in rows for copy in range(COPIES)]
    return [*stage_rows(annotations_table(copies)), storage_row(annotations_table(rows)), *example_rows(Parser())]


def annotations() -> list[dict[str, Any]]:
    """Annotations of articles of about 220 words, as rows."""
    annotator = Annotator(AnnotatorConfig())
    texts = enumerate(documents())
    return [annotation_row(annotator.annotate(f"d{number}", date(1990, 1, 1), "", text)) for number, text in texts]


def stage_rows(table: Any) -> list[Row]:
    """Reading annotations, sampling, and making the table of event samples."""
    rows = []
    for name in ("attack", "violence-dyads"):
        query = Query.from_yaml(name)
        best, samples = (cpu_seconds(partial(stage, table, query, way)) for way in ("best", "samples"))
        rows += [
            Row("sampling stage, best tree", f"{name}, milliseconds per article", 1e3 * best / table.num_rows, "ms"),
            Row("sampling stage, sampled trees", f"{name}, the same", 1e3 * samples / table.num_rows, "ms"),
            at_most("sampling stage", f"{name}, sampled trees against the best", samples / best, "x", 3),
        ]
    return rows


def stage(table: Any, query: Query, way: str) -> Any:
    """What a run does with annotated articles."""
    read = read_annotations(table, trees=way == "samples")
    rows, _ = sample_events(read, query, n_samples=N, seed=0, recalibration=None, syntax=way)
    return event_table(rows, dyadic=query.language.targets is not None)


def cpu_seconds(work: Callable[[], object]) -> float:
    """Processor time of the shortest of five runs, after one that compiles."""
    work()
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def storage_row(table: Any) -> Row:
    """Annotations with the distributions over trees against those without."""
    ratio = len(parquet_bytes(table)) / len(parquet_bytes(table.drop_columns(list(NAMES))))
    return at_most("annotations", "bytes with distributions over trees against those without", ratio, "x", 1.5)


def example_rows(parser: Parser) -> list[Row]:
    """The hand-made examples, their clusters given, by best and by sampled trees."""
    shares = []
    examples = [*predicate_examples(), *language_examples()]
    for example in examples:
        document, trees = parser.parse_with_doubt(example.name, example.text)
        if trees is not None and not is_right(example, document):
            shares.append(right_share(example, list(sampled_documents(document, trees, N, seed=0))))
    return [
        Row("hand-made examples", f"wrong by the best tree, of {len(examples)}", len(shares), "examples"),
        Row("hand-made examples", "of these, right in some sampled trees", sum(s > 0 for s in shares), "examples"),
        Row("hand-made examples", "of these, right in more than half", sum(s > 0.5 for s in shares), "examples"),
    ]


def right_share(example: Example, sampled: list[Document]) -> float:
    """Share of the sampled documents whose answer is the expected one."""
    return sum(is_right(example, document) for document in sampled) / len(sampled)
