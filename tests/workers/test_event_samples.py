"""Event samples as rows and as a table, and back."""

from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from calib_core.events import EventSamples, Query, tally
from workers.event_samples import added_by, event_rows, event_table, table_tally

DOCUMENTS = Query.from_yaml("attack")
ENTITIES = replace(DOCUMENTS, unit="entities")
ARTICLES = [("a", date(1987, 3, 31)), ("b", date(1987, 4, 1))]


def samples_of(entities: list[list[int]], best: list[int]) -> EventSamples:
    counts = np.array(entities, dtype=np.uint16)
    return EventSamples(np.array([0, 0, 1]), ("IRN", "IRQ", "IRQ"), counts, np.array(best, dtype=np.uint16))


HAND = samples_of([[0, 0, 0], [1, 0, 2], [0, 0, 0]], [0, 1, 1])


def test_a_row_that_counts_in_no_sample_and_not_in_the_one_best_is_left_out() -> None:
    rows = [row.columns() for row in event_rows(HAND, ARTICLES, DOCUMENTS)]
    told = [(row["doc_id"], row["quarter"], row["country"], row["p"], row["map"], row["bits"]) for row in rows]
    assert told == [
        ("a", "1987Q1", "IRQ", 2 / 3, True, bytes([0b101])),
        ("b", "1987Q2", "IRQ", 0.0, True, bytes([0])),
    ]


def test_entities_are_kept_only_where_they_are_counted() -> None:
    assert [row.entities for row in event_rows(HAND, ARTICLES, DOCUMENTS)] == [None, None]
    (first, _) = event_rows(HAND, ARTICLES, ENTITIES)
    assert first.entities == np.array([1, 0, 2, 1], "<u2").tobytes()


@given(st.lists(st.lists(st.integers(0, 65_535), min_size=17, max_size=17), min_size=3, max_size=3), st.booleans())
def test_a_table_adds_up_to_what_was_sampled(entities: list[list[int]], by_entity: bool) -> None:
    samples, query = samples_of(entities, [1, 0, 3]), ENTITIES if by_entity else DOCUMENTS
    table = event_table(event_rows(samples, ARTICLES, query))
    kept = samples.positive()
    quarters = [("1987Q1", "1987Q2")[document] for document in kept.document]
    expected = tally(quarters, kept.country, kept.entities, kept.best, unit=query.unit)
    found = table_tally(table, n_samples=17, unit=query.unit)
    assert found.cells == expected.cells
    assert all(np.array_equal(getattr(found, name), getattr(expected, name)) for name in ("samples", "best", "shares"))


def test_no_rows_add_nothing() -> None:
    empty: pa.Table = event_table([])
    assert table_tally(empty, n_samples=5, unit="documents").cells == ()
    samples, best = added_by(empty, n_samples=5, unit="entities")
    assert samples.shape == (0, 5)
    assert best.shape == (0,)
