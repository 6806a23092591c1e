"""Write a file that a reader sees whole or not at all.

Covers: writing aside, renaming, and what is wrong with the disk as one sentence.
Not here: files of a warehouse (`workers.storage`).
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workers.storage.errors import explained


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path to write to, which becomes the file when the block ends well and vanishes otherwise.

    Raises
    ------
    StorageError
        When the disk is full, the folder read-only, or the like; the old file is as it was.
    """
    aside = path.with_name(f".{os.getpid()}-{secrets.token_hex(4)}-{path.name}")
    with explained(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield aside
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
