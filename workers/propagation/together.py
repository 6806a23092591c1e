"""Which runs were published together, by one command with several queries.

Covers: `together.json`, which names them, the run that `latest` points to first.
Not here: publishing (`publishing`), reading runs (`workers.runs`).
"""

from collections.abc import Sequence

from workers.layout import TOGETHER, RunFolder
from workers.storage import Warehouse


def write_together(warehouse: Warehouse, run_ids: Sequence[str]) -> None:
    """Say that these go together; written before `latest` moves to the first of them."""
    if not warehouse.exists(TOGETHER) or warehouse.read_json(TOGETHER) != {"runs": list(run_ids)}:
        warehouse.write_json(TOGETHER, {"runs": list(run_ids)})


def runs_together(warehouse: Warehouse) -> list[str]:
    """Ids of the runs published with the latest one, itself first; empty before the first run.

    Runs that a client was killed over go with nobody: until `latest` is one of them, they are not meant.
    """
    latest = warehouse.latest()
    if latest is None:
        return []
    found = warehouse.read_json(TOGETHER)["runs"] if warehouse.exists(TOGETHER) else []
    own = RunFolder(latest).run_id
    return list(found) if found[:1] == [own] else [own]
