"""Storage errors as sentences: which path, what is wrong, what to do.

Covers: the error, and the translation of the system's own errors into it.
Not here: deciding whether to retry.
"""

import contextlib
import errno
from collections.abc import Iterator

import pyarrow as pa


class StorageError(OSError):
    """The warehouse cannot be read or written; `advice` says what to do."""

    def __init__(self, path: str, problem: str, advice: str) -> None:
        super().__init__(path, problem, advice)
        self.path, self.problem, self.advice = path, problem, advice

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; {self.advice}"


ADVICE = {
    errno.ENOSPC: ("the disk is full", "free some space and run the command again"),
    errno.EDQUOT: ("the disk quota is used up", "free some space and run the command again"),
    errno.EROFS: ("cannot be written (read-only)", "choose another folder or change its rights"),
    errno.EACCES: ("permission denied", "choose another folder or change its rights"),
    errno.EPERM: ("permission denied", "choose another folder or change its rights"),
    errno.ENOENT: ("no such file or folder", "check the path"),
    errno.ENOTDIR: ("a part of the path is a file, not a folder", "check the path"),
    errno.EISDIR: ("is a folder, not a file", "check the path"),
}


@contextlib.contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn the system's errors into sentences that name the path and what to do."""
    try:
        yield
    except StorageError:
        raise
    except pa.ArrowInvalid as error:
        raise StorageError(
            path, f"unreadable ({_first_line(error)})", "restore the file or check the address"
        ) from error
    except OSError as error:
        problem, advice = ADVICE.get(error.errno or 0, (_first_line(error), "check the address and the connection"))
        raise StorageError(path, problem, advice) from error


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
