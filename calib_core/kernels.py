"""Compile numba kernels once per installation, and again whenever any kernel's source changes.

Covers: the decorator `kernel`, which is `numba.njit` with an on-disk cache that is safe across files.
Not here: any kernel.

Numba's own `cache=True` looks only at the file of the outermost function. A kernel that calls another file's kernel, or
uses its constants, would go on running the old code after that file changes: wrong numbers, or memory overrun, without
a word. Here every cached kernel also depends on the sources of the whole package.
"""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import numba as nb

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def sources_digest() -> str:
    """A hash of every source file of this package."""
    digest = blake2b(digest_size=16)
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel(function: Function) -> Function:
    """Compile a function on first call and keep the machine code on disk until some source of the package changes."""
    return kernel_with()(function)


def kernel_with(**options: Any) -> Callable[[Function], Function]:
    """As `kernel`, with further options of `numba.njit`."""

    def compile_lazily(function: Function) -> Function:
        compiled = nb.njit(**options)(function)
        compiled.enable_caching()
        file = compiled._cache._cache_file
        file._source_stamp = (file._source_stamp, sources_digest())
        return cast(Function, compiled)

    return compile_lazily
