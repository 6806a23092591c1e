"""Imports point one way: flows → workers → calib_core."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# For each room: what it must never import. prefect is only for flows, so that ad hoc jobs run on Dask alone.
FORBIDDEN = {
    "calib_core": {
        "workers", "flows", "prefect", "dask", "distributed", "pyarrow", "stanza", "torch", "typer", "rich", "altair",
    },
    "workers": {"flows", "prefect", "typer", "altair"},
    "flows": set(),
}  # fmt: skip


def imported_packages(source: str) -> Iterator[tuple[int, str]]:
    """Line and top-level package of each import, lazy ones inside functions included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module.split(".")[0]


@pytest.mark.parametrize("room", FORBIDDEN)
def test_no_import_points_upward(room: str) -> None:
    outside_product = {"tests", "benchmarks", "deploy"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {package}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, package in imported_packages(path.read_text())
        if package in FORBIDDEN[room] | outside_product
    ]
    assert wrong == []


def test_upward_import_is_seen() -> None:
    source = "import numpy\ndef f():\n    from workers.parser import parse\n"
    assert list(imported_packages(source)) == [(1, "numpy"), (3, "workers")]
