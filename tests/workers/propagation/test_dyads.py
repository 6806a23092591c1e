"""A query with targets, from articles to counts, explanations and the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.jobs.explain import explain
from flows.jobs.requests import ExplainRequest
from flows.report.content import page_data, read_content
from flows.report.reasons import chain_sentence
from tests.dyad_warehouse import dyad_run
from workers.event_samples import row_words
from workers.explanations import RunSettings
from workers.runs import open_run
from workers.storage import Warehouse

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dyad_run(tmp_path_factory.mktemp("dyads"))


def test_counts_have_a_row_per_agent_and_target(run_root: Path) -> None:
    counts = open_run(Warehouse.open(run_root)).counts()
    mean = dict(zip(row_words(counts), counts["mean"].to_pylist(), strict=True))
    assert mean["->KWT"] == mean["-"] == 1
    assert min(mean["IRN>IRQ"], mean["IRQ>-"], mean["IRN"]) > 0.9
    assert mean["IRQ"] >= mean["IRQ>IRN"] > 0.3
    assert counts.schema.names.index("target") == counts.schema.names.index("country") + 1


def test_the_command_shows_a_pair_both_ways(run_root: Path) -> None:
    told = CliRunner().invoke(app, ["counts", str(run_root), "--country", "Iraq", "--target", "IRN", "--json"])
    assert told.exit_code == 0, told.output
    answer = json.loads(told.output)
    assert [(row["country"], row["target"]) for row in answer["counts"]] == [("IRQ", "IRN")]
    (compared,) = answer["comparison"]
    assert compared["p_above"] + compared["p_equal"] + compared["p_below"] == pytest.approx(1)


def test_a_target_that_the_query_lacks_is_refused(run_root: Path) -> None:
    told = CliRunner().invoke(app, ["counts", str(run_root), "--target", "Atlantis"])
    assert told.exit_code != 0
    assert "target 'Atlantis' is none of the" in " ".join(told.output.split())


def test_the_explanation_leads_over_the_possessor(run_root: Path) -> None:
    report = explain(ExplainRequest(warehouse=str(run_root), doc_id="a"))
    found = {one.country: one for one in report.explained.countries}
    assert found["IRQ>IRN"].p == pytest.approx(sum(chain.share for chain in found["IRQ>IRN"].chains))
    assert len(found["IRQ>IRN"].chains[0].mentions) >= 2
    sentence = chain_sentence(report.explained, found["IRQ>IRN"], found["IRQ>IRN"].chains[0], report.names)
    assert sentence.endswith("which names Iraq, and the target is Iran")


def test_who_is_not_named_is_told_so(run_root: Path) -> None:
    report = explain(ExplainRequest(warehouse=str(run_root), doc_id="c"))
    (one,) = [one for one in report.explained.countries if one.country == "->KWT"]
    sentence = chain_sentence(report.explained, one, one.chains[0], report.names)
    assert sentence == "the text names no agent of the event, and the target is Kuwait"


def test_the_report_begins_with_a_pair_both_ways(run_root: Path) -> None:
    run = open_run(Warehouse.open(run_root))
    data = page_data(read_content(run, RunSettings.of(run)), "w")
    assert sorted(data["start"]) == ["IRN>IRQ", "IRQ>IRN"]
    assert {country["code"]: country["name"] for country in data["countries"]}["IRN>IRQ"] == "Iran → Iraq"
    assert dict(data["tiles"])["countries"] == 3  # Iraq, Iran, and nobody named
