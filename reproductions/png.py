"""Make PNG files smaller without changing a pixel.

Covers: recompressing the pixels as hard as zlib can; the renderer writes charts three times larger.
Not here: drawing.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def recompress(path: Path) -> None:
    """Rewrite one PNG file in place; keep it as it is if that would not make it smaller."""
    before = path.read_bytes()
    chunks = list(_chunks(before, path))
    pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    first = next(number for number, (kind, _) in enumerate(chunks) if kind == b"IDAT")
    kept = [chunk for chunk in chunks if chunk[0] != b"IDAT"]
    kept.insert(first, (b"IDAT", zlib.compress(pixels, 9)))
    after = _SIGNATURE + b"".join(_packed(kind, body) for kind, body in kept)
    if len(after) < len(before):
        path.write_bytes(after)


def _chunks(content: bytes, path: Path) -> Iterator[tuple[bytes, bytes]]:
    if not content.startswith(_SIGNATURE):
        raise ValueError(f"{path} is not a PNG file: it begins with {content[:8]!r}")
    at = len(_SIGNATURE)
    while at < len(content):
        (size,) = struct.unpack(">I", content[at : at + 4])
        yield content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        at += 12 + size


def _packed(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
