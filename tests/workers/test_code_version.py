import ast
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


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """A package that lists names of two modules, one of which has a name of a third."""
    package = tmp_path / "workers" / "p"
    package.mkdir(parents=True)
    for name, code in {
        "__init__": "from workers.p.one import f as g\nfrom workers.p.two import h\n__all__ = ['g', 'h']\n",
        "one": "from workers.c import x\ndef f():\n    return x\n",
        "two": "def h():\n    return 2\n",
    }.items():
        (package / f"{name}.py").write_text(code)
    return package


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("from workers.p import g\n", {"one"}),
        ("from workers.p.one import f\n", {"one"}),
        ("from workers.p import h\n", {"two"}),
        ("def f():\n    from workers.p import h\n", {"two"}),
        ("import workers.p\n", {"one", "two"}),
        ("from workers import p\n", {"one", "two"}),
        ("from workers.p import *\n", {"one", "two"}),
    ],
)
def test_package_that_only_lists_names_counts_by_those_that_are_taken(
    version: Callable[[str], str], tmp_path: Path, index: Path, code: str, counts: set[str]
) -> None:
    (tmp_path / "workers/a.py").write_text(code)
    changed = set()
    for name in ("one", "two"):
        before, text = version("workers.a"), (index / f"{name}.py").read_text()
        (index / f"{name}.py").write_text(text + "y = 1\n")
        changed |= {name} if version("workers.a") != before else set()
        (index / f"{name}.py").write_text(text)
    assert changed == counts
    before = version("workers.a")
    (tmp_path / "workers/c.py").write_text("x = 2\n")
    assert (version("workers.a") != before) is ("one" in counts)


def test_name_that_a_package_takes_from_elsewhere_counts(
    version: Callable[[str], str], tmp_path: Path, index: Path
) -> None:
    (tmp_path / "workers/a.py").write_text("from workers.p import h\n")
    before = version("workers.a")
    (index / "__init__.py").write_text("from workers.p.one import f as h\n")
    assert version("workers.a") != before


def test_package_that_does_more_than_list_counts_with_all_that_it_imports(
    version: Callable[[str], str], tmp_path: Path, index: Path
) -> None:
    (tmp_path / "workers/a.py").write_text("from workers.p.one import f\n")
    (index / "__init__.py").write_text("from workers.p.two import h\nh()\n")
    before = version("workers.a")
    (index / "two.py").write_text("def h():\n    return 3\n")
    assert version("workers.a") != before


QUIET = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Pass)


@pytest.mark.parametrize("room", module.ROOMS)
def test_modules_only_define_when_they_are_imported(room: str) -> None:
    """What a module does to others on import would move numbers of stages that take nothing from it."""
    loud = []
    for path in sorted((module.ROOT / room).rglob("*.py")):
        for line in module._tree(path).body:
            targets = line.targets if isinstance(line, ast.Assign) else []
            sets_others = any(isinstance(part, ast.Attribute | ast.Subscript) for t in targets for part in ast.walk(t))
            if not isinstance(line, QUIET) or sets_others:
                loud.append(f"{path.relative_to(module.ROOT)}:{line.lineno}")
    assert loud == []


def test_annotating_depends_on_no_scorer_reader_or_training() -> None:
    reached = module._reached("workers.annotate")
    assert {
        "calib_core.coref.model.logits",
        "calib_core.coref.mentions.detection",
        "workers.annotation_table",
        "workers.parser",
    } <= set(reached)
    free = ("corpora", "metrics", "model.training", "pairwise", "posterior.decoding", "recalibration")
    assert not [name for name in reached if name.startswith(tuple(f"calib_core.coref.{part}." for part in free))]
    assert not {f"calib_core.coref.{name}" for name in ("model.training", "posterior.decoding")} & set(reached)


def test_annotating_does_not_depend_on_the_driver_or_on_storage() -> None:
    reached = module._reached("workers.annotate")
    assert "calib_core.coref.model.logits" in reached
    assert not [
        name for name in reached if name.startswith(("workers.storage", "workers.propagation", "workers.ingest"))
    ]
