import json
from base64 import b64decode
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calib_core.events import Query, compare
from flows.report.articles import select
from flows.report.calibration import history, measured_elsewhere, read_calibrations, shown_calibration
from flows.report.content import page_data, read_content
from flows.report.figures import write_figures
from flows.report.names import country_names
from flows.report.page import report_page
from flows.report.rows import EventRows
from tests.report_warehouse import HOSTILE_TITLE, add_calibration, large_run, small_run, staged_run
from workers.calibration.shipped_figures import Measurement
from workers.explanations import RunSettings
from workers.runs import Run
from workers.storage import Warehouse

pytestmark = pytest.mark.slow


def test_quarters_summed_from_bits_are_the_published_counts(run: Run) -> None:
    counts = read_content(run, RunSettings.of(run)).counts["quarter"]
    table = run.counts()
    assert list(zip(table["quarter"].to_pylist(), table["country"].to_pylist(), strict=True)) == list(counts.cells)
    for name in ("mean", "sd", "lo", "hi", "q025", "q975", "map_count"):
        assert table[name].to_pylist() == getattr(counts, name).tolist(), name
    assert table["samples"].to_pylist() == counts.samples.tolist()


def test_entities_are_summed_as_published_too(tmp_path: Path) -> None:
    query = replace(Query.from_yaml("attack"), unit="entities")
    run = small_run(tmp_path / "w", query=query)
    counts = read_content(run, RunSettings.of(run)).counts["quarter"]
    assert run.counts()["samples"].to_pylist() == counts.samples.tolist()
    assert run.counts()["map_count"].to_pylist() == counts.map_count.tolist()


def test_run_in_which_nothing_counts_has_a_page_all_the_same(tmp_path: Path) -> None:
    articles = [{"doc_id": "a", "published": "1990-01-01", "title": "", "text": "Rain in Oslo.", "source": ""}]
    run = staged_run(tmp_path / "w", articles)
    data = page_data(read_content(run, RunSettings.of(run)), "w")
    assert (data["countries"], data["start"], data["articles"]) == ([], [], [])
    assert data["axes"]["quarter"]["keys"] == ("1990Q1",)
    assert len(report_page([data], generator="test")) > 100_000


def test_months_add_up_to_quarters_and_quarters_to_years(run: Run) -> None:
    counts = read_content(run, RunSettings.of(run)).counts
    totals = [part.samples.sum(axis=0).tolist() for part in counts.values()]
    assert totals[0] == totals[1] == totals[2]
    assert {key for key, _ in counts["month"].cells} >= {"1990-07", "1990-08", "1991-01"}


def test_page_data_is_json_and_holds_samples_that_compare_as_the_library_does(run: Run) -> None:
    content = read_content(run, RunSettings.of(run))
    data = page_data(content, "w")
    json.dumps(data, allow_nan=False)
    block, codes = data["series"]["quarter"], [country["code"] for country in data["countries"]]
    packed = np.frombuffer(b64decode(block["samples"]), dtype=np.uint8)
    samples = packed.reshape(len(block["period"]), data["series"]["samples"])
    keys = [data["axes"]["quarter"]["keys"][period] for period in block["period"]]
    rows = {(key, codes[c]): samples[row] for row, (key, c) in enumerate(zip(keys, block["country"], strict=True))}
    found = compare(content.counts["quarter"], ("1990Q3", "IRQ"), ("1990Q3", "IRN"))
    assert float((rows["1990Q3", "IRQ"] > rows["1990Q3", "IRN"]).mean()) == found.p_greater
    assert data["left_out"] == []


def test_hostile_title_is_data_and_only_data(run: Run) -> None:
    data = page_data(read_content(run, RunSettings.of(run)), "w")
    assert HOSTILE_TITLE in [article[2] for article in data["articles"]]
    page = report_page([data | {"name": "<attack>"}], generator="test")
    assert 'document.title = "hacked"' not in page  # quotes are escaped inside JSON
    assert "<script>document.title" not in page
    assert page.count("<script") == page.count("</script>") == 4
    assert "<attack>" not in page


def test_uncertain_articles_come_first_then_every_country_and_quarter_in_turn(run: Run) -> None:
    rows = read_content(run, RunSettings.of(run)).rows
    chosen = select(rows, ["IRQ", "IRN", "TUR", "USA"], max_texts=2)
    assert abs(rows.p[chosen.rows[0]] - 0.5) == min(abs(rows.p - 0.5))
    assert len(chosen.with_text) == 2
    assert len(set(chosen.rows.tolist())) == len(chosen.rows)


def test_country_that_is_not_shown_has_no_articles_either() -> None:
    rows = EventRows(
        ["a", "b"], [date(1990, 1, 1)] * 2, ["IRQ", "IRN"], np.array([1.0, 0.5]), np.ones(2, bool), ["c"] * 2
    )
    assert select(rows, ["IRQ"], max_texts=5).with_text == ("a",)


def test_large_warehouse_gives_a_page_under_15_megabytes_that_says_what_it_left_out(
    run: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    large = large_run(tmp_path_factory.mktemp("large"), run, quarters=80, countries=40, per_cell=5, n_samples=200)
    add_calibration(large.warehouse, "c1", created="2026-01-01")
    data = page_data(read_content(large, RunSettings.of(large)), "w", max_texts=60)
    page = report_page([data], generator="test")
    assert len(page.encode()) < 15_000_000
    assert len(data["axes"]["quarter"]["keys"]) == 80
    assert len(data["countries"]) == 40
    assert data["calibration"]["id"] == "c1"
    assert not data["calibration"]["used"]
    assert any("rows of articles" in sentence for sentence in data["left_out"])
    assert any("text of" in sentence for sentence in data["left_out"])


def test_names_of_countries_are_those_of_the_lexicon(run: Run) -> None:
    assert country_names(run.query().lexicon)["IRQ"] == "Iraq"


def test_calibrations_are_read_with_the_latest_last_and_drawn(run: Run, tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path)
    for seed, name in enumerate(("c1", "c2")):
        add_calibration(warehouse, name, created=f"2026-01-0{seed + 1}", seed=seed)
    found = read_calibrations(warehouse)
    assert [one.id for one in found] == ["c1", "c2"]
    assert shown_calibration(run, found) == (found[1], False)
    assert [row["order"] for row in history(found)] == [0, 1]
    content = replace(read_content(run, RunSettings.of(run)), run=replace(run, warehouse=warehouse))
    names = {path.name for path in write_figures(content, tmp_path / "figures")}
    assert {"reliability.svg", "reliability.png", "reliability.txt"} <= names
    assert "perfect calibration" in (tmp_path / "figures" / "reliability.txt").read_text()


def measurement(**changes: Any) -> Measurement:
    place = {"mode": "raw_text", "query": "pairs", "slice": "all", "genre": "all", "recalibrated": "none"}
    values = {"calibration_error": 0.0104, "chance_error_95": 0.0099}
    metrics = [
        place | {"metric": name, "value": value, "lo": None, "hi": None, "n": 9} for name, value in values.items()
    ]
    events = place | {"query": "events", "lo": None, "hi": None, "n": 9}
    metrics += [events | {"metric": "expected_events_per_true", "value": 0.951}]
    metrics += [events | {"metric": "best_events_per_true", "value": 0.46}]
    held = {"level": "5 documents", "interval": "exact", "nominal": 0.95, "covered": 0.937, "expected": 0.955}
    coverage = [events | {"slice": "all events together"} | held]
    given = {"model_id": "another", "dataset": "Corpus", "split": "dev", "folds": 0, "documents": 30}
    return Measurement("c", "2026-01-01", **(given | changes), metrics=metrics, bins=[], coverage=coverage)


def test_warehouse_without_calibration_shows_what_was_measured_elsewhere(run: Run) -> None:
    model = run.manifest["annotator"]["coref"]["id"]
    shown = measured_elsewhere(run, [measurement(documents=177, folds=5), measurement(model_id=model)])
    assert shown is not None
    assert shown["elsewhere"][0].startswith("These models were measured elsewhere: on 30 annotated documents of Corpus")
    assert "which the models had not seen" in shown["elsewhere"][0]
    assert shown["plain"] == [
        ["Are two mentions the same entity?", "off by 0.010", "up to 0.010"],
        ["Events expected for each true one", "0.95; the 1-best: 0.46", "1.00"],
        ["95 % intervals of the events in 5 documents that held the truth", "94 %", "96 %"],
    ]


def test_figures_of_other_models_are_said_to_be_of_others(run: Run) -> None:
    shown = measured_elsewhere(run, [measurement(folds=5)])
    assert shown is not None
    assert "which are not those of this run" in shown["elsewhere"][0]
    assert "by cross-validation with 5 models" in shown["elsewhere"][0]
    assert measured_elsewhere(run, []) is None


def test_a_calibration_of_the_warehouse_comes_before_what_was_measured_elsewhere(tmp_path: Path) -> None:
    measured = small_run(tmp_path / "w")
    add_calibration(measured.warehouse, "c1", created="2026-01-01")
    data = page_data(read_content(measured, RunSettings.of(measured)), "w")
    assert data["calibration"]["elsewhere"] is None
    assert data["calibration"]["plain"][0][0] == "Are two mentions the same entity?"


def test_page_starts_with_two_countries_of_one_time(run: Run) -> None:
    content = read_content(run, RunSettings.of(run))
    first, second = page_data(content, "w")["start"]
    keys = [{key for key, code in content.counts["quarter"].cells if code == one} for one in (first, second)]
    assert first == content.countries[0].code
    assert keys[0] & keys[1]
    assert page_data(content, "w", first=["TUR"])["start"] == ["TUR"]
    assert page_data(content, "w", first=["NOR"])["start"] == [first, second]  # never counted: nothing to begin with


def test_page_shows_the_query_itself(run: Run) -> None:
    shown = page_data(read_content(run, RunSettings.of(run)), "w")["query"]
    assert "verbs: attack, attacked, attacking, attacks" in shown
    assert "roles: nsubj, obl:agent" in shown
