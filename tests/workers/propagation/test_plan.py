import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.ingest import Chunk
from workers.propagation.plan import BATCH_CHARACTERS, BATCH_DOCUMENTS, LIVES, Plan, Task, batched
from workers.propagation.settings import PropagationError
from workers.propagation.stages import Gated

CHUNK = Chunk("archive/quarter=1987Q1/abc.parquet", "1987Q1", 100, 1000)


def test_chunk_without_missing_documents_is_sampled_at_once() -> None:
    assert Plan().gated(CHUNK, Gated(100, 3, ())) == [Task("sample", CHUNK)]


def test_chunk_is_sampled_after_its_last_batch() -> None:
    plan = Plan()
    tasks = plan.gated(CHUNK, Gated(100, 40, tuple((place, 10) for place in range(40))))
    assert [len(task.places) for task in tasks] == [16, 16, 8]
    assert plan.annotated(CHUNK) == plan.annotated(CHUNK) == []
    assert plan.annotated(CHUNK) == [Task("sample", CHUNK)]


@given(st.lists(st.integers(1, 2 * BATCH_CHARACTERS), max_size=80))
def test_batches_hold_every_document_once_within_bounds(sizes: list[int]) -> None:
    batches = batched(enumerate(sizes))
    assert [place for batch in batches for place in batch] == list(range(len(sizes)))
    for batch in batches:
        assert len(batch) <= BATCH_DOCUMENTS
        assert len(batch) == 1 or sum(sizes[place] for place in batch) <= BATCH_CHARACTERS


@given(st.integers(1, BATCH_DOCUMENTS), st.data())
def test_deadly_documents_are_isolated_and_all_others_annotated(n: int, data: st.DataObject) -> None:
    deadly = data.draw(st.sets(st.integers(0, n - 1)))
    plan, annotated, given_up = Plan(), set(), set()
    queue = plan.gated(CHUNK, Gated(n, n, tuple((place, 1) for place in range(n))))
    sampled = False
    while queue:
        task = queue.pop()
        if task.stage == "sample":
            sampled = True
        elif task.stage == "annotate" and deadly & set(task.places):
            queue += plan.died(task)
        else:
            (given_up if task.stage == "give_up" else annotated).update(task.places)
            queue += plan.annotated(CHUNK)
    assert sampled
    assert given_up == deadly
    assert annotated == set(range(n)) - deadly


def test_chunk_whose_gate_kills_every_worker_ends_the_run() -> None:
    plan, task = Plan(), Task("gate", CHUNK)
    for _ in range(LIVES - 1):
        (task,) = plan.died(task)
    with pytest.raises(PropagationError, match=r"abc\.parquet: 2 workers died in stage gate; give workers more memory"):
        plan.died(task)
