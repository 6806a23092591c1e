"""All of calib_core runs without the heavy packages; that it can be imported without them is tests/test_imports.py."""

from collections.abc import Iterator

import pytest

from tests.heavy_packages import heavy_packages_refused_to


@pytest.fixture(autouse=True)
def nothing_heavy() -> Iterator[None]:
    """Torch, dask, prefect, stanza and pyarrow are out of reach of calib_core, though not of its peers in tests."""
    with heavy_packages_refused_to("calib_core"):
        yield
