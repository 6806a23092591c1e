"""Files on a local disk that are complete or absent, even after a power cut.

Covers: writing aside, waiting until the disk has it, renaming.
Not here: object stores, which show an object only when its upload is complete.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def flushed(path: Path) -> Iterator[BinaryIO]:
    """An open file; at the end of the block it is flushed to the disk."""
    with path.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def renamed(aside: Path, target: Path) -> Iterator[BinaryIO]:
    """An open file aside that becomes the target if the block succeeds, and is removed otherwise."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with flushed(aside) as file:
            yield file
        aside.replace(target)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    flush_folder(target.parent)


def appended(path: Path, content: bytes) -> None:
    """Add whole lines to the end of a file, in one write; when this returns, the disk has them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    with path.open("ab+", buffering=0) as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            content = content if file.read(1) == b"\n" else b"\n" + content
        written = file.write(content)  # unbuffered: one write, so that two processes never mix their lines
        os.fsync(file.fileno())
    if written != len(content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if new:
        flush_folder(path.parent)


def flush_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
