"""How benchmarks measure, and the row that each of them reports."""

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table that `make bench` prints."""

    name: str
    what: str
    value: float
    unit: str
    target: str = ""
    met: bool | None = None


def seconds(work: Callable[[], object], *, repeats: int = 3) -> float:
    """Time of the shortest of several runs, because other load only adds time."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def peak_bytes(work: Callable[[], object]) -> int:
    """Peak memory that the call allocates, beyond what was there before."""
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def at_most(name: str, what: str, value: float, unit: str, limit: float) -> Row:
    """A figure that should not exceed its limit."""
    return Row(name, what, value, unit, f"≤ {limit:g}", value <= limit)


def at_least(name: str, what: str, value: float, unit: str, limit: float) -> Row:
    """A figure that should reach its limit."""
    return Row(name, what, value, unit, f"≥ {limit:g}", value >= limit)
