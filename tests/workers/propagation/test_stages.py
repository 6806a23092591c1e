"""The stages of a run, one after the other in this process."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calib_core.coref.recalibration.forms import Temperature
from calib_core.events import Query, document_bits, gate, mention_evidence, posterior_counts, tally
from calib_core.randomness import document_key
from tests.workers.propagation.running import ATTACK, run_stages
from workers.annotate import Annotator
from workers.annotation_table import read_annotations
from workers.ingest import archive_chunks
from workers.propagate import forget_failures
from workers.propagation.outcome import Outcome, Quarter
from workers.propagation.publishing import check_balance, counts_table, publish_run
from workers.propagation.sample_events import sample_events
from workers.propagation.settings import PropagationError
from workers.propagation.stages import Stages
from workers.propagation.tasks import StagesPlugin
from workers.runs import open_run
from workers.schemas import ANNOTATIONS, COUNTS, EVENT_SAMPLES
from workers.storage import StorageError, Warehouse

pytestmark = pytest.mark.slow


def test_counts_are_those_of_the_plain_calls(make_archive: Callable[..., Path], articles: list[dict[str, str]]) -> None:
    outcome = run_stages(make_archive("w", articles[:12]))
    annotator = Annotator(ATTACK.annotator)
    keys, countries, samples, best = [], [], [], []
    for entry in articles[:12]:
        if not gate(entry["text"], ATTACK.query):
            continue
        day = date.fromisoformat(entry["published"])
        found = annotator.annotate(entry["doc_id"], day, "", entry["text"])
        evidence = mention_evidence(found.document, found.mentions, ATTACK.query, year=day.year)
        linked = replace(found.antecedents, logits=found.antecedents.logits.astype(np.float32).astype(np.float64))
        bits = document_bits(evidence, linked, 40, key=document_key(0, entry["doc_id"])).positive()
        keys += [f"{day.year}Q{(day.month + 2) // 3}"] * len(bits)
        countries += bits.country
        samples.append(bits.entities)
        best.append(bits.best)
    expected = posterior_counts(tally(keys, countries, np.concatenate(samples), np.concatenate(best)))
    table = counts_table(outcome, ATTACK)
    assert list(zip(table["quarter"].to_pylist(), table["country"].to_pylist(), strict=True)) == list(expected.cells)
    assert table["samples"].to_pylist() == expected.samples.tolist()
    assert table["map_count"].to_pylist() == expected.map_count.tolist()
    assert any(0 < mean < 1 for mean in table["mean"].to_pylist())


def test_gated_and_ungated_runs_count_alike(
    make_archive: Callable[..., Path], articles: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    gated = run_stages(make_archive("gated", articles[:9]))
    monkeypatch.setattr("calib_core.events.gating.Gate.__call__", lambda *_: True)
    ungated = run_stages(make_archive("ungated", articles[:9]))
    assert ungated.total.possible == 9 > gated.total.possible
    same = [table.drop_columns(["n_possible"]) for table in (counts_table(o, ATTACK) for o in (gated, ungated))]
    assert same[0].equals(same[1])


def test_other_samples_seed_query_and_recalibration_annotate_nothing_again(
    make_archive: Callable[..., Path], articles: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_archive("w", articles[:6])
    first = run_stages(root)

    def refuse(*_: Any) -> None:
        raise AssertionError("annotated again")

    monkeypatch.setattr(Annotator, "annotate", refuse)
    changes = [
        {"seed": 3},
        {"n_samples": 9},
        {"recalibration": Temperature(3.0)},
        {"query": Query.from_yaml("attack-strict")},
    ]
    for change in changes:
        outcome = run_stages(root, replace(ATTACK, **change))
        assert outcome.total == first.total
    assert not Warehouse.open(root).names("ledger/parts")


def test_sampled_trees_and_the_best_tree_are_two_runs_over_the_same_annotations(
    make_archive: Callable[..., Path], articles: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_archive("w", articles[:12])
    best = run_stages(root)
    monkeypatch.setattr(Annotator, "annotate", lambda *_, **__: pytest.fail("annotated again"))
    sampled = run_stages(root, replace(ATTACK, syntax="samples"))
    assert sampled.total == best.total
    assert map_counts(sampled) == map_counts(best) != {}
    means = [counts_table(outcome, ATTACK)["mean"].to_pylist() for outcome in (sampled, best)]
    assert means[0] != means[1]


def map_counts(outcome: Outcome) -> dict[tuple[str, str], int]:
    found = zip(outcome.tally.cells, outcome.tally.best.tolist(), strict=True)
    return {cell: count for cell, count in found if count}


def test_samples_of_an_article_do_not_depend_on_its_neighbours(
    make_archive: Callable[..., Path], articles: list[dict[str, str]]
) -> None:
    root = make_archive("w", articles[:12])
    run_stages(root)
    warehouse = Warehouse.open(root)
    tables = [warehouse.read_table(name, ANNOTATIONS) for name in warehouse.names("annotations", ".parquet")]
    found = [annotation for table in tables for annotation in read_annotations(table, trees=True)]
    options = {"n_samples": 40, "seed": 0, "recalibration": None, "syntax": "samples"}
    together, _ = sample_events(found, ATTACK.query, **options)
    alone = [row for one in reversed(found) for row in sample_events([one], ATTACK.query, **options)[0]]
    assert sorted(together, key=lambda row: (row.doc_id, row.country)) == sorted(
        alone, key=lambda row: (row.doc_id, row.country)
    )
    assert any(0 < row.p < 1 for row in together)


def test_wider_query_annotates_only_what_is_new(
    make_archive: Callable[..., Path], articles: list[dict[str, str]]
) -> None:
    visit = {**articles[0], "doc_id": "v", "text": "The president of Iraq visited Paris."}
    root = make_archive("w", [articles[0], articles[2], visit])
    run_stages(root)
    warehouse = Warehouse.open(root)
    (before,) = warehouse.names("annotations", ".parquet")
    rows = warehouse.read_table(before, ANNOTATIONS)
    outcome = run_stages(root, replace(ATTACK, query=Query.from_yaml("visit")))
    assert outcome.total == Quarter(3, 1, 0)
    after = warehouse.read_table(before, ANNOTATIONS)
    assert sorted(after["doc_id"].to_pylist()) == sorted([*rows["doc_id"].to_pylist(), "v"])


def test_days_choose_documents_inside_a_chunk(
    make_archive: Callable[..., Path], articles: list[dict[str, str]]
) -> None:
    root = make_archive("w", articles)
    chosen = replace(ATTACK, since=date(1987, 2, 1), until=date(1987, 4, 30))
    days = [date.fromisoformat(entry["published"]) for entry in articles]
    outcome = run_stages(root, chosen)
    assert outcome.total.documents == sum(date(1987, 2, 1) <= day <= date(1987, 4, 30) for day in days)
    assert set(outcome.quarters) == {"1987Q1", "1987Q2"}


def test_documents_that_fail_are_quarantined_and_tried_again_on_request(
    make_archive: Callable[..., Path], articles: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_archive("w", articles[:6])
    annotate = Annotator.annotate

    def fails_on_doc_3(self: Annotator, doc_id: str, *rest: Any, **more: Any) -> Any:
        if doc_id == "doc/3":
            raise ZeroDivisionError("no luck")
        return annotate(self, doc_id, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Annotator, "annotate", fails_on_doc_3)
        outcome = run_stages(root)
    (fault,) = outcome.faults
    assert (fault.doc_id, fault.stage, fault.value) == ("doc/3", "annotate", "ZeroDivisionError: no luck")
    assert outcome.total == Quarter(6, 4, 1)
    check_balance(ATTACK, archive_chunks(Warehouse.open(root)), outcome)
    assert run_stages(root).faults == outcome.faults
    assert run_stages(root, retry=True).total == Quarter(6, 4, 0)


def test_document_that_cannot_be_sampled_costs_itself_alone(
    make_archive: Callable[..., Path], articles: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_archive("w", articles[:6])
    whole = run_stages(root, replace(ATTACK, seed=1))
    module = "workers.propagation.sample_events"
    bits = __import__(module, fromlist=["batch_bits"]).batch_bits

    def fails(evidence: Any, antecedents: Any, n_samples: int, *, keys: list[int]) -> Any:
        if document_key(0, "doc/0") in keys:
            raise ValueError("bad arrays")
        return bits(evidence, antecedents, n_samples, keys=keys)

    monkeypatch.setattr(f"{module}.batch_bits", fails)
    outcome = run_stages(root)
    assert [(fault.doc_id, fault.stage) for fault in outcome.faults] == [("doc/0", "sample")]
    assert outcome.total.counted == whole.total.counted - 1


def test_document_given_up_before_sampling_is_left_out_until_it_is_tried_again(
    make_archive: Callable[..., Path], articles: list[dict[str, str]]
) -> None:
    root = make_archive("w", articles[:6])
    whole = run_stages(root, replace(ATTACK, seed=1))
    warehouse = Warehouse.open(root)
    stages, (chunk,) = Stages(warehouse, ATTACK), archive_chunks(warehouse)
    (first, _), *others = stages.gate(chunk).possible
    assert stages.try_sampling(chunk, tuple(place for place, _ in others)) == 0
    assert stages.give_up_sampling(chunk, (first,), "the worker died") == 1
    assert not warehouse.exists(ATTACK.samples_path(chunk))
    assert stages.sample(chunk).quarantined == 1
    outcome = stages.outcome((ATTACK.samples_path(chunk),))
    (fault,) = outcome.faults
    assert (fault.doc_id, fault.stage, fault.value, fault.file) == ("doc/0", "sample", "the worker died", chunk.path)
    check_balance(ATTACK, [chunk], outcome)
    assert outcome.total.counted == whole.total.counted - 1
    assert not warehouse.names(ATTACK.unsampled_folder(chunk))
    stages.give_up_sampling(chunk, (first,), "the worker died")
    forget_failures(warehouse, ATTACK, [chunk])
    assert not warehouse.names("ledger/samples")
    assert run_stages(root).total == whole.total


def test_published_run_can_be_read_and_a_second_one_is_the_same(
    make_archive: Callable[..., Path], articles: list[dict[str, str]]
) -> None:
    root = make_archive("w", articles[:9])
    warehouse, outcome = Warehouse.open(root), run_stages(make_archive("w", articles[:9]))
    chunks = archive_chunks(warehouse)
    report = publish_run(warehouse, ATTACK, chunks, outcome, created="2026-01-01T00:00:00+00:00")
    again = publish_run(warehouse, ATTACK, chunks, outcome, created="2027-01-01T00:00:00+00:00")
    assert (report.new, again.new, report.run_id) == (True, False, again.run_id)
    run = open_run(warehouse)
    assert run.counts().schema.names == COUNTS.names
    assert run.manifest["created"] == "2026-01-01T00:00:00+00:00"
    assert run.manifest["balance"] == {"documents": 9, "counted": 6, "gated_out": 3, "quarantined": 0}
    assert run.query().fingerprint == ATTACK.query.fingerprint
    rows = {(row["doc_id"], row["country"]): row for _, table in run.event_samples() for row in table.to_pylist()}
    chunk, doc_id = next((chunk, table["doc_id"][0].as_py()) for chunk, table in run.event_samples())
    annotation = run.annotation(chunk, doc_id)
    assert annotation is not None
    assert annotation.doc_id == doc_id
    means = {row["country"]: row["mean"] for row in run.counts().to_pylist() if row["quarter"] == "1987Q1"}
    for country, mean in means.items():
        assert mean == pytest.approx(sum(row["p"] for key, row in rows.items() if key[1] == country))


def test_run_that_does_not_balance_is_not_published(
    make_archive: Callable[..., Path], articles: list[dict[str, str]]
) -> None:
    root = make_archive("w", articles[:9])
    warehouse, outcome = Warehouse.open(root), run_stages(root)
    lost = Outcome({"1987Q1": Quarter(8, 6, 0)}, outcome.tally, ())
    with pytest.raises(PropagationError, match=r"not balance: of 1987Q1 the archive has 9 documents, but 6 were count"):
        publish_run(warehouse, ATTACK, archive_chunks(warehouse), lost, created="")
    assert warehouse.latest() is None
    assert not warehouse.names("runs")


def test_entities_are_counted_where_the_query_says_so(make_archive: Callable[..., Path], tmp_path: Path) -> None:
    query = tmp_path / "q.yaml"
    query.write_text("name: raids\nverbs: [attack, raid]\nunit: entities\n")
    text = "Iraqi troops attacked a post. An Iraqi pilot raided the harbour. Turkish ships attacked it too."
    root = make_archive("w", [{"doc_id": "a", "published": "1987-01-01", "text": text}])
    settings = replace(ATTACK, query=Query.from_yaml(query))
    table = counts_table(run_stages(root, settings), settings)
    found = dict(zip(table["country"].to_pylist(), table["mean"].to_pylist(), strict=True))
    assert table["unit"].to_pylist() == ["entities"] * len(table)
    assert found["IRQ"] > 1.5
    assert found["TUR"] == pytest.approx(1, abs=0.3)


def test_archive_without_any_possible_document_gives_empty_counts(make_archive: Callable[..., Path]) -> None:
    root = make_archive("w", [{"doc_id": "a", "published": "1987-01-01", "text": "Prices rose."}])
    warehouse, outcome = Warehouse.open(root), run_stages(root)
    report = publish_run(warehouse, ATTACK, archive_chunks(warehouse), outcome, created="")
    assert (report.rows, report.gated_out) == (0, 1)
    assert open_run(warehouse).counts().num_rows == 0


def test_damaged_annotations_are_named(make_archive: Callable[..., Path], articles: list[dict[str, str]]) -> None:
    root = make_archive("w", articles[:3])
    run_stages(root)
    warehouse = Warehouse.open(root)
    (name,) = warehouse.names("annotations", ".parquet")
    warehouse.write_batches(name, ANNOTATIONS, [ANNOTATIONS.empty_table()])
    stages = Stages(warehouse, replace(ATTACK, seed=5))
    (chunk,) = archive_chunks(warehouse)
    with pytest.raises(StorageError, match="has 0 rows for 0 of the 2 documents past the gate; delete it and run"):
        stages.sample(chunk)


def test_event_samples_say_what_became_of_their_chunk(
    make_archive: Callable[..., Path], articles: list[dict[str, str]]
) -> None:
    root = make_archive("w", articles[:3])
    run_stages(root)
    warehouse = Warehouse.open(root)
    (name,) = warehouse.names("ledger/samples", ".parquet")
    metadata = warehouse.read_metadata(name, EVENT_SAMPLES)
    assert json.loads(metadata[b"credence.outcome"])["documents"] == 3


def test_models_that_do_not_load_are_no_fault_of_the_documents(
    make_archive: Callable[..., Path], articles: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Any) -> None:
        raise OSError("weights are gone")

    monkeypatch.setattr("workers.propagation.stages.loaded_annotator", broken)
    root = make_archive("w", articles[:3])
    with pytest.raises(OSError, match="weights are gone"):
        run_stages(root)
    assert not Warehouse.open(root).names("ledger/parts")


def test_two_runs_on_one_cluster_do_not_take_each_other_s_settings(tmp_path: Path) -> None:
    stages = Stages(Warehouse.open(tmp_path), ATTACK)
    assert StagesPlugin(stages, "code").name != StagesPlugin(stages, "code").name
