"""Run one function over many items, here or on a Dask cluster, with the same result.

Covers: order, progress, an object shared by all items.
Not here: any work.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from distributed import Client, as_completed

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Result = TypeVar("Result")

Report = Callable[[str, int, int], None]
"""Called with (stage, items done, items in total)."""


def silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


def run_tasks(
    client: Client | None, function: Callable[[Item, Shared], Result], items: Sequence[Item], shared: Shared,
    *, stage: str, report: Report = silent,
) -> list[Result]:  # fmt: skip
    """`[function(item, shared) for item in items]`; without a client in this process."""
    report(stage, 0, len(items))
    if client is None:
        results = []
        for number, item in enumerate(items, start=1):
            results.append(function(item, shared))
            report(stage, number, len(items))
        return results
    everywhere = client.scatter(shared, broadcast=True, hash=False)
    futures = [client.submit(function, item, everywhere, pure=False) for item in items]
    for number, _ in enumerate(as_completed(futures), start=1):
        report(stage, number, len(items))
    gathered: list[Result] = client.gather(futures)
    return gathered
