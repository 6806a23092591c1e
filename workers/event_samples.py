"""Event samples as numbers, as rows and as a table: the one place that packs them and reads them back.

Covers: rows from sampled answers, the table of rows, and what each row of a table adds to a count.
Not here: the meaning of the columns (`workers.schemas`), the file around the table (`workers.propagation.outcome`).

One row per document and country (and target, if the query has targets) with a positive probability, or with the event
in the 1-best clustering. A row keeps one bit per sample; if entities are counted it also keeps their numbers, 16 bits
per sample, with those of the 1-best clustering last.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from calib_core.arrays import Bools, Ints
from calib_core.events import EventSamples, Query, Tally, empty_tally, tally, unpack_bits
from calib_core.events.dyads import dyad
from calib_core.events.variance import variance_parts
from workers.quarters import quarter_of
from workers.schemas import DYADIC_EVENT_SAMPLES, EVENT_SAMPLES

Numbers = Bools | NDArray[np.uint16]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """One row of `EVENT_SAMPLES`; every field is the column of its name, but for `best`, which is the column `map`.

    `target` is None where the query has no targets, and the table no such column.
    """

    query: str
    doc_id: str
    published: date
    country: str
    p: float
    best: bool
    bits: bytes
    entities: bytes | None
    from_coreference: float
    from_syntax: float
    target: str | None = None

    def columns(self) -> dict[str, Any]:
        """The row as the table has it."""
        return {
            "query": self.query, "doc_id": self.doc_id, "published": self.published,
            "quarter": quarter_of(self.published), "country": self.country,
            "p": self.p, "map": self.best, "bits": self.bits, "entities": self.entities,
            "from_coreference": self.from_coreference, "from_syntax": self.from_syntax,
            **({} if self.target is None else {"target": self.target}),
        }  # fmt: skip


def event_rows(samples: EventSamples, articles: Sequence[tuple[str, date]], query: Query) -> list[EventRow]:
    """Rows of a batch, in its order.

    Parameters
    ----------
    samples : EventSamples
    articles : sequence of (doc_id, day of publication)
        Of the documents of the batch.
    query : Query
    """
    kept = samples.positive()
    p, bits, parts = kept.p.tolist(), kept.bits, variance_parts(kept, unit=query.unit)
    rows = []
    for number, country in enumerate(kept.country):
        doc_id, published = articles[kept.document[number]]
        entities = None
        if query.unit == "entities":
            entities = np.append(kept.entities[number], kept.best[number]).astype("<u2").tobytes()
        rows.append(
            EventRow(
                query=query.name, doc_id=doc_id, published=published, country=country, p=p[number],
                best=bool(kept.best[number]), bits=bits[number].tobytes(), entities=entities,
                from_coreference=float(parts.coreference[number]), from_syntax=float(parts.syntax[number]),
                target=None if kept.target is None else kept.target[number],
            )
        )  # fmt: skip
    return rows


def event_table(rows: Iterable[EventRow], *, dyadic: bool = False) -> pa.Table:
    """Rows as a table of the schema `EVENT_SAMPLES`, or of `DYADIC_EVENT_SAMPLES`."""
    schema = DYADIC_EVENT_SAMPLES if dyadic else EVENT_SAMPLES
    return pa.Table.from_pylist([row.columns() for row in rows], schema=schema)


def row_words(table: pa.Table) -> list[str]:
    """What each row of a table counts for: a country, or agent and target as `dyad` writes them."""
    countries: list[str] = table.column("country").to_pylist()
    if "target" not in table.column_names:
        return countries
    return [dyad(*pair) for pair in zip(countries, table.column("target").to_pylist(), strict=True)]


def added_by(table: pa.Table, *, n_samples: int, unit: str) -> tuple[Numbers, Ints]:
    """What each row of a table adds to the count.

    Parameters
    ----------
    table : Table
        With at least the columns `map`, `bits` and `entities`.
    n_samples : int
        Of the run.
    unit : str
        "documents" or "entities".

    Returns
    -------
    samples : shape (n_rows, n_samples)
        In each sample: whether the document counts, or its number of entities.
    best : shape (n_rows,)
        In the 1-best clustering.
    """
    n_rows = table.num_rows
    if unit == "entities":
        content = b"".join(table.column("entities").to_pylist())
        entities = np.frombuffer(content, dtype="<u2").reshape(n_rows, n_samples + 1).astype(np.uint16)
        return entities[:, :-1], entities[:, -1].astype(np.int64)
    content = b"".join(table.column("bits").to_pylist())
    bits = np.frombuffer(content, dtype=np.uint8).reshape(n_rows, (n_samples + 7) // 8)
    return unpack_bits(bits, n_samples), np.array(table.column("map").to_pylist(), dtype=np.int64)


def table_tally(table: pa.Table, *, n_samples: int, unit: str) -> Tally:
    """The sums of a table's rows, per quarter and country; of dyads, per quarter and `dyad`."""
    if not table.num_rows:
        return empty_tally(n_samples, unit=unit)
    samples, best = added_by(table, n_samples=n_samples, unit=unit)
    return tally(table.column("quarter").to_pylist(), row_words(table), samples, best, unit=unit)
