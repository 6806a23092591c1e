"""Packages that calib_core must do without, and two ways to make it do without them."""

import builtins
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

HEAVY = ("dask", "distributed", "prefect", "pyarrow", "stanza", "torch", "transformers")


def is_heavy(name: str) -> bool:
    """Whether a module belongs to one of them."""
    return name.partition(".")[0] in HEAVY


class Refusal:
    """An importer that finds none of them."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Refuse them, leave all others to the next importer."""
        del path, target
        if is_heavy(name):
            raise ImportError(f"{name} is blocked")


def block_heavy_packages() -> None:
    """Nothing in this process can import them from now on; for a process that has not done so yet."""
    sys.meta_path.insert(0, Refusal())


@contextmanager
def heavy_packages_refused_to(room: str) -> Iterator[None]:
    """Inside the block no module of one room can import them, even if they have been imported before.

    All other modules can: threads that earlier tests left behind, such as Prefect's, go on importing what they need.
    """
    found = builtins.__import__

    def refusing(
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 - as Python calls it
        *rest: Any,
        **named: Any,
    ) -> ModuleType:
        importer = str((globals or {}).get("__name__", ""))
        if importer.partition(".")[0] == room and is_heavy(name):
            raise ImportError(f"{name} is blocked in {room}")
        return found(name, globals, *rest, **named)

    builtins.__import__ = refusing  # type: ignore[assignment]
    try:
        yield
    finally:
        builtins.__import__ = found
