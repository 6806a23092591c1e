"""Delete what no kept run needs.

Covers: old runs, event samples and gate answers in the ledger, archive files that no ingest names, and on request the
annotations of models that no kept run used.
Not here: deciding when (`credence prune`).

A run is gone once its manifest is called otherwise; what only it needed goes next, its folder last. So a pruning that
is killed leaves whole runs and such as are gone, and the next one knows what to finish.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from workers.ingest import archive_chunks
from workers.runs import open_run, run_ids
from workers.storage import Warehouse

NAMED = ("sample_id", "gate_id", "annotator_id")
MANIFEST, RETIRED = "manifest.json", "retired.json"


@dataclass(frozen=True, slots=True)
class Pruning:
    """Folders and files to delete, of each kind."""

    runs: tuple[str, ...]
    ledger: tuple[str, ...]
    annotations: tuple[str, ...]
    orphans: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, runs last: their folders say what is to be deleted with them."""
        return self.ledger + self.annotations + self.orphans + self.runs


def plan_pruning(warehouse: Warehouse, *, keep: int, annotations: bool = False) -> Pruning:
    """What may go when the newest `keep` runs stay; the one that `latest` points to always stays.

    Only what a run to be deleted names can go with it: the work of a run that was interrupted is nobody's yet.
    """
    if keep < 1:
        raise ValueError(f"keep must be at least 1; got {keep}")
    ids, latest = run_ids(warehouse), warehouse.latest()
    kept = [run_id for run_id in ids if run_id in ids[-keep:] or f"runs/{run_id}" == latest]
    old = [run_id for run_id in ids if run_id not in kept]
    retired = _retired(warehouse, ids)
    used = _named(open_run(warehouse, run_id).manifest for run_id in kept)
    unused = _named([*(open_run(warehouse, run_id).manifest for run_id in old), *retired.values()])
    free = {key: sorted(unused[key] - used[key]) for key in NAMED}
    known = {chunk.path for chunk in archive_chunks(warehouse)}
    return Pruning(
        runs=tuple(f"runs/{run_id}" for run_id in [*retired, *old]),
        ledger=_existing(warehouse, "ledger/samples", free["sample_id"])
        + _existing(warehouse, "ledger/gates", free["gate_id"]),
        annotations=_existing(warehouse, "annotations", free["annotator_id"]) if annotations else (),
        orphans=tuple(name for name in warehouse.names("archive", ".parquet") if name not in known),
    )


def prune(warehouse: Warehouse, *, keep: int, annotations: bool = False) -> Pruning:
    """Delete; no ingest and no run may be under way meanwhile. Returns what was deleted."""
    ingest = Warehouse(warehouse.root, warehouse.filesystem, "ingest")
    propagate = Warehouse(warehouse.root, warehouse.filesystem, "propagate")
    with ingest.single_writer(), propagate.single_writer():
        pruning = plan_pruning(warehouse, keep=keep, annotations=annotations)
        for run in pruning.runs:
            if warehouse.exists(f"{run}/{MANIFEST}"):
                warehouse.move(f"{run}/{MANIFEST}", f"{run}/{RETIRED}")
        for name in pruning.names:
            for part in warehouse.names(name) if name in pruning.runs else []:
                if part != f"{name}/{RETIRED}":  # last, for it says that there is something left to delete
                    warehouse.delete(part)
            warehouse.delete(name)
    return pruning


def _retired(warehouse: Warehouse, published: list[str]) -> dict[str, dict[str, Any]]:
    """Manifests of the runs that an earlier pruning began to delete, unless they were published again."""
    names = [name for name in warehouse.names("runs", f"/{RETIRED}") if name.count("/") == 2]
    return {run: warehouse.read_json(name) for name in names if (run := name.split("/")[1]) not in published}


def _named(manifests: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """What some runs were made of."""
    known = list(manifests)
    return {key: {manifest[key] for manifest in known} for key in NAMED}


def _existing(warehouse: Warehouse, folder: str, names: list[str]) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}" for name in names if warehouse.exists(f"{folder}/{name}"))
