"""The articles of a run, read from its archive.

Covers: every article that a run counts, with its quarter.
Not here: what models say of them (`workers.runs`), the drawn ones with their text (`flows.label.articles`).
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from workers.quarters import quarter_of
from workers.runs import Run
from workers.schemas import ARCHIVE
from workers.storage import Warehouse

READ_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Article:
    """One article, as the archive has it."""

    doc_id: str
    published: date
    title: str
    text: str
    source: str

    @property
    def quarter(self) -> str:
        """Its quarter."""
        return quarter_of(self.published)

    def read_text(self, *, with_titles: bool) -> str:
        """What a run gates and parses of it."""
        return f"{self.title}\n\n{self.text}" if with_titles and self.title else self.text


def run_articles(run: Run) -> Iterator[Article]:
    """The articles that a run counts, in order of its chunks."""
    since, until = (date.fromisoformat(day) if day else None for day in _days(run.manifest))
    for article in _articles(run.warehouse, run.manifest["chunks"]):
        if (since is None or article.published >= since) and (until is None or article.published <= until):
            yield article


def _articles(warehouse: Warehouse, chunks: Collection[str]) -> Iterator[Article]:
    columns = list(ARCHIVE.names)
    for path in chunks:
        for batch in warehouse.read_batches(path, ARCHIVE, rows=READ_AT_ONCE, columns=columns):
            yield from (Article(**row) for row in batch.to_pylist())


def _days(manifest: dict[str, Any]) -> tuple[str | None, str | None]:
    return manifest["since"], manifest["until"]
