"""What a night costs when 1 % of the articles are new, and what an archive of a million takes.

Covers: ingest and propagate on a cluster of one worker that is already up, as it is between nights; beside them the
fixed costs: starting the cluster, loading the models, a night without news and one with a single article. Then memory
and storage. Nights are measured in processor time of client and worker, so other load hardly matters.
Not here: Prefect, which adds the seconds of a process start to each run, whatever the size.

Reads Reuters 1987 if it is beside the repository, or the JSONL.gz that CREDENCE_NEWS names; otherwise it generates an
archive of which 1 % passes the gate. Articles differ in length, so several nights of 1 % each are averaged.
"""

import gzip
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from distributed import Client

from benchmarks.measure import Row, at_most
from calib_core.events import Gate, Query
from workers.cluster import ClusterConfig, open_cluster
from workers.ingest import IngestConfig, ingest
from workers.layout import ANNOTATIONS, ARCHIVE, GATES, INGESTS, LEDGER, RUNS
from workers.propagate import PropagateOptions, Settings, propagate
from workers.storage import Warehouse

REUTERS = Path(__file__).resolve().parents[2] / "shared" / "data" / "news" / "reuters-1987H1.jsonl.gz"
GENERATED = 10_000
SAMPLES = 100
NIGHTS = 5
LATE = {10 + 20 * night: night + 1 for night in range(NIGHTS)}
"""Of every hundred articles, the one that comes in each later night."""
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
        articles = _write_days(folder)
        started = time.perf_counter()
        with open_cluster(ClusterConfig(workers=1, memory="6GiB")) as client:
            cluster = time.perf_counter() - started
            loading = _cost(client, lambda: _warm(client, folder))
            return [
                Row("starting a cluster", "one worker", cluster, "s"),
                Row("first document ever", "models are loaded, kernels fetched or compiled", loading, "s of processor"),
                *_nights(client, folder, articles),
            ]


def _nights(client: Client, folder: Path, articles: list[int]) -> list[Row]:
    warehouse = Warehouse.open(folder / "warehouse")

    def night(name: str) -> float:
        file = folder / f"{name}.jsonl"
        if file.exists():
            file.rename(folder / "in" / file.name)
        return _cost(client, lambda: _night(client, folder, warehouse))

    first = night("0")
    sizing = _sizing(client, warehouse, articles[0], first)
    idle, fixed = night("no file"), night("one")
    later = sum(night(str(number)) for number in range(1, NIGHTS + 1)) / NIGHTS
    share = f"{sum(articles[1:]) // NIGHTS:,} new articles beside {articles[0]:,}"
    return [
        Row("first night", f"{articles[0]:,} articles", first, "s of processor"),
        Row("night without news", "all files read again, all recognised", idle, "s of processor"),
        Row("night with one short article", "that passes the gate: models are loaded again", fixed, "s of processor"),
        Row("later night", f"{share}, mean of {NIGHTS}", later, "s of processor"),
        Row("later night / first", share, later / first, "x"),
        at_most("later night beyond that of one article / first", share, (later - fixed) / first, "x", 0.02),
        *sizing,
    ]


def _night(client: Client, folder: Path, warehouse: Warehouse) -> None:
    ingest([str(folder / "in")], warehouse, IngestConfig(duplicates="skip"))
    propagate(client, warehouse, _settings(), PropagateOptions(created="now"))


def _sizing(client: Client, warehouse: Warehouse, articles: int, first: float) -> list[Row]:
    """Speed, memory and storage, from what the first night left behind."""
    counted = sum(len(warehouse.read_json(name)["possible"]) for name in warehouse.names(GATES, ".json"))
    peak = max(client.run(_peak_memory).values())
    rows = [
        Row("articles", f"all of them, {counted:,} past the gate", articles / first, "per second per core"),
        Row("articles past the gate", "ingest, gate and all", counted / first, "per second per core"),
        Row("memory of a worker", "peak", peak / 1e9, "GB"),
    ]
    for part in (ARCHIVE, INGESTS, ANNOTATIONS, LEDGER, RUNS):
        size = sum(Path(warehouse.path(name)).stat().st_size for name in warehouse.names(part))
        rows.append(Row(f"storage of {part}/", "for a million such articles", size / articles * MILLION / 1e9, "GB"))
    return rows


def _peak_memory() -> int:
    """Peak memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _warm(client: Client, folder: Path) -> None:
    """A run of one article on the worker."""
    path = folder / "one.jsonl"
    path.write_text(json.dumps(_article(-1, ATTACK)) + "\n")
    warehouse = Warehouse.open(folder / "warm")
    ingest([str(path)], warehouse)
    propagate(client, warehouse, _settings(), PropagateOptions(created="now"))


def _settings() -> Settings:
    return Settings(Query.from_yaml("attack"), n_samples=SAMPLES)


def _write_days(folder: Path) -> list[int]:
    """Write a file per night: 1 % of the articles past the gate and of the others; the rest goes to the first night."""
    (folder / "in").mkdir()
    gate, seen, counts = Gate.of(Query.from_yaml("attack")), [0, 0], [0] * (NIGHTS + 1)
    with ExitStack() as open_files:
        files = [open_files.enter_context((folder / f"{n}.jsonl").open("w")) for n in range(NIGHTS + 1)]
        for line in _lines():
            passes = gate(json.loads(line).get("text") or "")
            night = LATE.get(seen[passes] % 100, 0)
            seen[passes] += 1
            counts[night] += 1
            files[night].write(line)
    return counts


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
