"""Strings as integers that are the same on every machine."""

from zlib import crc32


def checksum(text: str) -> int:
    """The same small integer for the same string, whatever the process or machine."""
    return crc32(text.encode())
