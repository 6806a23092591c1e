"""Delete what no kept run needs.

Covers: old runs, event samples and gate answers in the ledger, archive files that no ingest names, and, if requested,
annotations of models that no kept run used.
Not here: deciding when (`credence prune`).

A run counts as deleted once its manifest is renamed. What only it needed goes next, its folder last. So after a kill
each run is either complete or deleted, and the next pruning knows what to finish.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from workers.ingest import archive_chunks
from workers.layout import ANNOTATIONS, ARCHIVE, GATES, RUNS, SAMPLED, RunFolder, run_of
from workers.propagation.together import runs_together
from workers.runs import open_run, run_ids
from workers.storage import Warehouse

NAMED = ("sample_id", "gate_id", "annotator_id")


@dataclass(frozen=True, slots=True)
class Pruning:
    """Folders and files to delete, of each kind."""

    runs: tuple[str, ...]
    ledger: tuple[str, ...]
    annotations: tuple[str, ...]
    orphans: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, runs last, because their folders say what to delete with them."""
        return self.ledger + self.annotations + self.orphans + self.runs


def plan_pruning(warehouse: Warehouse, *, keep: int, annotations: bool = False) -> Pruning:
    """What can be deleted if the newest `keep` runs stay; the latest and those published with it always stay.

    Only what a deleted run names goes with it; unpublished work of an interrupted run stays.
    """
    if keep < 1:
        raise ValueError(f"keep must be at least 1; got {keep}")
    ids, latest = run_ids(warehouse), runs_together(warehouse)
    kept = [run_id for run_id in ids if run_id in ids[-keep:] or run_id in latest]
    old = [run_id for run_id in ids if run_id not in kept]
    retired = _retired(warehouse, ids)
    used = _named(open_run(warehouse, run_id).manifest for run_id in kept)
    unused = _named([*(open_run(warehouse, run_id).manifest for run_id in old), *retired.values()])
    free = {key: sorted(unused[key] - used[key]) for key in NAMED}
    known = {chunk.path for chunk in archive_chunks(warehouse)}
    return Pruning(
        runs=tuple(RunFolder.of(run_id).path for run_id in [*retired, *old]),
        ledger=_existing(warehouse, SAMPLED, free["sample_id"]) + _existing(warehouse, GATES, free["gate_id"]),
        annotations=_existing(warehouse, ANNOTATIONS, free["annotator_id"]) if annotations else (),
        orphans=tuple(name for name in warehouse.names(ARCHIVE, ".parquet") if name not in known),
    )


def prune(warehouse: Warehouse, *, keep: int, annotations: bool = False) -> Pruning:
    """Delete, and return what was deleted; no ingest and no run may be under way."""
    ingest = Warehouse(warehouse.root, warehouse.filesystem, "ingest")
    propagate = Warehouse(warehouse.root, warehouse.filesystem, "propagate")
    with ingest.single_writer(), propagate.single_writer():
        pruning = plan_pruning(warehouse, keep=keep, annotations=annotations)
        for run in map(RunFolder, pruning.runs):
            if warehouse.exists(run.manifest):
                warehouse.move(run.manifest, run.retired)
        for name in pruning.names:
            for part in warehouse.names(name) if name in pruning.runs else []:
                if part != RunFolder(name).retired:  # last, because it says that there is something left to delete
                    warehouse.delete(part)
            warehouse.delete(name)
    return pruning


def _retired(warehouse: Warehouse, published: list[str]) -> dict[str, dict[str, Any]]:
    """Manifests of runs that an earlier pruning began to delete and that were not published again."""
    names = {run_id: name for name in warehouse.names(RUNS, "/retired.json") if (run_id := run_of(name))}
    return {run_id: warehouse.read_json(name) for run_id, name in names.items() if run_id not in published}


def _named(manifests: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """Everything that some runs were made from."""
    known = list(manifests)
    return {key: {manifest[key] for manifest in known} for key in NAMED}


def _existing(warehouse: Warehouse, folder: str, names: list[str]) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}" for name in names if warehouse.exists(f"{folder}/{name}"))
