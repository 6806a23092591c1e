import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.ingest import Chunk
from workers.propagation.plan import BATCH_CHARACTERS, BATCH_DOCUMENTS, LIVES, Plan, Task, batched
from workers.propagation.settings import PropagationError
from workers.propagation.stages import Gated

CHUNK = Chunk("archive/quarter=1987Q1/abc.parquet", "1987Q1", 100, 1000)


def places(n: int) -> tuple[tuple[int, int], ...]:
    """Place and size of some short documents."""
    return tuple((place, 1) for place in range(n))


def test_chunk_without_missing_documents_is_sampled_at_once() -> None:
    assert Plan().gated(CHUNK, Gated(100, places(3), ())) == [Task("sample", CHUNK)]


def test_chunk_is_sampled_after_its_last_batch() -> None:
    plan = Plan()
    tasks = plan.gated(CHUNK, Gated(100, places(40), places(40)))
    assert [len(task.places) for task in tasks] == [16, 16, 8]
    assert [plan.passed(task) for task in tasks] == [[], [], [Task("sample", CHUNK)]]
    assert plan.sampled(CHUNK) == []
    assert plan == Plan()


@given(st.lists(st.integers(1, 2 * BATCH_CHARACTERS), max_size=80))
def test_batches_hold_every_document_once_within_bounds(sizes: list[int]) -> None:
    batches = batched(enumerate(sizes))
    assert [place for batch in batches for place in batch] == list(range(len(sizes)))
    for batch in batches:
        assert len(batch) <= BATCH_DOCUMENTS
        assert len(batch) == 1 or sum(sizes[place] for place in batch) <= BATCH_CHARACTERS


@given(st.integers(1, 3 * BATCH_DOCUMENTS), st.data())
def test_documents_deadly_to_annotate_or_to_sample_are_isolated_and_no_others(n: int, data: st.DataObject) -> None:
    deadly = {stage: data.draw(st.sets(st.integers(0, n - 1))) for stage in ("annotate", "sample")}
    deadly["sample"] -= deadly["annotate"]  # what has no annotation is not sampled
    given_up: dict[str, set[int]] = {"annotate": set(), "sample": set()}
    annotated: list[int] = []
    plan, sampled = Plan(), 0
    queue = plan.gated(CHUNK, Gated(n, places(n), places(n)))
    while queue:
        task = queue.pop()
        stage = "annotate" if task.stage == "annotate" else "sample"
        doing = set(range(n)) - given_up["sample"] if task.stage == "sample" else set(task.places)
        if not task.hopeless and deadly[stage] & doing:
            queue += plan.died(task)
        elif task.stage == "sample":
            sampled += 1
            queue += plan.sampled(CHUNK)
        else:
            if task.hopeless:
                given_up[stage].update(task.places)
            elif stage == "annotate":
                annotated += task.places
            queue += plan.passed(task)
    assert (sampled, given_up) == (1, deadly)
    assert sorted(annotated) == sorted(set(range(n)) - deadly["annotate"])
    assert plan == Plan()


def test_chunk_that_kills_workers_before_any_document_is_sampled_ends_the_run() -> None:
    plan = Plan()
    (task,) = plan.gated(CHUNK, Gated(100, places(3), ()))
    while task.stage == "sample":
        (task,) = plan.died(task)
    assert task == Task("try_sample", CHUNK)
    (task,) = plan.died(task)
    with pytest.raises(PropagationError, match=r"abc\.parquet: 2 workers died in stage try_sample; give workers more"):
        plan.died(task)


def test_chunk_whose_documents_kill_only_together_ends_the_run() -> None:
    plan = Plan()
    queue = plan.gated(CHUNK, Gated(100, places(40), ()))
    while queue:
        task = queue.pop()
        if task.stage == "sample" and CHUNK.path in plan.tried and task.deaths:
            break
        queue += plan.died(task) if task.stage == "sample" else plan.passed(task)
    with pytest.raises(PropagationError, match=r"abc\.parquet: 2 workers died in stage sample; give workers more"):
        plan.died(task)


def test_chunk_whose_gate_kills_every_worker_ends_the_run() -> None:
    plan, task = Plan(), Task("gate", CHUNK)
    for _ in range(LIVES - 1):
        (task,) = plan.died(task)
    with pytest.raises(PropagationError, match=r"abc\.parquet: 2 workers died in stage gate; give workers more memory"):
        plan.died(task)
