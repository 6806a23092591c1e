"""The warehouse: one folder, local or on an object store, in which nothing is ever half visible.

Covers: opening an address, whole-file writes that appear at once or not at all, reading, listing,
the `latest` pointer, and errors that say what to do.
Not here: addresses (`address`), complete files on a local disk (`local_disk`), the lock of a single writer
(`locking`), which files there are and in what order they are published (each stage), their columns (`workers.schemas`).

On a local disk a file is written under `.aside/`, flushed to the disk, then renamed. An object store makes an object
visible only when its upload is complete. Where several files must appear together, a small one that names the others
is written last.
"""

import contextlib
import io
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from workers.layout import ASIDE, LATEST, LATEST_POINTER
from workers.schemas import check_schema
from workers.storage.address import locate, public_name
from workers.storage.encoding import parquet_bytes, write_row_groups
from workers.storage.errors import StorageError, explained
from workers.storage.local_disk import appended, flush_folder, flushed, renamed
from workers.storage.locking import Held, LockTiming, file_lock, object_lock

STAGED = "staged"


@dataclass(frozen=True)
class Warehouse:
    """A root folder and its file system; `Warehouse.open` makes one, and it can be sent to workers.

    Attributes
    ----------
    root : str
        Path in the file system, without a final slash.
    filesystem : pyarrow.fs.FileSystem
        Where the root is.
    writer : str
        Folder under `.aside/` for unfinished files; a stage that holds the lock may clear its own.
    """

    root: str
    filesystem: fs.FileSystem
    writer: str = "shared"

    @classmethod
    def open(cls, uri: str | Path, *, writer: str = "shared") -> "Warehouse":
        """Take a local path or an `s3://` address; endpoint and region may follow it as `?endpoint_override=...`."""
        with explained(public_name(uri)):
            filesystem, root = locate(uri)
            return cls(root.rstrip("/"), filesystem, writer)

    @property
    def is_local(self) -> bool:
        """Whether files can be renamed and locked."""
        return isinstance(self.filesystem, fs.LocalFileSystem)

    def path(self, name: str) -> str:
        """Full path of a file in the warehouse."""
        return f"{self.root}/{name}"

    def exists(self, name: str) -> bool:
        """Whether a file or folder of that name is there."""
        with explained(self.path(name)):
            return self.filesystem.get_file_info(self.path(name)).type != fs.FileType.NotFound

    def names(self, folder: str, suffix: str = "") -> list[str]:
        """Names of the files under a folder, at any depth, sorted; none when the folder is missing."""
        with explained(self.path(folder)):
            found = self.filesystem.get_file_info(fs.FileSelector(self.path(folder), True, True))
        names = (info.path.removeprefix(f"{self.root}/") for info in found if info.type == fs.FileType.File)
        return sorted(name for name in names if name.endswith(suffix))

    def read_bytes(self, name: str) -> bytes:
        """The whole file."""
        with explained(self.path(name)), self.filesystem.open_input_stream(self.path(name), compression=None) as file:
            return bytes(file.read())

    def write_bytes(self, name: str, content: bytes) -> None:
        """Replace or create a file; readers see the old or the new one, never a part."""
        with explained(self.path(name)):
            if self.is_local:
                with renamed(self._aside(), Path(self.path(name))) as file:
                    file.write(content)
            else:
                self._upload(name, io.BytesIO(content))

    def append_lines(self, name: str, lines: Sequence[str]) -> None:
        """Add lines to a file; when this returns, the disk has them, and what stood there before is untouched.

        A last line that was cut by a crash is ended first, so that it stays alone. Object stores cannot add to an
        object: there the whole is written anew, so only one process may add at a time.
        """
        content = "".join(f"{line}\n" for line in lines).encode()
        with explained(self.path(name)):
            if self.is_local:
                appended(Path(self.path(name)), content)
                return
        before = self.read_bytes(name) if self.exists(name) else b""
        self.write_bytes(name, before + (b"\n" if before and not before.endswith(b"\n") else b"") + content)

    def stage(self, name: str, content: bytes) -> None:
        """Write a file that `publish` makes visible together with others. Object stores show it at once."""
        if not self.is_local:
            self.write_bytes(name, content)
            return
        staged = Path(self.path(f"{ASIDE}/{self.writer}/{STAGED}/{name}"))
        with explained(self.path(name)):
            staged.parent.mkdir(parents=True, exist_ok=True)
            with flushed(staged) as file:
                file.write(content)

    def publish(self, names: Iterable[str]) -> None:
        """Move staged files into place: quick, but one after the other, so write the manifest after this."""
        if not self.is_local:
            return
        targets = {name: Path(self.path(name)) for name in names}
        with explained(self.root):
            for name, target in targets.items():
                target.parent.mkdir(parents=True, exist_ok=True)
                Path(self.path(f"{ASIDE}/{self.writer}/{STAGED}/{name}")).replace(target)
            for folder in {target.parent for target in targets.values()}:
                flush_folder(folder)

    def _aside(self) -> Path:
        """A path of its own for one unfinished file."""
        aside = Path(self.path(ASIDE)) / self.writer / f"{os.getpid()}-{secrets.token_hex(8)}"
        aside.parent.mkdir(parents=True, exist_ok=True)
        return aside

    def read_json(self, name: str) -> Any:
        """A JSON file."""
        try:
            return json.loads(self.read_bytes(name))
        except ValueError as error:
            raise StorageError(self.path(name), f"not JSON ({error})", "restore it from a copy") from error

    def write_json(self, name: str, content: Any) -> None:
        """Write JSON with sorted keys: same content, same bytes."""
        self.write_bytes(name, (json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode())

    def write_table(self, name: str, table: pa.Table) -> None:
        """Write Parquet; the table is in memory, so the caller must bound its size. Same rows, same bytes."""
        self.write_bytes(name, parquet_bytes(table))

    def write_batches(self, name: str, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
        """Write Parquet, one row group per table, so that writing and reading hold only one in memory."""
        path = self.path(name)
        with explained(path):
            if self.is_local:
                with renamed(self._aside(), Path(path)) as file:
                    write_row_groups(file, schema, tables)
            else:
                with tempfile.TemporaryFile() as file:
                    write_row_groups(file, schema, tables)
                    file.seek(0)
                    self._upload(name, file)

    def _upload(self, name: str, content: BinaryIO) -> None:
        """Send a finished file to an object store; a stream closed half-way would appear as a complete object."""
        with self.filesystem.open_output_stream(self.path(name), compression=None) as file:
            shutil.copyfileobj(content, file, 1 << 20)

    def read_batches(
        self, name: str, schema: pa.Schema, *, rows: int, columns: list[str] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """A table in pieces of limited rows; refused if its schema differs."""
        with explained(self.path(name)), self.filesystem.open_input_file(self.path(name)) as file:
            parquet = pq.ParquetFile(file)
            check_schema(parquet.schema_arrow, schema, self.path(name))
            yield from parquet.iter_batches(rows, columns=columns)

    def read_metadata(self, name: str, schema: pa.Schema) -> dict[bytes, bytes]:
        """The metadata of a table's schema."""
        with explained(self.path(name)), self.filesystem.open_input_file(self.path(name)) as file:
            found = pq.read_schema(file)
        check_schema(found, schema, self.path(name))
        return dict(found.metadata)

    def copy(self, source: str, target: str) -> None:
        """A second name for a finished file: a hard link if the disk has them, otherwise a copy."""
        with explained(self.path(target)):
            if not self.is_local:
                self.filesystem.copy_file(self.path(source), self.path(target))
                return
            place = Path(self.path(target))
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.exists():
                return
            try:
                place.hardlink_to(self.path(source))
            except OSError:  # some network disks have no links
                self.write_bytes(target, self.read_bytes(source))

    def move(self, source: str, target: str) -> None:
        """Give a file another name in the same folder; needs no space, so it works on a full disk."""
        with explained(self.path(source)):
            self.filesystem.move(self.path(source), self.path(target))

    def delete(self, name: str) -> None:
        """Remove a file, or a folder and its content; a missing one is no error."""
        with explained(self.path(name)):
            kind = self.filesystem.get_file_info(self.path(name)).type
            if kind == fs.FileType.Directory:
                self.filesystem.delete_dir(self.path(name))
            elif kind == fs.FileType.File:
                self.filesystem.delete_file(self.path(name))

    def read_table(self, name: str, schema: pa.Schema, columns: list[str] | None = None) -> pa.Table:
        """A table, or some of its columns; refused if its schema differs."""
        with explained(self.path(name)), self.filesystem.open_input_file(self.path(name)) as file:
            parquet = pq.ParquetFile(file)
            check_schema(parquet.schema_arrow, schema, self.path(name))
            return parquet.read(columns)

    def latest(self) -> str | None:
        """Folder that `latest` points to, such as `runs/<run_id>`; None before the first run."""
        if self.is_local:
            link = Path(self.path(LATEST))
            return str(link.readlink()) if link.is_symlink() else None
        return str(self.read_json(LATEST_POINTER)["latest"]) if self.exists(LATEST_POINTER) else None

    def point_latest(self, folder: str) -> None:
        """Move `latest` in one step; on an object store it is the file `latest.json`."""
        if not self.is_local:
            return self.write_json(LATEST_POINTER, {"latest": folder})
        with explained(self.path(LATEST)):
            aside = self._aside()
            aside.symlink_to(folder)
            aside.replace(self.path(LATEST))
            return None

    @contextlib.contextmanager
    def single_writer(self, timing: LockTiming | None = None) -> Iterator[Held]:
        """Hold the lock of this kind of writer and start with its `.aside` folder empty.

        Raises
        ------
        StorageError
            If another holds it: who, since when, and what to do.
        """
        if not self.is_local:
            path = self.path(f"{ASIDE}/{self.writer}.lock.json")
            with object_lock(self.filesystem, path, self.root, self.writer, timing or LockTiming()) as held:
                yield held
            return
        folder = Path(self.path(ASIDE))
        with file_lock(folder / f"{self.writer}.lock", self.root, self.writer) as held:
            shutil.rmtree(folder / self.writer, ignore_errors=True)
            try:
                yield held
            finally:
                shutil.rmtree(folder / self.writer, ignore_errors=True)
