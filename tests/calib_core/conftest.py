"""All of calib_core runs without the heavy packages; that it can be imported without them is tests/test_imports.py."""

from collections.abc import Iterator

import pytest

from tests.heavy_packages import without_heavy_packages

PEERS = "test_peers"
"""Compares with a package that brings torch."""


@pytest.fixture(autouse=True)
def nothing_heavy(request: pytest.FixtureRequest) -> Iterator[None]:
    """Torch, dask, prefect, stanza and pyarrow are out of reach."""
    if request.path.stem == PEERS:
        yield
        return
    with without_heavy_packages():
        yield
