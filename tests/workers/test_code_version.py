from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workers import code_version as module


@pytest.fixture
def version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Versions of modules in a made-up installation."""
    monkeypatch.setattr(module, "ROOT", tmp_path)
    for name, code in {
        "__init__": "",
        "a": "from workers.b import f\n",
        "b": "def f():\n    return 1\n",
        "c": "x = 1\n",
    }.items():
        path = tmp_path / "workers" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(code)

    def of(name: str) -> str:
        module.code_version.cache_clear()
        return module.code_version(name)

    yield of
    module.code_version.cache_clear()


def test_comments_docstrings_and_layout_do_not_count(version: Callable[[str], str], tmp_path: Path) -> None:
    before = version("workers.a")
    (tmp_path / "workers/b.py").write_text('"""Doc."""\n\n\ndef f():  # why\n    """More."""\n    return  1\n')
    assert version("workers.a") == before


def test_change_in_an_imported_module_counts(version: Callable[[str], str], tmp_path: Path) -> None:
    before = version("workers.a")
    (tmp_path / "workers/b.py").write_text("def f():\n    return 2\n")
    assert version("workers.a") != before


def test_change_elsewhere_does_not_count(version: Callable[[str], str], tmp_path: Path) -> None:
    before = version("workers.a")
    (tmp_path / "workers/c.py").write_text("x = 2\n")
    assert version("workers.a") == before


def test_a_package_that_runs_on_import_counts(version: Callable[[str], str], tmp_path: Path) -> None:
    before = version("workers.a")
    (tmp_path / "workers/__init__.py").write_text("import workers.c\n")
    assert version("workers.a") != before


def test_annotating_does_not_depend_on_the_driver_or_on_storage() -> None:
    reached = module._reached("workers.annotate")
    assert "calib_core.coref.scoring" in reached
    assert not [
        name for name in reached if name.startswith(("workers.storage", "workers.propagation", "workers.ingest"))
    ]
