"""Packages that calib_core must do without, and a way to make an interpreter do without them."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

HEAVY = ("dask", "distributed", "prefect", "pyarrow", "stanza", "torch", "transformers")


class Refusal:
    """An importer that finds none of them."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Refuse them, leave all others to the next importer."""
        del path, target
        if name.partition(".")[0] in HEAVY:
            raise ImportError(f"{name} is blocked")


@contextmanager
def without_heavy_packages() -> Iterator[None]:
    """Inside the block they cannot be imported, even if they have been before; afterwards all is as it was."""
    refusal = Refusal()
    hidden = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in HEAVY}
    for name in hidden:
        del sys.modules[name]
    sys.meta_path.insert(0, refusal)
    try:
        yield
    finally:
        sys.meta_path.remove(refusal)
        sys.modules.update(hidden)
