import json
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner, Result

from flows.cli import app
from flows.report.finding import find_annotation
from tests.report_warehouse import HOSTILE, TEXTS, small_run
from workers.explanations import RunSettings, explain_document
from workers.runs import Run
from workers.schemas import COUNTS, QUARANTINE
from workers.storage import Warehouse

pytestmark = pytest.mark.slow


def credence(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def one_sentence(result: Result) -> str:
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    text = result.stderr.strip()
    assert text.startswith("credence ")
    assert "\n" not in text
    return text


def test_explained_probability_is_that_of_the_table(run: Run) -> None:
    settings = RunSettings.of(run)
    table = {}
    for _, rows in run.event_samples():
        table |= {(row["doc_id"], row["country"]): (row["p"], row["map"]) for row in rows.to_pylist()}
    assert table
    found = {}
    for doc_id in {doc_id for doc_id, _ in table}:
        for one in explain_document(find_annotation(run, settings, doc_id), settings).countries:
            found[doc_id, one.country] = (one.p, one.best)
            assert sum(chain.share for chain in one.chains) == pytest.approx(one.p)
    assert found == table


def test_mister_hussein_counts_by_the_president_of_iraq(run: Run) -> None:
    """The paper's example: the agent names no country; the link to an earlier mention brings it."""
    result = credence("explain", run.warehouse.root, "hussein")
    assert result.exit_code == 0, result.output
    text = " ".join(result.output.split())
    assert "the agent “Mr. Hussein”, which is “President Saddam Hussein of Iraq”, which names Iraq" in text
    assert "no agent is the same entity as a mention of Iraq" in text
    assert "What is “Mr. Hussein”?" in text
    assert "something not mentioned before" in text
    assert "attack (said to" in text


def test_explanation_as_a_page_shows_hostile_text_as_text(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "new" / "e.html"
    result = credence("explain", run.warehouse.root, "hostile/<b>&", "--html", str(page))
    assert result.exit_code == 0, result.output
    content = page.read_text()
    assert "<script" not in content
    assert "<img" not in content
    assert "&lt;script&gt;" in content
    assert "default-src 'none'; script-src 'none'" in content
    assert "Iranian troops" in HOSTILE


def test_document_that_cannot_count_says_which_word_is_missing(run: Run) -> None:
    assert "none of the query's verb forms (attack, attacked" in one_sentence(
        credence("explain", run.warehouse.root, "no-verb")
    )
    assert "names no country" in one_sentence(credence("explain", run.warehouse.root, "no-country"))


def test_document_past_the_gate_without_agent_says_so(run: Run) -> None:
    result = credence("explain", run.warehouse.root, "no-agent")
    assert result.exit_code == 0
    assert "counts for no country" in result.output


def test_unknown_document_suggests_near_ones(run: Run) -> None:
    assert "near ones are hussein" in one_sentence(credence("explain", run.warehouse.root, "husein"))


def test_unknown_country_suggests_near_ones(run: Run) -> None:
    assert "near ones are IRQ" in one_sentence(credence("uncertain", run.warehouse.root, "--country", "IRQQ"))
    assert "'Narnia'" in one_sentence(credence("report", run.warehouse.root, "--country", "Narnia"))


def test_uncertain_lists_nearest_first_as_table_and_json(run: Run) -> None:
    result = credence("uncertain", run.warehouse.root, "--near", "0.5", "--json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    distances = [abs(row["p"] - 0.5) for row in rows]
    assert distances == sorted(distances)
    assert {row["doc_id"] for row in rows} <= set(TEXTS)
    only = credence("uncertain", run.warehouse.root, "--country", "iran", "--json").stdout.splitlines()
    assert only
    assert {json.loads(line)["country"] for line in only} == {"IRN"}
    assert "probability" in credence("uncertain", run.warehouse.root, "--limit", "2").stdout


def test_report_and_figures_are_written_with_captions(run: Run, tmp_path: Path) -> None:
    page, figures = tmp_path / "r" / "report.html", tmp_path / "figures"
    result = credence("report", run.warehouse.root, "--out", str(page), "--figures", str(figures), "--country", "IRN")
    assert result.exit_code == 0, result.output
    assert page.stat().st_size > 900_000
    names = {path.name for path in figures.iterdir()}
    assert {"counts.svg", "counts.png", "counts.txt", "comparison.svg", "comparison.txt"} <= names
    caption = (figures / "counts.txt").read_text()
    assert "posterior mean" in caption
    assert "100 times" in caption
    assert run.run_id in caption
    assert (figures / "counts.svg").read_text().startswith("<svg")


def test_same_run_same_page(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        credence("report", run.warehouse.root, "--out", str(tmp_path / name))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("command", [["report"], ["explain"], ["uncertain"]])
def test_no_warehouse_an_empty_one_and_a_newer_one_are_sentences(command: list[str], run: Run, tmp_path: Path) -> None:
    more = ["x"] if command == ["explain"] else []
    assert "no such warehouse" in one_sentence(credence(*command, str(tmp_path / "nowhere"), *more))
    (tmp_path / "empty").mkdir()
    assert "holds no run yet" in one_sentence(credence(*command, str(tmp_path / "empty"), *more))
    later = Warehouse.open(tmp_path / "later")
    later.write_json("runs/r/manifest.json", {**run.manifest, "version": 99})
    later.point_latest("runs/r")
    assert "version 1; got 99; upgrade credence" in one_sentence(credence(*command, str(tmp_path / "later"), *more))


def test_table_of_a_newer_schema_is_a_sentence(tmp_path: Path) -> None:
    run = small_run(tmp_path / "w", n_samples=20)
    metadata = {**QUARANTINE.metadata, b"credence.version": b"99"}
    table = pa.Table.from_pylist([], schema=QUARANTINE.with_metadata(metadata))
    run.warehouse.write_table(f"{run.folder}/quarantine.parquet", table)
    assert "upgrade credence; got 99" in one_sentence(
        credence("report", run.warehouse.root, "--out", str(tmp_path / "r"))
    )
    assert COUNTS.metadata[b"credence.version"] == b"1"


def test_output_that_is_a_folder_is_refused(run: Run, tmp_path: Path) -> None:
    assert "is a folder" in one_sentence(credence("report", run.warehouse.root, "--out", str(tmp_path)))
