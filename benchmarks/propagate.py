"""How time and memory of a run grow with the archive, when the annotations are already there.

One document in ten passes the gate. Annotations of a few real texts are repeated under many ids, so that the stages
around the models (gate, join, sample, sum, publish) are measured at sizes that would take days to parse.
"""

import json
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from distributed import Client

from benchmarks.measure import Row, at_most
from calib_core.events import Query
from workers.annotate import Annotator
from workers.annotation_table import Annotation, annotation_row, annotations_table
from workers.cluster import ClusterConfig, open_cluster
from workers.ingest import archive_chunks, ingest
from workers.propagate import PropagateOptions, Settings, propagate
from workers.schemas import ANNOTATIONS, ARCHIVE
from workers.storage import Warehouse

SIZES = (2_000, 20_000, 200_000)
ONE_IN = 10
PLACES = ("Basra", "Tabriz", "Haifa", "Aleppo", "Ankara")
ADJECTIVES = ("Iraqi", "Iranian", "Israeli", "Syrian", "Turkish")
TEXTS = tuple(
    f"{adjective} officers met in {place} on Monday. The officers said that they had attacked a convoy near {place}. "
    f"The president of the country praised them, and he promised that he would attack again. Aid groups protested."
    for adjective in ADJECTIVES
    for place in PLACES
)
PLAIN = (
    "Wheat prices rose in Chicago on Monday. Traders said that the harvest had been poor and that more would follow. "
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took."""

    seconds: float
    worker_bytes: int
    client_bytes: int


def run() -> list[Row]:
    """Seconds and peak memory of runs over archives of growing size, each on two fresh worker processes."""
    costs = {size: _cost(size) for size in SIZES}
    small, large = costs[SIZES[-2]], costs[SIZES[-1]]
    rows = [
        Row("propagate", f"{size:,} documents, {size // ONE_IN:,} past the gate", size / cost.seconds, "documents/s")
        for size, cost in costs.items()
    ]
    what = f"{SIZES[-1]:,} documents against {SIZES[-2]:,}"
    return [
        *rows,
        at_most("time", what, large.seconds / small.seconds, "x", 10),
        Row("peak memory of a worker", f"{SIZES[-1]:,} documents", large.worker_bytes / 1e6, "MB"),
        at_most("peak memory of a worker", what, large.worker_bytes / small.worker_bytes, "x", 1.25),
        at_most("peak memory of the client", what, large.client_bytes / small.client_bytes, "x", 1.25),
    ]


def _cost(n_documents: int) -> Cost:
    settings = Settings(Query.from_yaml("attack"))
    with tempfile.TemporaryDirectory() as folder, open_cluster(ClusterConfig(workers=2)) as client:
        warehouse = Warehouse.open(Path(folder) / "w")
        fill(warehouse, Path(folder), n_documents, settings)
        propagate(client, warehouse, replace(settings, seed=1), PropagateOptions("warm"))  # compiles the kernels
        before = _peaks(client)
        start = time.perf_counter()
        propagate(client, warehouse, settings, PropagateOptions("measured"))
        return Cost(time.perf_counter() - start, *(max(pair) for pair in zip(before, _peaks(client), strict=True)))


def fill(warehouse: Warehouse, folder: Path, n_documents: int, settings: Settings) -> None:
    """Ingest generated articles and write the annotations of those past the gate."""
    annotator = Annotator(settings.annotator)
    days = np.datetime64("1987-01-01") + np.random.default_rng(0).integers(0, 7300, n_documents)
    file = folder / "articles.jsonl"
    with file.open("w") as out:
        for number, day in enumerate(days):
            out.write(json.dumps({"doc_id": f"d{number}", "published": str(day), "text": _text(number)}) + "\n")
    ingest([str(file)], warehouse)
    known = [annotator.annotate("", days[0].item(), "", text) for text in TEXTS]
    for chunk in archive_chunks(warehouse):
        table = warehouse.read_table(chunk.path, ARCHIVE, ["doc_id", "published"])
        rows = [_row(known, entry) for entry in table.to_pylist() if int(entry["doc_id"][1:]) % ONE_IN == 0]
        pieces = [annotations_table(rows[start : start + 64]) for start in range(0, len(rows), 64)]
        warehouse.write_batches(settings.annotations_path(chunk), ANNOTATIONS, pieces)


def _text(number: int) -> str:
    return TEXTS[number // ONE_IN % len(TEXTS)] if number % ONE_IN == 0 else f"{PLAIN * 5}{number}"


def _row(known: list[Annotation], entry: dict[str, Any]) -> dict[str, Any]:
    annotation = known[int(entry["doc_id"][1:]) // ONE_IN % len(TEXTS)]
    return annotation_row(annotation) | {"doc_id": entry["doc_id"], "published": entry["published"]}


def _peaks(client: Client) -> tuple[int, int]:
    """Largest resident memory that a worker, and this process, ever had."""
    workers = client.run(_peak)
    return max(workers.values()), _peak()


def _peak() -> int:
    """Of this program alone; `getrusage` would tell what its parent had when it was started."""
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024
