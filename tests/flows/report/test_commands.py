import json
from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner, Result

from flows.cli import app
from flows.report.finding import find_annotation
from flows.report.periods import covered_months
from tests.report_warehouse import HOSTILE, TEXTS, small_run
from workers.explanations import RunSettings, explain_document
from workers.ingest import IngestConfig, ingest
from workers.runs import Run
from workers.schemas import ARCHIVE, QUARANTINE
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
    assert "has no run yet" in one_sentence(credence(*command, str(tmp_path / "empty"), *more))
    later = Warehouse.open(tmp_path / "later")
    later.write_json("runs/r/manifest.json", {**run.manifest, "version": 99})
    later.point_latest("runs/r")
    assert "version 1; got 99; upgrade credence" in one_sentence(credence(*command, str(tmp_path / "later"), *more))


def test_failed_and_excluded_documents_and_newer_tables_are_sentences(tmp_path: Path) -> None:
    run = small_run(tmp_path / "w", n_samples=20, since=date(1990, 8, 1))
    root, path = run.warehouse.root, run.folder.quarantine
    assert "1990-07-03, outside the run's days (1990-08-01 to" in one_sentence(credence("explain", root, "direct"))
    fault = {"stage": "annotate", "doc_id": "no-agent", "rule": "r", "value": "v", "error": "the parser gave up"}
    run.warehouse.write_table(path, pa.Table.from_pylist([fault], schema=QUARANTINE))
    assert "failed in the stage annotate: the parser gave up" in one_sentence(credence("explain", root, "no-agent"))
    newer = QUARANTINE.with_metadata({**QUARANTINE.metadata, b"credence.version": b"99"})
    run.warehouse.write_table(path, pa.Table.from_pylist([], schema=newer))
    assert "upgrade credence; got 99" in one_sentence(credence("report", root, "--out", str(tmp_path / "r")))


def test_country_without_any_article_is_told(run: Run, tmp_path: Path) -> None:
    result = credence("report", run.warehouse.root, "--out", str(tmp_path / "r.html"), "--country", "NOR")
    assert result.exit_code == 0
    assert "NOR: no article has a positive probability" in result.output


def test_output_that_is_a_folder_is_refused(run: Run, tmp_path: Path) -> None:
    assert "is a folder" in one_sentence(credence("report", run.warehouse.root, "--out", str(tmp_path)))


def test_later_ingest_changes_nothing_that_an_earlier_run_is_said_to_cover(tmp_path: Path) -> None:
    run = small_run(tmp_path / "w", n_samples=20)
    months = covered_months(run)
    later = {"doc_id": "later", "published": "1990-09-20", "title": "", "text": "Wheat rose.", "source": ""}
    (tmp_path / "later.jsonl").write_text(json.dumps(later))
    ingest([str(tmp_path / "later.jsonl")], run.warehouse, IngestConfig())
    assert covered_months(run) == months
    assert "1990-09" not in months
    assert "joined the archive after this run" in one_sentence(credence("explain", run.warehouse.root, "later"))


def test_chunk_of_an_unfinished_ingest_is_not_searched(tmp_path: Path) -> None:
    run = small_run(tmp_path / "w", n_samples=20)
    row = {"doc_id": "stray", "published": date(1990, 9, 20), "title": "", "text": "Wheat rose.", "source": ""}
    table = pa.Table.from_pylist([row], schema=ARCHIVE)
    run.warehouse.write_table("archive/quarter=1990Q3/stray.parquet", table)
    assert "no document 'stray' in the archive" in one_sentence(credence("explain", run.warehouse.root, "stray"))
