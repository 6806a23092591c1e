"""A query with targets, from articles to counts, explanations and the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from calib_core.events import Query
from flows.cli import app
from flows.jobs.explain import explain
from flows.jobs.requests import ExplainRequest
from tests.workers.propagation.running import run_stages
from workers.event_samples import row_words
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.propagation.publishing import publish_run
from workers.propagation.settings import Settings
from workers.runs import open_run
from workers.storage import Warehouse

pytestmark = pytest.mark.slow

DYADS = Settings(Query.from_yaml("attack-dyads"), n_samples=40)
TEXTS = {
    "a": "Iraq said its warplanes attacked Iran on Sunday.",
    "b": "Iran launched an attack on Iraq. The Iraqi army attacked a village.",
    "c": "Kuwait was attacked at dawn.",
    "d": "Iraq protested.",
}


@pytest.fixture(scope="module")
def run_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dyads")
    articles = [{"doc_id": k, "published": "1987-02-01", "title": "", "text": text} for k, text in TEXTS.items()]
    (folder / "news.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in articles))
    root = folder / "w"
    warehouse = Warehouse.open(root)
    ingest([str(folder / "news.jsonl")], warehouse, IngestConfig())
    outcome = run_stages(root, DYADS)
    publish_run(warehouse, DYADS, list(archive_chunks(warehouse)), outcome, created="2026-01-01T00:00:00")
    return root


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
    explained = explain(ExplainRequest(warehouse=str(run_root), doc_id="a")).explained
    found = {one.country: one for one in explained.countries}
    assert found["IRQ>IRN"].p == pytest.approx(sum(chain.share for chain in found["IRQ>IRN"].chains))
    assert len(found["IRQ>IRN"].chains[0].mentions) >= 2
