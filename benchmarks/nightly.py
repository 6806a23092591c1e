"""What a night costs when 1 % of the articles are new, and what an archive of a million takes.

Covers: ingest and propagate on a cluster of one worker that is up already, as it is between nights; beside them the
fixed costs: starting the cluster, loading the models, and a night without news. Then memory and storage. Nights are
measured in processor time of client and worker, so that what else the machine does matters little.
Not here: Prefect, which adds the seconds of a process start to each run, whatever the size.

Reads the news of Reuters 1987 where it lies beside the repository (or CREDENCE_NEWS names a JSONL.gz), else generates
an archive of which 1 % passes the gate.
"""

import gzip
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from distributed import Client

from benchmarks.measure import Row, at_most
from calib_core.events import Gate, Query
from workers.cluster import ClusterConfig, open_cluster
from workers.ingest import IngestConfig, ingest
from workers.propagate import PropagateOptions, Settings, propagate
from workers.storage import Warehouse

REUTERS = Path(__file__).resolve().parents[2] / "shared" / "data" / "news" / "reuters-1987H1.jsonl.gz"
GENERATED = 10_000
SAMPLES = 100
MILLION = 1_000_000
ATTACK = (
    "Iraqi troops attacked the town on Monday, the ministry said. The soldiers said that they would attack it again "
    "if the rebels did not leave. Iran protested against the raid, and its minister flew to Geneva for talks. "
) * 4
OTHER = "The committee discussed the budget. It was cold, and the meeting was short. Prices rose by two percent. " * 6


def run() -> list[Row]:
    """All rows of this module."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old, new = _write_days(folder)
        started = time.perf_counter()
        with open_cluster(ClusterConfig(workers=1, memory="6GiB")) as client:
            cluster = time.perf_counter() - started
            loading = _cost(client, lambda: _warm(client, folder))
            return [
                Row("starting a cluster", "one worker", cluster, "s"),
                Row("first document ever", "models are loaded, kernels fetched or compiled", loading, "s of processor"),
                *_nights(client, folder, old, new),
            ]


def _nights(client: Client, folder: Path, old: int, new: int) -> list[Row]:
    warehouse = Warehouse.open(folder / "warehouse")

    def night() -> None:
        ingest([str(folder / "in")], warehouse, IngestConfig(duplicates="skip"))
        propagate(client, warehouse, _settings(), PropagateOptions(created="now"))

    first = _cost(client, night)
    idle = _cost(client, night)
    (folder / "new.jsonl").rename(folder / "in" / "new.jsonl")
    second = _cost(client, night)
    share = f"{new:,} new articles beside {old:,}"
    return [
        Row("first night", f"{old:,} articles", first, "s of processor"),
        Row("night without news", "all files read again, all known", idle, "s of processor"),
        Row("second night", share, second, "s of processor"),
        Row("second night / first", share, second / first, "x"),
        at_most("second night beyond one without news / first", share, (second - idle) / first, "x", 0.03),
        *_sizing(client, warehouse, old, first),
    ]


def _sizing(client: Client, warehouse: Warehouse, articles: int, first: float) -> list[Row]:
    """Speed, memory and storage, from what the nights left behind."""
    counted = sum(len(warehouse.read_json(name)["possible"]) for name in warehouse.names("ledger/gates", ".json"))
    peak = max(client.run(_peak_memory).values())
    rows = [
        Row("articles", f"all of them, {counted:,} past the gate", articles / first, "a second and core"),
        Row("articles past the gate", "annotated and sampled", counted / first, "a second and core"),
        Row("memory of a worker", "peak", peak / 1e9, "GB"),
    ]
    for part in ("archive", "ingests", "annotations", "ledger", "runs"):
        size = sum(Path(warehouse.path(name)).stat().st_size for name in warehouse.names(part))
        rows.append(Row(f"storage of {part}/", "for a million such articles", size / articles * MILLION / 1e9, "GB"))
    return rows


def _peak_memory() -> int:
    """Most memory that this process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _warm(client: Client, folder: Path) -> None:
    """A run of one article on the worker."""
    path = folder / "warm.jsonl"
    path.write_text(json.dumps(_article(0, ATTACK)) + "\n")
    warehouse = Warehouse.open(folder / "warm")
    ingest([str(path)], warehouse)
    propagate(client, warehouse, _settings(), PropagateOptions(created="now"))


def _settings() -> Settings:
    return Settings(Query.from_yaml("attack"), n_samples=SAMPLES)


def _write_days(folder: Path) -> tuple[int, int]:
    """99 % of the archive for the first night, 1 % for the second: of the articles past the gate, and of the others."""
    (folder / "in").mkdir()
    gate, seen, counts = Gate.of(Query.from_yaml("attack")), [0, 0], [0, 0]
    with (folder / "in" / "old.jsonl").open("w") as old, (folder / "new.jsonl").open("w") as new:
        for line in _lines():
            passes = gate(json.loads(line).get("text") or "")
            late = seen[passes] % 100 == 50
            seen[passes] += 1
            counts[late] += 1
            (new if late else old).write(line)
    return counts[0], counts[1]


def _lines() -> Iterator[str]:
    news = Path(os.environ.get("CREDENCE_NEWS", REUTERS))
    if news.is_file():
        with gzip.open(news, "rt", encoding="utf-8") as lines:
            yield from lines
        return
    for number in range(GENERATED):
        yield json.dumps(_article(number, ATTACK if number % 100 == 0 else OTHER)) + "\n"


def _article(number: int, text: str) -> dict[str, str]:
    return {"doc_id": f"d{number}", "published": f"1987-{1 + number % 12:02}-10", "text": f"{text} Number {number}."}


def _cost(client: Client, work: Callable[[], object]) -> float:
    """Processor time of this process and of the worker, in seconds."""

    def spent() -> float:
        return time.process_time() + sum(client.run(time.process_time).values())

    before = spent()
    work()
    return spent() - before
