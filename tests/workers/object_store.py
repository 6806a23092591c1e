"""A real S3 server, in a process of its own."""

import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from tests.prefect.processes import wait_until


@contextmanager
def s3_server(bucket: str) -> Iterator[str]:
    """Its address; the bucket is there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        endpoint = f"http://127.0.0.1:{port}"
        try:
            wait_until(lambda: _makes(f"{endpoint}/{bucket}"), "the S3 server")
            yield endpoint
        finally:
            server.terminate()


def _makes(bucket: str) -> bool:
    try:
        urllib.request.urlopen(urllib.request.Request(bucket, method="PUT"), timeout=5).close()  # noqa: S310
    except OSError:
        return False
    return True


def address(endpoint: str, path: str) -> str:
    """The s3:// address of a path on that server."""
    return f"s3://key:secret@{path}?region=us-east-1&scheme=http&endpoint_override={quote(endpoint, safe='')}"
