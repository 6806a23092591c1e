"""The measurement report: what a reviewer looks for is there, and text stays text."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.jobs.anchor import anchor
from flows.jobs.methods import methods
from flows.jobs.requests import AnchorRequest, MethodsRequest, SampleRequest
from flows.jobs.sample import sample
from flows.report.methods import Section, Table
from flows.report.methods_page import methods_html, methods_markdown
from tests.anchored_warehouse import articles, label_all, published_run
from workers.labelling import Label, append_labels, read_frame
from workers.storage import StorageError

HEADINGS = [
    "Corpus", "Question and codebook", "Models", "Calibration", "Labels", "Counts and coverage", "Limits", "Citation",
    "Code and data",
]  # fmt: skip


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    rows = articles(240)
    run = published_run(tmp_path / "w", rows)
    drawn = sample(SampleRequest(warehouse=str(tmp_path / "w"), labels=80))
    frame = read_frame(run.warehouse, drawn.frame_id)
    label_all(run, frame, rows)
    second = frame.drawn["doc_id"].to_pylist()[:10]
    append_labels(run.warehouse, frame, [
        Label(frame_id=frame.frame_id, doc_id=doc_id, coder="bob", answer="none", time="t") for doc_id in second
    ])  # fmt: skip
    anchor(AnchorRequest(warehouse=str(tmp_path / "w")))
    return tmp_path / "w"


def report_of(warehouse: Path, out: Path) -> str:
    markdown, page = methods(MethodsRequest(warehouse=str(warehouse), out=out / "methods.md"))
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    return markdown.read_text(encoding="utf-8")


def test_everything_that_reviewers_ask_for_is_stated(labelled: Path, tmp_path: Path) -> None:
    text = report_of(labelled, tmp_path)
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == HEADINGS
    assert "240 articles, 1987Q1 to 1987Q4." in text
    assert "Sources: t 240." in text
    assert "attack" in text.split("## Models")[0]
    assert "64 readings of every article were sampled (seed 0)" in text
    assert "10 articles were read by two coders or more" in text
    assert "Krippendorff's alpha" in text
    assert "| probability 0.1 to 0.5 |" in text
    assert "| code Iraq |" in text
    assert "All countries and quarters: the models alone expect" in text
    assert "byte for byte" in text


def test_strata_add_up_to_what_was_read(labelled: Path, tmp_path: Path) -> None:
    lines = [
        line for line in report_of(labelled, tmp_path).splitlines() if line.startswith(("| gate", "| warm", "| cold"))
    ]
    table = [[int(cell.replace(",", "")) for cell in line.split("|")[2:6]] for line in lines]
    articles_, drawn, read, told = map(sum, zip(*table, strict=True))
    assert (articles_, drawn) == (240, read)
    assert 0 < told < read


def test_without_labels_it_says_that_nothing_is_validated(tmp_path: Path) -> None:
    published_run(tmp_path / "w", articles(40))
    text = report_of(tmp_path / "w", tmp_path)
    assert "nothing here is validated against human judgement" in text
    assert "They do not cover what the models get wrong in other ways" in text


def test_text_is_text_on_both_pages() -> None:
    hostile = "<script>x</script> | *a* `b`"
    sections = [Section("H", [hostile, [hostile], Table([hostile], [[hostile]])])]
    page, markdown = methods_html(hostile, sections), methods_markdown(hostile, sections)
    assert "<script" not in page
    assert "<script" not in markdown
    assert markdown.splitlines()[-1].count("|") - markdown.splitlines()[-1].count("\\|") == 2
    HTMLParser().feed(page)


def test_the_command_writes_both_files(labelled: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["methods", str(labelled), "--out", str(tmp_path / "m.md")])
    assert result.exit_code == 0, result.output
    assert "m.html: written" in result.output
    wrong = CliRunner().invoke(app, ["methods", str(labelled), "--out", str(tmp_path / "m.txt")])
    assert (wrong.exit_code, "must end with .md" in wrong.output) == (1, True)
    with pytest.raises(StorageError):
        methods(MethodsRequest(warehouse=str(tmp_path / "none")))
