"""Lines of a byte stream, with a limit, so that a file without line ends cannot fill the memory."""

from collections.abc import Iterator
from typing import BinaryIO


def bounded_lines(stream: BinaryIO, limit: int) -> Iterator[bytes | None]:
    """Each line with its end; None in place of a line longer than `limit` bytes."""
    read = stream.readline
    while line := read(limit + 1):
        if len(line) <= limit or line.endswith(b"\n"):
            yield line
        else:
            while line and not line.endswith(b"\n"):
                line = read(limit + 1)
            yield None
