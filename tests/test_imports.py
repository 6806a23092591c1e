"""Imports point one way, flows → workers → calib_core, and each room has its own list of packages."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NUMERIC = {"numpy", "scipy", "sklearn"}
# For each room: all it may import besides the standard library. Prefect is only for flows, so that ad hoc jobs run on
# Dask alone; a package that no room lists was never meant to be a dependency.
ALLOWED = {
    "calib_core": NUMERIC | {"ahocorasick_rs", "calib_core", "numba", "threadpoolctl", "yaml"},
    "workers": NUMERIC
    | {"calib_core", "workers"}
    | {"dask", "distributed", "pyarrow", "threadpoolctl"}
    | {"safetensors", "stanza", "tokenizers", "torch", "transformers", "udtools"},
    "flows": NUMERIC
    | {"calib_core", "flows", "workers"}
    | {"altair", "distributed", "prefect", "pyarrow", "pydantic", "rich", "typer", "vl_convert", "yaml"},
    "reproductions": NUMERIC
    | {"calib_core", "flows", "reproductions", "workers"}
    | {"altair", "pyarrow", "rich", "typer"},
    "benchmarks": NUMERIC
    | {"benchmarks", "calib_core", "flows", "workers"}
    | {"calibration", "distributed", "netcal", "rich", "stanza", "torch"},
    "tests": NUMERIC
    | {"benchmarks", "calib_core", "flows", "reproductions", "tests", "workers"}
    | {"altair", "dask", "distributed", "prefect", "pyarrow", "pydantic", "safetensors", "stanza", "threadpoolctl"}
    | {"tokenizers", "torch", "transformers", "typer", "yaml"}
    | {"calibration", "duckdb", "hypothesis", "jsonschema", "netcal", "pycountry", "pytest", "selenium"},
}
BLOCK_HEAVY = """
import sys
from importlib import import_module
from tests.heavy_packages import block_heavy_packages

block_heavy_packages()
for module in sys.argv[1:]:
    import_module(module)
"""


def imported_packages(source: str) -> Iterator[tuple[int, str]]:
    """Line and top-level package of each import, lazy ones inside functions included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module.split(".")[0]


def import_all(*modules: str) -> subprocess.CompletedProcess[str]:
    """Import modules in a process in which the heavy packages cannot be found."""
    command = [sys.executable, "-c", BLOCK_HEAVY, *modules]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.mark.parametrize("room", ALLOWED)
def test_room_imports_only_what_its_list_allows(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {package}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, package in imported_packages(path.read_text(encoding="utf-8"))
        if package not in ALLOWED[room] | sys.stdlib_module_names
    ]
    assert wrong == []


def test_lazy_import_is_seen() -> None:
    source = "import numpy\ndef f():\n    from workers.parser import parse\n"
    assert list(imported_packages(source)) == [(1, "numpy"), (3, "workers")]


def test_calib_core_needs_nothing_heavy() -> None:
    """Nor may a package that it does import bring one in: the lists above cannot see that."""
    files = [path.relative_to(ROOT).with_suffix("") for path in sorted((ROOT / "calib_core").rglob("*.py"))]
    modules = [".".join(file.parts).removesuffix(".__init__") for file in files]
    done = import_all(*modules)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("module", ["workers.schemas", "torch"])
def test_heavy_import_is_refused(module: str) -> None:
    assert "is blocked" in import_all(module).stderr
