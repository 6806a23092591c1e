"""A run without a cluster."""

from pathlib import Path

from calib_core.events import Query
from workers.ingest import archive_chunks
from workers.propagation.outcome import Outcome
from workers.propagation.plan import batched
from workers.propagation.settings import Settings
from workers.propagation.stages import Stages
from workers.storage import Warehouse

ATTACK = Settings(Query.from_yaml("attack"), n_samples=40)


def run_stages(root: Path | str, settings: Settings = ATTACK, *, retry: bool = False) -> Outcome:
    """What a cluster would do, without one."""
    stages = Stages(Warehouse.open(root), settings, retry=retry)
    chunks = [chunk for chunk in archive_chunks(stages.warehouse) if settings.includes(chunk)]
    for chunk in chunks:
        for places in batched(stages.gate(chunk).missing):
            stages.annotate(chunk, places)
        stages.sample(chunk)
    return stages.outcome(tuple(settings.samples_path(chunk) for chunk in chunks))
