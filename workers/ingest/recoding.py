"""Streams in other encodings, as the UTF-8 that the readers expect.

Covers: UTF-16 by its byte order mark; any encoding that the user names, for the lines that are not UTF-8. Folders are
often of two minds, and a line with letters beyond ASCII that can be UTF-8 is UTF-8.
Not here: the readers (`workers.ingest.sources` chooses them).
"""

import codecs
import io
from typing import Any

STEP, LONGEST = 1 << 16, 1 << 24
"""Bytes read at once, and of a line at most."""
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
BINARY = (b"PAR1",)
"""Starts of files that have no encoding."""


def recoded(stream: Any, head: bytes, encoding: str) -> tuple[Any, bytes]:
    """The stream and its first bytes in UTF-8."""
    if head.startswith(UTF16):
        encoding = "utf-16"
    elif head.startswith(codecs.BOM_UTF8) or codecs.lookup(encoding).name == "utf-8":
        encoding = "utf-8"
    if encoding == "utf-8" or head.startswith(BINARY):
        return stream, head
    translated = io.BufferedReader(_Recoded(stream, encoding))
    return translated, translated.peek(len(head))[: len(head)]


def _contains_ascii(encoding: str) -> bool:
    return bytes(range(128)).decode(encoding, errors="replace") == bytes(range(128)).decode("ascii")


class _Recoded(io.RawIOBase):
    """Bytes of one encoding read as those of UTF-8."""

    def __init__(self, stream: Any, encoding: str) -> None:
        self._stream, self._left, self._ended = stream, b"", False
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._by_line = _contains_ascii(encoding)

    def readable(self) -> bool:
        """It can only be read."""
        return True

    def readinto(self, target: Any) -> int:
        """Fill `target` as far as one step goes."""
        while not self._left and not self._ended:
            raw = self._stream.readline(LONGEST) if self._by_line else self._stream.read(STEP)
            self._ended = not raw
            self._left = self._translated(raw)
        part, self._left = self._left[: len(target)], self._left[len(target) :]
        target[: len(part)] = part
        return len(part)

    def _translated(self, raw: bytes) -> bytes:
        if self._by_line:
            try:
                raw.decode()
            except UnicodeDecodeError:
                return self._decoder.decode(raw, final=True).encode()
            return raw
        return self._decoder.decode(raw, final=self._ended).encode()
