"""Streams in other encodings, as the UTF-8 that the readers expect.

Covers: UTF-16 by its byte order mark, and any encoding that the user names.
Not here: the readers (`workers.ingest.sources` chooses them).
"""

import codecs
import io
from typing import Any

STEP = 1 << 16
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


class _Recoded(io.RawIOBase):
    """Bytes of one encoding read as those of UTF-8."""

    def __init__(self, stream: Any, encoding: str) -> None:
        self._stream, self._left, self._ended = stream, b"", False
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def readable(self) -> bool:
        """It can only be read."""
        return True

    def readinto(self, target: Any) -> int:
        """Fill `target` as far as one step goes."""
        while not self._left and not self._ended:
            raw = self._stream.read(STEP)
            self._ended = not raw
            self._left = self._decoder.decode(raw, final=self._ended).encode()
        part, self._left = self._left[: len(target)], self._left[len(target) :]
        target[: len(part)] = part
        return len(part)
