"""sample, anchor and what they add to counts, on a published run without parsing."""

import csv
import io
import json
import re

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.jobs.import_labels import import_labels
from flows.jobs.requests import ImportLabelsRequest
from tests.anchored_warehouse import articles, label_all, published_run, true_codes
from workers.labelling import choose_frame, read_labels

ROWS = articles(160)


def credence(*arguments, code=0):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def run(tmp_path):
    return published_run(tmp_path / "w", ROWS)


def test_sampling_says_what_the_labels_buy_before_anything_is_labelled(run):
    output = credence("sample", run.warehouse.root, "--labels", 40)
    assert "What the labels buy" in output
    for word in ("gate", "warm", "cold", "all articles", "a country", "a quarter", "a cell"):
        assert word in output
    assert f"Next: credence label {run.warehouse.root}" in output
    drawn = int(re.search(r"'attack': (\d+) articles to label", output)[1])
    assert ("You asked for 40" in output) == (drawn != 40)


def test_wider_samples_are_expected_to_give_narrower_intervals(run):
    widths = []
    for labels in (40, 120):
        report = json.loads(credence("sample", run.warehouse.root, "--labels", labels, "--json"))
        widths.append({bought["level"]: bought["width"] for bought in report["bought"]})
    assert widths[1]["total"] < widths[0]["total"]
    assert widths[1]["country"] < widths[0]["country"]


@pytest.mark.parametrize("name", ["csv", "doccano", "label-studio"])
def test_exports_carry_the_frame_and_never_what_the_model_says(run, tmp_path, name):
    file = tmp_path / "out"
    credence("sample", run.warehouse.root, "--labels", 40, "--export", name, file)
    frame = choose_frame(run.warehouse, None)
    text = file.read_text(encoding="utf-8")
    if name == "csv":
        items = list(csv.DictReader(io.StringIO(text)))
    elif name == "doccano":
        items = [json.loads(line) for line in text.splitlines()]
    else:
        items = [task["data"] for task in json.loads(text)]
    assert [item["doc_id"] for item in items] == frame.drawn.column("doc_id").to_pylist()
    assert {item["frame_id"] for item in items} == {frame.frame_id}
    assert {*items[0]} - {"label"} == {"frame_id", "doc_id", "published", "title", "text"}
    assert items[0].get("label", []) == []


def test_an_exported_sample_comes_back_answered(run, tmp_path):
    file, answered = tmp_path / "out.csv", tmp_path / "in.csv"
    credence("sample", run.warehouse.root, "--labels", 40, "--export", "csv", file)
    truth = {row["doc_id"]: ";".join(sorted(true_codes(row))) or "none" for row in ROWS}
    with file.open(encoding="utf-8") as out, answered.open("w", encoding="utf-8") as back:
        rows = [row | {"answer": truth[row["doc_id"]], "coder": "ada"} for row in csv.DictReader(out)]
        writer = csv.DictWriter(back, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    import_labels(ImportLabelsRequest(warehouse=run.warehouse.root, file=str(answered)))
    assert f"anchored to {len(rows)} labelled articles" in credence("anchor", run.warehouse.root)


def test_an_exported_file_is_never_overwritten(run, tmp_path):
    file = tmp_path / "answers.csv"
    file.write_text("answers", encoding="utf-8")
    output = credence("sample", run.warehouse.root, "--labels", 40, "--export", "csv", file, code=1)
    assert "may hold answers" in " ".join(output.split())
    assert file.read_text(encoding="utf-8") == "answers"


def test_counts_show_the_anchored_ones_beside_the_raw_ones(run):
    before = credence("counts", run.warehouse.root)
    assert "credence sample, label, anchor" in before
    credence("sample", run.warehouse.root, "--labels", 80)
    label_all(run, choose_frame(run.warehouse, None), ROWS)
    credence("anchor", run.warehouse.root)
    text = " ".join(credence("counts", run.warehouse.root).split())
    assert "with labels" in text
    assert re.search(r"the models alone expect \d+; with \d+ articles read by people, about \d+, and between", text)
    found = json.loads(credence("counts", run.warehouse.root, "--json"))
    assert {row["level"] for row in found["anchored"]} == {"total", "country", "quarter", "cell", "cold"}
    header = credence("counts", run.warehouse.root, "--csv").splitlines()[0]
    assert header.endswith("anchored,anchored_lo,anchored_hi,tier,n_labels,flags")


def test_the_table_for_dsl_has_outcome_prediction_probability_and_cluster(run, tmp_path):
    credence("sample", run.warehouse.root, "--labels", 40)
    frame = choose_frame(run.warehouse, None)
    label_all(run, frame, ROWS)
    credence("anchor", run.warehouse.root, "--dsl", tmp_path / "dsl.csv")
    with (tmp_path / "dsl.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["outcome"] for row in rows} == {"0", "1", "NA"}
    assert {row["doc_id"] for row in rows if row["labeled"] == "1"} <= frame.drawn_ids
    assert all(0 < float(row["sampling_prob"]) <= 1 for row in rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sample", "--labels", "161"], "the run has 160 articles, fewer than the 161 labels"),
        (["sample", "--export", "xml", "f"], "export must be one of csv, doccano, label-studio"),
        (["anchor"], "has no sample yet: run `credence sample` first"),
        (["anchor", "--frame", "abc"], "has no frame abc"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run, arguments, message):
    command, *options = arguments
    output = credence(command, run.warehouse.root, *options, code=1)
    assert message in " ".join(output.split())
    assert "Traceback" not in output


def test_without_a_run_there_is_nothing_to_sample(tmp_path):
    (tmp_path / "w").mkdir()
    for command in ("sample", "anchor"):
        assert "has no run yet" in " ".join(credence(command, tmp_path / "w", code=1).split())


def test_a_frame_of_another_query_is_refused_and_its_labels_stay(run):
    credence("sample", run.warehouse.root, "--labels", 40)
    frame = choose_frame(run.warehouse, None)
    label_all(run, frame, ROWS)
    manifest = run.warehouse.read_json(run.folder.manifest)
    query = run.warehouse.read_json(run.folder.query)
    from calib_core.events import Query
    from workers.propagation.query_file import query_content

    other = query_content(Query.from_yaml("visit"))
    assert other["fingerprint"] != query["fingerprint"]
    run.warehouse.write_json(run.folder.query, other)
    run.warehouse.write_json(run.folder.manifest, manifest)
    output = credence("anchor", run.warehouse.root, "--frame", frame.frame_id, code=1)
    assert "was drawn for the query 'attack', which is another one" in " ".join(output.split())
    assert len(read_labels(run.warehouse, frame).labels) == frame.drawn.num_rows


def test_explain_tells_what_people_answered_also_of_an_article_that_was_never_parsed(run):
    credence("sample", run.warehouse.root, "--labels", 160)
    frame = choose_frame(run.warehouse, None)
    doc_id = next(row["doc_id"] for row in frame.table.to_pylist() if row["stratum"] == "cold")
    text = " ".join(credence("explain", run.warehouse.root, doc_id, code=1).split())
    assert "nobody has answered it yet" in text
    label_all(run, frame, ROWS)
    text = " ".join(credence("explain", run.warehouse.root, doc_id, code=1).split())
    assert "answered: ada: none" in text


def test_a_chart_is_drawn_on_request(run, tmp_path):
    credence("sample", run.warehouse.root, "--labels", 40)
    label_all(run, choose_frame(run.warehouse, None), ROWS)
    credence("anchor", run.warehouse.root, "--chart", tmp_path / "c.svg")
    assert "with labels" in (tmp_path / "c.svg").read_text(encoding="utf-8")
    assert "a chart is a file .png or .svg" in credence("anchor", run.warehouse.root, "--chart", "c.pdf", code=1)
