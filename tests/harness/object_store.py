"""A real S3 server, in a process of its own."""

import os
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from tests.harness.servers import free_port, process, wait_until


@contextmanager
def s3_server(bucket: str) -> Iterator[str]:
    """Its address; the bucket is there."""
    port = free_port()
    with process("-m", "moto.server", "-H", "127.0.0.1", "-p", str(port), log=Path(os.devnull)):
        endpoint = f"http://127.0.0.1:{port}"
        wait_until(lambda: _makes(f"{endpoint}/{bucket}"), "the S3 server")
        yield endpoint


def _makes(bucket: str) -> bool:
    try:
        urllib.request.urlopen(urllib.request.Request(bucket, method="PUT"), timeout=5).close()  # noqa: S310
    except OSError:
        return False
    return True


def address(endpoint: str, path: str) -> str:
    """The s3:// address of a path on that server."""
    return f"s3://key:secret@{path}?region=us-east-1&scheme=http&endpoint_override={quote(endpoint, safe='')}"
