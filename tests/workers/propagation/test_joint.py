"""Several queries in one run: one gate pass, one parse, and the bytes of a run for each."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from calib_core.events import Query
from tests.harness.headwords import HeadWords
from tests.harness.toy_parser import toy_parse
from tests.workers.propagation.running import run_stages
from workers.annotation_table import Annotation
from workers.ingest import Chunk, archive_chunks
from workers.layout import RunFolder
from workers.propagation.joint import JointStages
from workers.propagation.plan import Plan, Task, batched
from workers.propagation.publishing import publish_run, publish_runs
from workers.propagation.settings import Settings
from workers.propagation.stages import Stages
from workers.propagation.together import runs_together
from workers.pruning import prune
from workers.runs import open_run, run_ids
from workers.schemas import ARCHIVE
from workers.storage import StorageError, Warehouse

QUESTIONS = [Settings(Query.from_yaml(name), n_samples=20) for name in ("attack", "violence-dyads", "attack-strict")]
ARTICLES = [
    {"doc_id": "a", "published": "1987-02-01", "text": "Iraq attacked Iran. They attacked again."},
    {"doc_id": "b", "published": "1987-02-02", "text": "Iran shelled Basra. Iraq protested."},
    {"doc_id": "c", "published": "1987-05-03", "text": "The shares of banks fell in London."},
    {"doc_id": "d", "published": "1987-05-04", "text": "U.S. forces attacked a ship. Libya attacked Chad."},
]


class ToyAnnotator:
    """Remembers what it annotated."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def annotate(self, doc_id: str, published: date, title: str, text: str) -> Annotation:
        """By models that take no time."""
        self.parsed.append(doc_id)
        document = toy_parse(doc_id, text)
        linked = HeadWords(pronoun=0.5).link(document)
        return Annotation(published, title, text, document, linked.mentions, linked.kinds, linked.antecedents)


@pytest.fixture(autouse=True)
def annotator(monkeypatch: pytest.MonkeyPatch) -> ToyAnnotator:
    toy = ToyAnnotator()
    monkeypatch.setattr("workers.propagation.stages.loaded_annotator", lambda _: toy)
    return toy


def run_together(root: Path, questions: list[Settings] = QUESTIONS) -> list[str]:
    """All stages and the publishing of several runs, without a cluster; return the ids of the runs."""
    warehouse = Warehouse.open(root)
    stages, chunks = JointStages.of(warehouse, questions), list(archive_chunks(warehouse))
    for chunk in chunks:
        for places in batched(stages.gate(chunk).missing):
            stages.annotate(chunk, places)
        while stages.sample(chunk).left:
            pass
    outcomes = [
        stages.outcome(number, tuple(one.samples_path(chunk) for chunk in chunks))
        for number, one in enumerate(questions)
    ]
    return [report.run_id for report in publish_runs(warehouse, questions, chunks, outcomes, created="2026-01-01")]


def run_alone(root: Path, settings: Settings) -> str:
    warehouse = Warehouse.open(root)
    outcome = run_stages(root, settings)
    return publish_run(warehouse, settings, list(archive_chunks(warehouse)), outcome, created="2025-12-31").run_id


def files(root: Path, run_id: str) -> dict[str, bytes]:
    folder = root / RunFolder.of(run_id).path
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_each_run_has_the_bytes_of_a_run_by_itself(make_archive: Callable[..., Path]) -> None:
    together, alone = make_archive("together", ARTICLES, chunk_docs=1), make_archive("alone", ARTICLES, chunk_docs=1)
    ids = run_together(together)
    assert [run_alone(alone, settings) for settings in QUESTIONS] == ids
    for run_id in ids:
        ours, theirs = files(together, run_id), files(alone, run_id)
        manifests = [json.loads(found.pop("manifest.json")) for found in (ours, theirs)]
        assert ours == theirs
        assert {**manifests[0], "created": ""} == {**manifests[1], "created": ""}
    assert open_run(Warehouse.open(together), ids[1]).counts().num_rows > 2


def test_articles_are_read_by_one_gate_pass_and_parsed_once(
    make_archive: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, annotator: ToyAnnotator
) -> None:
    read = []
    original = Warehouse.read_batches

    def read_batches(self: Warehouse, name: str, schema: Any, **options: Any) -> Any:
        if schema is ARCHIVE:
            read.append(name)
        return original(self, name, schema, **options)

    root = make_archive("w", ARTICLES)
    monkeypatch.setattr(Warehouse, "read_batches", read_batches)
    stages, chunks = JointStages.of(Warehouse.open(root), QUESTIONS), list(archive_chunks(Warehouse.open(root)))
    for chunk in chunks:
        stages.gate(chunk)
    assert sorted(read) == sorted(chunk.path for chunk in chunks)
    run_together(root)
    assert sorted(annotator.parsed) == ["a", "b", "d"]


def test_latest_is_the_first_and_knows_the_others(make_archive: Callable[..., Path]) -> None:
    root = make_archive("w", ARTICLES)
    warehouse = Warehouse.open(root)
    assert runs_together(warehouse) == []
    ids = run_together(root)
    assert warehouse.latest() == RunFolder.of(ids[0]).path
    assert runs_together(warehouse) == ids
    run_alone(root, QUESTIONS[1])
    assert runs_together(warehouse) == [ids[1]]


def test_a_run_is_opened_by_the_name_of_its_query(make_archive: Callable[..., Path]) -> None:
    root = make_archive("w", ARTICLES)
    ids = run_together(root)
    warehouse = Warehouse.open(root)
    assert [open_run(warehouse, settings.query.name).run_id for settings in QUESTIONS] == ids
    with pytest.raises(StorageError, match=r"known are these, by id or query: .*violence-dyads"):
        open_run(warehouse, "visit")


def test_pruning_keeps_the_runs_that_go_with_the_latest(make_archive: Callable[..., Path]) -> None:
    root = make_archive("w", ARTICLES)
    older = run_alone(root, Settings(Query.from_yaml("visit"), n_samples=20))
    ids = run_together(root)
    prune(Warehouse.open(root), keep=1)
    assert sorted(run_ids(Warehouse.open(root))) == sorted(ids)
    assert older not in ids


def test_runs_that_differ_in_more_than_the_query_do_not_go_together(tmp_path: Path) -> None:
    others = [QUESTIONS[0], Settings(QUESTIONS[1].query, n_samples=30)]
    with pytest.raises(ValueError, match="must differ in the query only"):
        JointStages.of(Warehouse.open(tmp_path), others)


def followers(plan: Plan, stages: JointStages, task: Task) -> list[Task]:
    """Do one task as a worker would, and say what follows."""
    if task.stage == "gate":
        return plan.gated(task.chunk, stages.gate(task.chunk))
    if task.stage == "sample":
        return plan.sampled_once(task.chunk) if stages.sample(task.chunk).left else plan.sampled(task.chunk)
    if task.stage == "annotate":
        stages.annotate(task.chunk, task.places)
    elif task.hopeless:
        stages.give_up_sampling(task.chunk, task.places, "died")
    else:
        stages.try_sampling(task.chunk, task.places)
    return plan.passed(task)


def test_a_document_that_one_run_cannot_sample_counts_in_the_others(
    make_archive: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker dies of one document with the second query; the plan gives it up there alone."""
    root = make_archive("w", ARTICLES)
    warehouse = Warehouse.open(root)
    stages, chunk = JointStages.of(warehouse, QUESTIONS[:2]), archive_chunks(warehouse)[0]
    deadly, original = "b", Stages._sampled

    def sampled(self: Stages, chunk: Chunk, possible: set[str], wanted: set[str]) -> Any:
        if self.settings.query.name == "violence-dyads" and deadly in wanted:
            raise KeyboardInterrupt  # stands for the death of the worker
        return original(self, chunk, possible, wanted)

    monkeypatch.setattr(Stages, "_sampled", sampled)
    plan, tasks = Plan(), [Task("gate", chunk)]
    while tasks:
        task = tasks.pop(0)
        try:
            tasks += followers(plan, stages, task)
        except KeyboardInterrupt:
            tasks += plan.died(task)
    paths = [settings.samples_path(chunk) for settings in QUESTIONS[:2]]
    found = [stages.outcome(number, (path,)).faults for number, path in enumerate(paths)]
    assert [[fault.doc_id for fault in faults] for faults in found] == [[], [deadly]]
