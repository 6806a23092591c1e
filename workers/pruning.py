"""Delete what no kept run needs.

Covers: old runs, event samples and gate answers in the ledger, archive files that no ingest names, and on request the
annotations of models that no kept run used.
Not here: deciding when (`credence prune`).
"""

from dataclasses import dataclass

from workers.ingest import archive_chunks
from workers.runs import open_run, run_ids
from workers.storage import Warehouse


@dataclass(frozen=True, slots=True)
class Pruning:
    """Folders and files to delete, of each kind."""

    runs: tuple[str, ...]
    ledger: tuple[str, ...]
    annotations: tuple[str, ...]
    orphans: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, runs first: a run must be gone before what it was made of."""
        return self.runs + self.ledger + self.annotations + self.orphans


def plan_pruning(warehouse: Warehouse, *, keep: int, annotations: bool = False) -> Pruning:
    """What may go when the newest `keep` runs stay; the one that `latest` points to always stays."""
    if keep < 1:
        raise ValueError(f"keep must be at least 1; got {keep}")
    ids, latest = run_ids(warehouse), warehouse.latest()
    kept = [run_id for run_id in ids if run_id in ids[-keep:] or f"runs/{run_id}" == latest]
    manifests = [open_run(warehouse, run_id).manifest for run_id in kept]
    samples = {manifest["sample_id"] for manifest in manifests}
    gates = {manifest["gate_id"] for manifest in manifests}
    models = {manifest["annotator_id"] for manifest in manifests}
    ledger = _others(warehouse, "ledger/samples", samples) + _others(warehouse, "ledger/gates", gates)
    named = {chunk.path for chunk in archive_chunks(warehouse)}
    return Pruning(
        runs=tuple(f"runs/{run_id}" for run_id in ids if run_id not in kept),
        ledger=ledger + _others(warehouse, "ledger/parts", models),
        annotations=_others(warehouse, "annotations", models) if annotations else (),
        orphans=tuple(name for name in warehouse.names("archive", ".parquet") if name not in named),
    )


def prune(warehouse: Warehouse, pruning: Pruning) -> None:
    """Delete; no ingest and no run may be under way meanwhile."""
    ingest = Warehouse(warehouse.root, warehouse.filesystem, "ingest")
    propagate = Warehouse(warehouse.root, warehouse.filesystem, "propagate")
    with ingest.single_writer(), propagate.single_writer():
        for name in pruning.names:
            warehouse.delete(name)


def _others(warehouse: Warehouse, folder: str, kept: set[str]) -> tuple[str, ...]:
    """Folders under a folder, but for those to be kept."""
    depth = folder.count("/") + 1
    found = {name.split("/")[depth] for name in warehouse.names(folder)}
    return tuple(f"{folder}/{name}" for name in sorted(found - kept))
