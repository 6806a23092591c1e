import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.workers.labelling.frames import QUERY, frame_rows, settings, small_frame
from workers.labelling import AnswerError, Label, LabelError, append_labels, freeze, read_answer, read_labels
from workers.storage import Warehouse


@pytest.fixture
def warehouse(tmp_path):
    return Warehouse.open(tmp_path / "w")


@pytest.fixture
def frame(warehouse):
    return small_frame(warehouse)


def said(frame, answer="USA", **changes):
    return Label(
        **({"frame_id": frame.frame_id, "doc_id": "d0", "coder": "ada", "answer": answer, "time": "t"} | changes)
    )


def test_labels_are_read_back_in_order(warehouse, frame):
    lines = [
        said(frame),
        said(frame, "IRQ;USA", doc_id="d1", seconds=7.5),
        said(frame, "", kind="skip", reason="blank"),
    ]
    append_labels(warehouse, frame, lines[:1])
    append_labels(warehouse, frame, lines[1:])
    assert read_labels(warehouse, frame).labels == tuple(lines)


def test_a_line_cut_by_a_crash_is_reported_and_kept_and_costs_no_other(warehouse, frame):
    append_labels(warehouse, frame, [said(frame)])
    path = Path(warehouse.path(frame.folder.labels))
    with path.open("ab") as file:
        file.write(b'{"answer": "IR')
    before = path.read_bytes()
    append_labels(warehouse, frame, [said(frame, "none", doc_id="d1")])
    log = read_labels(warehouse, frame)
    assert path.read_bytes().startswith(before)
    assert [label.doc_id for label in log.labels] == ["d0", "d1"]
    assert len(log.broken) == 1
    assert "labels.jsonl:2: left out: the line is cut or damaged" in log.broken[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frame_id": "f" * 32}, "is of frame ffff"),
        ({"doc_id": "d3"}, "'d3' is no article that frame"),
        ({"coder": " "}, "needs the name of its coder"),
        ({"time": ""}, "a label needs a time"),
        ({"kind": "guess"}, "kind must be one of"),
        ({"kind": "undo"}, "must have no answer"),
        ({"answer": "XYZ"}, "'XYZ' is no code of the query's lexicon"),
        ({"answer": "USA>XYZ"}, "'XYZ' is no code of the query's lexicon"),
        ({"answer": ""}, "an answer is none, unsure or codes"),
    ],
)
def test_a_label_that_does_not_belong_is_refused_and_nothing_is_written(warehouse, frame, change, message):
    with pytest.raises((LabelError, AnswerError), match=message):
        append_labels(warehouse, frame, [said(frame), replace(said(frame), **change)])
    assert read_labels(warehouse, frame).labels == ()


def test_a_foreign_line_in_the_file_is_reported(warehouse, frame):
    other = small_frame(warehouse, seed=9)
    append_labels(warehouse, other, [said(other)])
    content = warehouse.read_bytes(other.folder.labels)
    warehouse.write_bytes(frame.folder.labels, content)
    log = read_labels(warehouse, frame)
    assert log.labels == ()
    assert "is of frame" in log.broken[0]


def test_an_extended_frame_has_the_labels_of_the_earlier_one(warehouse, frame):
    append_labels(warehouse, frame, [said(frame)])
    larger = freeze(warehouse, frame_rows(4, 4), settings(budget=4, extends=frame.frame_id), QUERY, created="later")
    append_labels(warehouse, larger, [said(larger, "none", doc_id="d3")])
    assert [label.doc_id for label in read_labels(warehouse, larger).labels] == ["d0", "d3"]
    assert [label.doc_id for label in read_labels(warehouse, frame).labels] == ["d0"]


def add_many(root, frame_id, coder):
    warehouse = Warehouse.open(root)
    from workers.labelling import read_frame

    frame = read_frame(warehouse, frame_id)
    for _ in range(50):
        append_labels(warehouse, frame, [said(frame, coder=coder)])


def test_two_processes_that_add_at_once_lose_nothing(warehouse, frame):
    context = multiprocessing.get_context("spawn")
    both = [context.Process(target=add_many, args=(warehouse.root, frame.frame_id, name)) for name in ("ada", "bob")]
    for process in both:
        process.start()
    for process in both:
        process.join()
    log = read_labels(warehouse, frame)
    assert len(log.labels) == 100
    assert log.broken == ()


def test_answers_are_written_as_they_are_read():
    assert str(read_answer(" usa>x".upper().replace("X", "*"), {"USA"})) == "USA>*"
    assert str(read_answer("USA > IRQ;USA>-", {"USA", "IRQ"})) == "USA>-;USA>IRQ"
    assert not read_answer("Unsure", set()).sure
