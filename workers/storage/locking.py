"""The lock of a single writer: a file that dies with its process, or an object that must show signs of life.

Covers: taking the lock on a local disk and on an object store, who holds it, taking over a dead writer's lock.
Not here: which stages take a lock (each of them), clearing what they left unfinished (`workers.storage.warehouse`).

A local disk has real locks: the system frees them when the process ends, however it ends.

An object store has none, and pyarrow cannot write an object on condition that none exists. So a writer puts an object
with its name, waits, and reads it back: if several start together, the last to write wins and the others step back.
The holder rewrites the object every `beat` seconds; after `stale` seconds without that it counts as dead, and the
lock is taken over. One gap remains: a writer held up for longer than `settle` between reading and writing can start
beside another. The other notices at its next beat, and `Held.confirm` keeps it from publishing.

All times are the store's, so the clocks of the machines do not matter; only the machine's name is read, for the
message.
"""

import contextlib
import fcntl
import json
import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

from pyarrow import fs

from workers.storage.errors import StorageError, explained

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LockTiming:
    """Waiting times of locks on an object store, in seconds.

    Attributes
    ----------
    beat : float
        Interval between two signs of life.
    stale : float
        After this long without a sign of life, the holder counts as dead.
    settle : float
        Wait between writing the lock and reading it back; must exceed the time from reading to writing.
    """

    beat: float = 20.0
    stale: float = 300.0
    settle: float = 1.0


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes: the process and machine, since when, and a token of its own."""

    process: int = 0
    host: str = "an unknown machine"
    since: str = ""
    token: str = ""

    def __str__(self) -> str:
        since = f", since {self.since}" if self.since else ""
        return f"process {self.process} on {self.host}{since}"


@dataclass(frozen=True, slots=True)
class Held:
    """A held lock; `confirm` raises if it was lost."""

    confirm: Callable[[], None] = lambda: None


@contextlib.contextmanager
def file_lock(path: Path, root: str, writer: str) -> Iterator[Held]:
    """Hold a lock on a local file, until the block or the process ends."""
    with explained(root):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("ab+", buffering=0)
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _taken(root, writer, _file_holder(lock), "wait until it ends") from error
        with contextlib.suppress(OSError):  # the name is optional: on a full disk `prune` must still get the lock
            lock.truncate(0)
            lock.write(json.dumps({"process": os.getpid(), "host": socket.gethostname()}).encode())
        yield Held()


def _file_holder(lock: FileIO) -> Holder:
    """Who wrote the file; the time is the file's."""
    lock.seek(0)
    found = _read_holder(lock.read())
    return Holder(found.process, found.host, _written(datetime.fromtimestamp(os.fstat(lock.fileno()).st_mtime, UTC)))


def _read_holder(content: str | bytes) -> Holder:
    try:
        known = json.loads(content)
        return Holder(**{name: known[name] for name in ("process", "host", "since", "token") if name in known})
    except (ValueError, TypeError):
        return Holder()


def _written(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds")


def _taken(root: str, writer: str, holder: Holder, advice: str) -> StorageError:
    return StorageError(root, f"another {writer} is writing here ({holder})", advice)


@contextlib.contextmanager
def object_lock(filesystem: fs.FileSystem, path: str, root: str, writer: str, timing: LockTiming) -> Iterator[Held]:
    """Hold a lock object, with signs of life from a thread, until the block ends."""
    lock = _ObjectLock(filesystem, path, root, writer, timing)
    lock.take()
    beating = threading.Thread(target=lock.beat, name=f"lock of {writer}", daemon=True)
    beating.start()
    try:
        yield Held(lock.confirm)
    finally:
        lock.ended.set()
        beating.join()
        lock.give_back()


@dataclass
class _ObjectLock:
    filesystem: fs.FileSystem
    path: str
    root: str
    writer: str
    timing: LockTiming
    ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.me = Holder(os.getpid(), socket.gethostname(), token=secrets.token_hex(8))

    def take(self) -> None:
        """Refuse if another is alive; otherwise write, wait, and see whether the lock is ours."""
        with explained(self.path):
            other, beaten = self._look()
            if other and beaten:
                self._refuse_living(other, beaten)
            self.me = Holder(self.me.process, self.me.host, _written(self._now()), self.me.token)
            self._put(self.path, self.me)
        self.ended.wait(self.timing.settle)
        self.confirm()

    def _refuse_living(self, other: Holder, beaten: datetime) -> None:
        age = (self._now() - beaten).total_seconds()
        seen = f"last sign of life {age:.0f} s ago"
        if age < self.timing.stale:
            advice = (
                f"{seen}; wait until it ends. If it is dead, run again {self.timing.stale:.0f} s after that sign: "
                f"the lock is then taken over"
            )
            raise _taken(self.root, self.writer, other, advice)
        LOGGER.warning("%s: took over the lock of a dead %s (%s; %s)", self.root, self.writer, other, seen)

    def _look(self) -> tuple[Holder | None, datetime | None]:
        """Who holds the lock, and when it last wrote."""
        info = self.filesystem.get_file_info(self.path)
        if info.type != fs.FileType.File:
            return None, None
        with contextlib.suppress(FileNotFoundError), self.filesystem.open_input_stream(self.path) as file:
            return _read_holder(file.read()), info.mtime
        return None, None

    def _put(self, path: str, holder: Holder) -> None:
        with self.filesystem.open_output_stream(path, compression=None) as file:
            file.write(json.dumps(asdict(holder)).encode())

    def _now(self) -> datetime:
        """The store's time: that of an object just written."""
        probe = f"{self.path}.{self.me.token}"
        self._put(probe, self.me)
        time = self.filesystem.get_file_info(probe).mtime
        self.filesystem.delete_file(probe)
        return datetime.fromtimestamp(time.timestamp(), UTC)

    def confirm(self) -> None:
        """Raise if the lock is now another's, or gone."""
        with explained(self.path):
            holder, _ = self._look()
        if holder is None or holder.token != self.me.token:
            problem = (
                f"the lock of this {self.writer} was lost to {holder}" if holder else "its lock object was deleted"
            )
            raise StorageError(self.root, problem, "nothing more was published; run it again")

    def beat(self) -> None:
        """Show signs of life until the end, or until another has the lock; retry if the store fails."""
        while not self.ended.wait(self.timing.beat):
            with contextlib.suppress(OSError):
                holder, _ = self._look()
                if holder is None or holder.token != self.me.token:
                    return
                self._put(self.path, self.me)

    def give_back(self) -> None:
        """Remove the lock if it is still ours."""
        with contextlib.suppress(OSError):
            holder, _ = self._look()
            if holder is not None and holder.token == self.me.token:
                self.filesystem.delete_file(self.path)
