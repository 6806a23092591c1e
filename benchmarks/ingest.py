"""How fast ingest is, beside plain `json.loads` of the same lines, and how much memory a larger archive takes."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, at_least, at_most
from workers.ingest import ingest
from workers.storage import Warehouse

SMALL, GROWTH = 40_000, 10
WORDS = 170
PEAK = "from benchmarks.ingest import report_peak; report_peak(*__import__('sys').argv[1:])"


def run() -> list[Row]:
    """Throughput on one core, and peak memory of a process for an input ten times as large."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = (write_articles(folder / f"{n}.jsonl", n) for n in (SMALL, SMALL * GROWTH))
        size = small.stat().st_size / 1e6
        parse = cpu_seconds(lambda: _parse(small))
        first = cpu_seconds(lambda: _ingest(small, folder))
        _ingest_into(small, folder / "kept")
        again = cpu_seconds(lambda: _ingest_into(small, folder / "kept"))
        peaks = [_peak(path, folder) for path in (small, large)]
    what = f"{SMALL:,} articles, {size:.0f} MB of JSON lines"
    return [
        Row("json.loads of the lines", what, size / parse, "MB/s per core"),
        at_least("ingest", what, size / first, "MB/s per core", 20),
        at_most("ingest / json.loads", "processor time", first / parse, "x", 15),
        Row("the same files again", "all known, nothing written", size / again, "MB/s per core"),
        Row("peak memory", f"{SMALL:,} articles", peaks[0] / 1e6, "MB"),
        at_most("peak memory", f"{GROWTH} times as many, against that", peaks[1] / peaks[0], "x", 1.25),
    ]


def cpu_seconds(work: Callable[[], object]) -> float:
    """Processor time of the better of two runs, because waiting for the disk is not comparable with parsing."""
    times = []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def write_articles(path: Path, n: int) -> Path:
    """Generated articles of about 1 kB, with dates over twenty years in no order."""
    random = np.random.default_rng(0)
    vocabulary = [f"word{i}" for i in range(5000)]
    texts = [" ".join(vocabulary[i] for i in random.integers(0, 5000, WORDS)) for _ in range(2000)]
    days = np.datetime64("1987-01-01") + random.integers(0, 7300, n)
    with path.open("w") as file:
        for number, day in enumerate(days):
            text = f"{number} {texts[number % len(texts)]}"
            file.write(json.dumps({"doc_id": f"d{number}", "published": str(day), "title": "T", "text": text}) + "\n")
    return path


def _parse(path: Path) -> None:
    with path.open("rb") as lines:
        for line in lines:
            json.loads(line)


def _ingest(path: Path, folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as warehouse:
        ingest([str(path)], Warehouse.open(warehouse))


def _ingest_into(path: Path, warehouse: Path) -> None:
    ingest([str(path)], Warehouse.open(warehouse))


def _peak(path: Path, folder: Path) -> int:
    """Peak resident memory, in bytes, of a fresh process that ingests the file."""
    command = [sys.executable, "-c", PEAK, str(path), str(folder)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # noqa: S603


def report_peak(path: str, folder: str) -> None:
    """Ingest, then print this process's peak."""
    _ingest(Path(path), Path(folder))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
