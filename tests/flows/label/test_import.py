"""Labels made elsewhere: the formats of three tools, and files that are refused without a trace in the log."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.jobs.import_labels import ImportReport, import_labels
from flows.jobs.requests import ImportLabelsRequest
from flows.label.desk import Desk
from flows.label.foreign import ForeignFileError
from tests.labelling_warehouse import small_desk
from workers.labelling import Label, append_labels


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return small_desk(tmp_path)


def imported(desk: Desk, content: str | bytes, *, coder: str = "", name: str = "labels.csv") -> ImportReport:
    file = Path(desk._warehouse.root).parent / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return import_labels(ImportLabelsRequest(warehouse=desk._warehouse.root, file=str(file), coder=coder))


def answers(desk: Desk) -> dict[tuple[str, str], str]:
    return {(label.doc_id, label.coder): label.answer or label.kind for label in desk.log().labels}


def rows(desk: Desk, *lines: str, header: str = "frame_id,doc_id,answer,coder") -> str:
    return "\n".join([header, *(f"{desk.frame.frame_id},{line}" for line in lines)]) + "\n"


def item(desk: Desk, doc_id: str, **more: Any) -> dict[str, Any]:
    return {"frame_id": desk.frame.frame_id, "doc_id": doc_id, "text": "Iraqi jets attacked.", **more}


def test_csv_with_other_columns_and_unanswered_rows(desk: Desk) -> None:
    header = "frame_id,doc_id,published,title,text,answer,coder"
    done = imported(desk, rows(
        desk, 'iraq,1987-01-01,T,"a ""quoted""\nline, and another",IRQ,ada', "none,1987-01-02,,x,none,ada",
        "both,1987-01-03,,x,TCD; LBY,ada", "third,1987-01-07,,x,unsure,ben", "last,1987-01-08,,x,,", header=header,
    ))  # fmt: skip
    assert (done.added, done.unanswered, done.coders) == (4, 1, ("ada", "ben"))
    assert answers(desk) == {
        ("iraq", "ada"): "IRQ", ("none", "ada"): "none", ("both", "ada"): "LBY;TCD", ("third", "ben"): "unsure",
    }  # fmt: skip


@pytest.mark.parametrize("sign", [";", "\t"])
def test_csv_as_other_languages_write_it(desk: Desk, sign: str) -> None:
    text = "\ufeff" + rows(desk, 'both,"TCD;LBY",ada').replace(",", sign).replace("\n", "\r\n")
    assert imported(desk, text).added == 1
    assert answers(desk) == {("both", "ada"): "LBY;TCD"}


def test_csv_without_coders_takes_the_one_of_the_command(desk: Desk) -> None:
    assert imported(desk, rows(desk, "iraq,IRQ", header="frame_id,doc_id,answer"), coder="ada").coders == ("ada",)


def test_doccano_lines(desk: Desk) -> None:
    lines = [
        item(desk, "iraq", id=1, label=["IRQ"], Comments=[]), item(desk, "both", id=2, label=["LBY", "TCD"]),
        item(desk, "none", id=3, label=["none"]), item(desk, "last", id=4, label=[]),
        {"id": 5, "text": "x", "labels": ["unsure"], "meta": item(desk, "third")},
    ]  # fmt: skip
    done = imported(desk, "\n".join(map(json.dumps, lines)), coder="ada", name="all.jsonl")
    assert (done.added, done.unanswered) == (4, 1)
    assert answers(desk)["third", "ada"] == "unsure"


def test_doccano_archive_with_a_file_per_coder(desk: Desk) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("ada.jsonl", json.dumps(item(desk, "iraq", label=["IRQ"])) + "\n")
        archive.writestr("ben.jsonl", json.dumps(item(desk, "iraq", label=["none"])) + "\n")
    assert imported(desk, content.getvalue(), name="export.zip").coders == ("ada", "ben")
    assert desk.verdicts()["iraq"].disputed


def task(desk: Desk, doc_id: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    return {"id": 1, "data": item(desk, doc_id), "annotations": list(annotations), "predictions": []}


def annotation(*choices: str, **more: Any) -> dict[str, Any]:
    result = {"value": {"choices": list(choices)}, "from_name": "answer", "to_name": "text", "type": "choices"}
    return {"id": 7, "completed_by": 3, "result": [result], "was_cancelled": False, "lead_time": 4.5, **more}


def test_label_studio_tasks(desk: Desk) -> None:
    tasks = [
        task(desk, "iraq", annotation("IRQ"), annotation("none", completed_by={"id": 4, "email": "ben@example.org"})),
        task(desk, "none", annotation(was_cancelled=True, result=[])),
        task(desk, "both", annotation("LBY", "TCD", updated_at="2026-01-02T03:04:05Z")),
        task(desk, "last"),
    ]  # fmt: skip
    done = imported(desk, json.dumps(tasks), name="project.json")
    assert (done.added, done.unanswered) == (4, 1)
    assert answers(desk) == {
        ("iraq", "user-3"): "IRQ", ("iraq", "ben@example.org"): "none", ("none", "user-3"): "skip",
        ("both", "user-3"): "LBY;TCD",
    }  # fmt: skip
    assert [label.seconds for label in desk.log().labels] == [4.5] * 4
    assert desk.log().labels[-1].time == "2026-01-02T03:04:05Z"


def test_a_country_typed_beside_the_choices_counts(desk: Desk) -> None:
    typed = {"value": {"text": ["VUT"]}, "from_name": "other", "to_name": "text", "type": "textarea"}
    one = annotation("IRQ")
    one["result"].append(typed)
    imported(desk, json.dumps([task(desk, "iraq", one)]))
    assert answers(desk) == {("iraq", "user-3"): "IRQ;VUT"}


def test_label_studio_flat(desk: Desk) -> None:
    flat = [
        item(desk, "iraq", id=1, answer="IRQ", annotator=1, lead_time=2.5),
        item(desk, "both", id=2, answer={"choices": ["LBY", "TCD"]}, annotator="ben@example.org"),
    ]  # fmt: skip
    imported(desk, json.dumps(flat))
    assert answers(desk) == {("iraq", "user-1"): "IRQ", ("both", "ben@example.org"): "LBY;TCD"}


def test_the_same_file_again_adds_nothing(desk: Desk) -> None:
    text = rows(desk, "iraq,IRQ,ada", "iraq,IRQ,ada")
    assert (imported(desk, text).added, imported(desk, text).added) == (1, 0)
    assert len(desk.log().labels) == 1


BAD = [
    ("elsewhere,iraq,IRQ,ada", "record 1: labels must be of frame"),
    ("{frame},nowhere,IRQ,ada", "record 1: doc_id must be of an article that was drawn; got nowhere"),
    ("{frame},iraq,XYZ,ada", "record 1: 'XYZ' is no code of the query's lexicon"),
    ("{frame},iraq,none;IRQ,ada", "record 1: 'none' is no code"),
    ("{frame},iraq,IRQ,", "record 1: a label needs its coder"),
    ("{frame},iraq,IRQ", "record 1: a row must have 4 cells, as the header does; the file may be cut; got 3"),
    ("{frame},iraq,IRQ,ada\n{frame},iraq,none,ada", "record 2: ada must answer 'iraq' once"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "sentence"), BAD)
def test_a_bad_row_is_named_and_the_good_ones_before_it_are_not_written(desk: Desk, lines: str, sentence: str) -> None:
    text = rows(desk, "last,USA,ada") + lines.replace("{frame}", desk.frame.frame_id) + "\n"
    with pytest.raises(ForeignFileError) as caught:
        imported(desk, text)
    assert f"labels.csv: {sentence}".replace("record 1", "record 2").replace("record 2: ada", "record 3: ada") in str(
        caught.value
    )
    assert desk.log().labels == ()


CUT = [
    ('{"frame_id": "f", "doc_', "a.jsonl: record 1: a line must be whole JSON"),
    ('[{"id": 1, "data": {"frame', "a.json: the file must be whole JSON; it may be cut"),
    ("frame_id,doc_id,answer,coder\nf,iraq,IRQ,ad", "a.csv: the last line of a CSV must end with a line break"),
    ('frame_id,doc_id,text,answer\nf,iraq,"cut in\n', "a.csv: record 1: the row is damaged, or the file is cut"),
    ("doc_id,answer\niraq,IRQ\n", "a.csv: a CSV needs the columns frame_id, doc_id and answer"),
    ("", "must not be empty"),
    (b"frame_id,doc_id,answer\n\xff\n", "must be UTF-8"),
    ('[{"data": {"doc_id": "iraq"}, "annotations": []}]', "record 1: a record must carry the frame_id"),
    ('[{"data": {"frame_id": "f", "doc_id": "iraq"}, "annotations": [12]}]', "annotations must be a list of objects"),
    ('{"frame_id": "f", "doc_id": "iraq", "label": [[0, 4, "IRQ"]]}\n', "labels must be texts"),
    ("[1]", "record 1: a record must be an object"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "sentence"), CUT)
def test_a_cut_or_foreign_file_is_refused(desk: Desk, content: str | bytes, sentence: str) -> None:
    name = "a.csv" if content[:1] not in ("{", "[") else "a.jsonl" if content[:1] == "{" else "a.json"
    with pytest.raises(ForeignFileError) as caught:
        imported(desk, content, coder="ada", name=name)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("end", range(0, 200, 7))
def test_a_file_cut_anywhere_gives_no_answer_that_the_whole_does_not(desk: Desk, end: int) -> None:
    whole = rows(desk, "iraq,IRQ;IRN,adalbert", "none,none,adalbert", "both,TCD;LBY,adalbert")
    imported_answers = {("iraq", "adalbert"): "IRN;IRQ", ("none", "adalbert"): "none", ("both", "adalbert"): "LBY;TCD"}
    try:
        imported(desk, whole[:end])
    except ForeignFileError:
        assert desk.log().labels == ()
    assert answers(desk).items() <= imported_answers.items()


def test_an_answer_that_contradicts_the_log_is_refused_and_both_stay(desk: Desk) -> None:
    said = Label(frame_id=desk.frame.frame_id, doc_id="iraq", coder="ada", answer="IRQ", time="2026")
    append_labels(desk._warehouse, desk.frame, [said])
    with pytest.raises(ForeignFileError, match="in the log it is 'IRQ'"):
        imported(desk, rows(desk, "iraq,IRN,ada"))
    assert answers(desk) == {("iraq", "ada"): "IRQ"}


def test_the_command_says_what_it_did_and_refuses_with_one_sentence(desk: Desk, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text(rows(desk, "iraq,IRQ,ada", "last,,"))
    bad.write_text(rows(desk, "iraq,XYZ,ada"))
    done = CliRunner().invoke(app, ["label", desk._warehouse.root, "--import", str(good)])
    assert done.exit_code == 0
    assert "1 answers added to frame" in done.output
    refused = CliRunner().invoke(app, ["label", desk._warehouse.root, "--import", str(bad)])
    assert refused.exit_code == 1
    assert refused.output.count("\n") == 1
    assert "bad.csv: record 1: 'XYZ' is no code" in refused.output


@pytest.mark.parametrize("name", ["none.csv", "."])
def test_a_file_that_cannot_be_read_is_said_in_one_sentence(desk: Desk, tmp_path: Path, name: str) -> None:
    done = CliRunner().invoke(app, ["label", desk._warehouse.root, "--import", str(tmp_path / name)])
    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "must be there to read" in done.output


@pytest.mark.parametrize("missing", ["warehouse", "frame", "file"])
def test_what_is_not_there_is_said_in_one_sentence(tmp_path: Path, missing: str) -> None:
    (tmp_path / "w").mkdir()
    place = tmp_path / ("nowhere" if missing == "warehouse" else "w")
    done = CliRunner().invoke(app, ["label", str(place), "--import", str(tmp_path / "none.csv")])
    assert done.exit_code == 1
    assert done.output.count("\n") == 1
