"""Write a file that readers see complete or not at all.

Covers: writing aside, renaming, and what is wrong with the disk as one sentence.
Not here: files of a warehouse (`workers.storage`).
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workers.storage import StorageError
from workers.storage.errors import explained


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; a reader sees the old one or the new one."""
    if path.is_dir():
        raise StorageError(str(path), "is a folder, not a file", "name the file to write")
    with whole_file(path) as aside:
        aside.write_bytes(content)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path to write to; it becomes the file if the block succeeds, and is removed otherwise.

    Raises
    ------
    StorageError
        If the disk is full, the folder read-only, or the like; the old file is unchanged.
    """
    aside = path.with_name(f".{os.getpid()}-{secrets.token_hex(4)}-{path.name}")
    with explained(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield aside
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
