import pyarrow.compute as pc
import pytest

from tests.workers.labelling.frames import QUERY, frame_rows, settings, small_frame
from workers.labelling import FrameError, Label, append_labels, choose_frame, frame_ids, freeze, read_frame, read_labels
from workers.layout import SampleFolder
from workers.storage import Warehouse


@pytest.fixture
def warehouse(tmp_path):
    return Warehouse.open(tmp_path / "w")


def test_a_frame_is_read_back_as_it_was_frozen(warehouse):
    frame = small_frame(warehouse)
    again = read_frame(warehouse, frame.frame_id)
    assert again.table.equals(frame.table)
    assert again.settings == frame.settings
    assert again.question.fingerprint == QUERY.fingerprint
    assert again.drawn.column("doc_id").to_pylist() == ["d0", "d1", "d2"]


def test_the_same_draw_at_another_time_is_the_same_frame(warehouse):
    first = small_frame(warehouse)
    append_labels(warehouse, first, [Label(frame_id=first.frame_id, doc_id="d0", coder="ada", answer="USA", time="t")])
    again = freeze(warehouse, frame_rows(), settings(), QUERY, created="2027-01-01T00:00:00Z")
    assert again.frame_id == first.frame_id
    assert again.created == first.created
    assert len(read_labels(warehouse, again).labels) == 1


@pytest.mark.parametrize("change", [{"seed": 1}, {"budget": 3}, {"run_id": "r2"}])
def test_another_draw_is_another_frame(warehouse, change):
    assert small_frame(warehouse).frame_id != small_frame(warehouse, **change).frame_id


def test_a_frame_that_was_changed_is_refused(warehouse):
    frame = small_frame(warehouse)
    table = frame.table
    position = table.schema.get_field_index("pi")
    forged = table.set_column(position, table.schema.field(position), pc.multiply(table.column("pi"), 0.5))
    warehouse.write_table(frame.folder.frame, forged)
    with pytest.raises(FrameError, match="was changed after it was drawn"):
        read_frame(warehouse, frame.frame_id)


@pytest.mark.parametrize("name", ["abc", "../runs", ""])
def test_an_unknown_frame_is_refused(warehouse, name):
    with pytest.raises(FrameError, match="has no frame"):
        read_frame(warehouse, name)


def test_the_newest_frame_with_labels_is_chosen(warehouse):
    old, new = small_frame(warehouse), freeze(warehouse, frame_rows(), settings(seed=1), QUERY, created="2027")
    assert frame_ids(warehouse) == [old.frame_id, new.frame_id]
    assert choose_frame(warehouse, None).frame_id == new.frame_id
    append_labels(warehouse, old, [Label(frame_id=old.frame_id, doc_id="d0", coder="ada", answer="none", time="t")])
    assert choose_frame(warehouse, None, with_labels=True).frame_id == old.frame_id


def test_a_warehouse_without_a_frame_or_labels_says_what_to_do(warehouse):
    with pytest.raises(FrameError, match="has no sample yet: run `credence sample` first"):
        choose_frame(warehouse, None)
    small_frame(warehouse)
    with pytest.raises(FrameError, match="has no labels yet: run `credence label` first"):
        choose_frame(warehouse, None, with_labels=True)


def test_a_frame_of_another_query_is_refused(warehouse):
    frame = small_frame(warehouse)
    with pytest.raises(FrameError, match="drawn for the query 'attack', which is another one"):
        choose_frame(warehouse, frame.frame_id, fingerprint="f" * 32)


def test_paths_are_those_of_the_design():
    assert SampleFolder("ab").labels == "samples/ab/labels.jsonl"
    assert SampleFolder("ab").frame == "samples/ab/frame.parquet"
