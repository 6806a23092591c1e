"""Compile numba kernels once per installation, and again whenever any kernel's source changes.

Covers: the decorator `kernel`, which is `numba.njit` with an on-disk cache that is safe across files.
Not here: any kernel.

Numba's own `cache=True` looks only at the file of the outermost function. A kernel that calls another file's kernel, or
uses its constants, would go on running the old code after that file changes: wrong numbers, or memory overrun, without
a word. Here every cached kernel also depends on the sources of this package and of the one it stands in.
"""

import sys
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import numba as nb

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def sources_digest(package: str = "calib_core") -> str:
    """A hash of every source file of this package, and of another one whose kernels build on it."""
    digest = blake2b(digest_size=16)
    for root in dict.fromkeys((Path(__file__).parent, _folder(package))):
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _folder(package: str) -> Path:
    """Where a package's sources lie; a single module or a script, such as a test, counts as this package."""
    file = getattr(sys.modules.get(package), "__file__", None)
    return Path(file).parent if file and Path(file).name == "__init__.py" else Path(__file__).parent


def kernel(function: Function) -> Function:
    """Compile a function on first call and keep the machine code on disk until some source of its package changes."""
    return kernel_with()(function)


def kernel_with(**options: Any) -> Callable[[Function], Function]:
    """As `kernel`, with further options of `numba.njit`."""

    def compile_lazily(function: Function) -> Function:
        compiled = nb.njit(**options)(function)
        compiled.enable_caching()
        file = compiled._cache._cache_file
        file._source_stamp = (file._source_stamp, sources_digest(function.__module__.split(".")[0]))
        return cast(Function, compiled)

    return compile_lazily
