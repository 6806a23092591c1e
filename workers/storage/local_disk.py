"""Files on a local disk that are whole or not there, also after a power cut.

Covers: writing aside, waiting until the disk has it, renaming.
Not here: object stores, which show an object only when its upload is complete.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def flushed(path: Path) -> Iterator[BinaryIO]:
    """An open file; when the block has ended, the disk has it."""
    with path.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def renamed(aside: Path, target: Path) -> Iterator[BinaryIO]:
    """An open file aside that becomes the target when the block ends well, and vanishes otherwise."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with flushed(aside) as file:
            yield file
        aside.replace(target)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    flush_folder(target.parent)


def flush_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
