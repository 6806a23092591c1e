"""The articles of a frame that are to be labelled, read from the archive.

Covers: headline and text of each drawn article, in the order in which they are labelled.
Not here: which articles were drawn (`workers.labelling`).
"""

from dataclasses import dataclass
from datetime import date

import pyarrow.compute as pc

from workers.ingest.catalogue import archive_chunks
from workers.labelling import Frame, FrameError
from workers.schemas import ARCHIVE
from workers.storage import Warehouse

COLUMNS = ["doc_id", "published", "title", "text"]
BATCH = 512


@dataclass(frozen=True, slots=True)
class Article:
    """One article to label."""

    doc_id: str
    published: date
    title: str
    text: str


def drawn_articles(warehouse: Warehouse, frame: Frame) -> tuple[Article, ...]:
    """The drawn articles in their order; only chunks of their quarters are read.

    Raises
    ------
    FrameError
        When the archive has lost one of them.
    """
    wanted = frame.drawn.column("doc_id")
    quarters = set(frame.drawn.column("quarter").to_pylist())
    articles: dict[str, Article] = {}
    for chunk in archive_chunks(warehouse):
        if chunk.quarter not in quarters:
            continue
        for batch in warehouse.read_batches(chunk.path, ARCHIVE, rows=BATCH, columns=COLUMNS):
            rows = batch.filter(pc.is_in(batch.column("doc_id"), value_set=wanted.combine_chunks()))
            articles |= {row["doc_id"]: Article(**row) for row in rows.to_pylist()}
    lost = [doc_id for doc_id in wanted.to_pylist() if doc_id not in articles]
    if lost:
        raise FrameError(
            f"{warehouse.root}: {len(lost)} drawn articles are no longer in the archive, such as {lost[0]!r}; "
            f"restore the archive, or draw a new sample"
        )
    return tuple(articles[doc_id] for doc_id in wanted.to_pylist())
