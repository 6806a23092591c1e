"""Addresses of warehouses and sources: local paths, or `s3://bucket/path` with options.

Covers: the file system behind an address, and its name without secrets.
Not here: reading and writing there (`workers.storage.warehouse`).
"""

from pathlib import Path

from pyarrow import fs


def locate(uri: str | Path) -> tuple[fs.FileSystem, str]:
    """File system and path of an address."""
    if "://" in str(uri):
        found: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(str(uri))
        return found
    return fs.LocalFileSystem(), str(Path(uri).absolute())


def public_name(uri: str | Path) -> str:
    """An address without its keys and options, fit for messages and tables."""
    scheme, mark, rest = str(uri).partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}" if mark else str(uri)
