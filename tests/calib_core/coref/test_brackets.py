"""Entity brackets: every form that corpora use, and every way to get them wrong."""

import logging
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.coref.corpora.brackets import (
    CorpusError,
    bracket_events,
    distinct_clusters,
    read_clusters,
    write_brackets,
)


def clusters(*cells: str):
    return read_clusters(cells, range(1, len(cells) + 1), "f.conll")


def test_concatenated_brackets_are_told_apart() -> None:
    assert bracket_events("5)6)(7)") == [("close", "5"), ("close", "6"), ("both", "7")]
    assert bracket_events("(0|(1)") == [("open", "0"), ("both", "1")]


def test_corefud_ids_with_attributes_are_read() -> None:
    assert clusters("(e1-person-1-", "(e2-place)", "e1)") == (((0, 3),), ((1, 2),))


def test_crossing_brackets_close_the_latest_of_their_own_id() -> None:
    assert clusters("(1", "(2", "1)", "2)") == (((0, 3),), ((1, 4),))


def test_nested_brackets_of_one_entity_close_innermost_first() -> None:
    assert clusters("(1", "(1", "1)", "1)") == (((1, 3), (0, 4)),)


@pytest.mark.parametrize(
    ("cells", "line", "reason"),
    [
        (("(1", "-"), 1, "never closed"),
        (("-", "1)"), 2, "not open"),
        (("(1)", "x1"), 2, "not of the form"),
        (("((1)", "1)"), 1, "not of the form"),
    ],
)
def test_bad_brackets_are_refused_with_file_and_line(cells: tuple[str, ...], line: int, reason: str) -> None:
    with pytest.raises(CorpusError, match=reason) as caught:
        clusters(*cells)
    assert str(caught.value).startswith(f"f.conll:{line}: ")


def test_the_error_survives_pickling() -> None:
    error = CorpusError("f", 3, "why")
    assert str(pickle.loads(pickle.dumps(error))) == "f:3: why"  # noqa: S301


def test_a_shared_mention_stays_with_the_first_entity_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        kept = distinct_clusters((((0, 1), (2, 3)), ((2, 3), (4, 5), (6, 7))), "f.conllu", 9)
    assert kept == (((0, 1), (2, 3)), ((4, 5), (6, 7)))
    assert "f.conllu:9: tokens 2 to 2" in caplog.text


def test_singletons_are_dropped_on_request() -> None:
    assert distinct_clusters((((0, 1), (0, 1)), ((1, 2), (3, 4))), "f", 1, drop_singletons=True) == (((1, 2), (3, 4)),)


def test_a_mention_outside_the_document_is_not_written() -> None:
    with pytest.raises(ValueError, match=r"mention \(2, 4\) is not inside a document of 3 tokens"):
        write_brackets((((2, 4),),), 3)


spans = st.tuples(st.integers(0, 8), st.integers(1, 4)).map(lambda pair: (pair[0], min(pair[0] + pair[1], 9)))


@given(st.lists(st.lists(spans, min_size=1, max_size=4, unique=True), max_size=4))
def test_what_is_written_is_read_back(entities: list[list[tuple[int, int]]]) -> None:
    # Crossing mentions of one entity have no unambiguous notation; all others have.
    crossing = [(a, b) for e in entities for a in e for b in e if a[0] < b[0] < a[1] < b[1]]
    if not crossing:
        cells = write_brackets(tuple(map(tuple, entities)), 9)
        assert sorted(map(sorted, clusters(*cells))) == sorted(map(sorted, entities))
