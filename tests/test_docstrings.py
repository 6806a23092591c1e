"""What module docstrings point to exists: dotted names anywhere, plain ones after "Not here:" and in module tables."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("calib_core", "workers", "flows", "reproductions")
DOTTED = re.compile(rf"`((?:{'|'.join(ROOMS)})(?:\.\w+)+)")
NOT_HERE = re.compile(r"^Not here:(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)
TABLE_ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \|", re.MULTILINE)
PLAIN = re.compile(r"`(\w+(?:\.\w+)*)[`(]")


@cache
def names_in(path: Path) -> frozenset[str]:
    """What a module and its classes import, define or assign; not what functions keep to themselves."""
    names, bodies = set(), [ast.parse(path.read_text(encoding="utf-8")).body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(node.name)
                bodies += [node.body] if isinstance(node, ast.ClassDef) else []
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names.update(alias.asname or alias.name for alias in node.names)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                names.update(part.id for part in ast.walk(node) if _is_target(part))
    return frozenset(names)


def _is_target(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def exists(name: str) -> bool:
    """Whether a dotted name is a package, a module, or something inside one."""
    place = ROOT.joinpath(*name.split("."))
    if place.with_suffix(".py").exists() or (place / "__init__.py").exists():
        return True
    files = (place.parent.with_suffix(".py"), place.parent / "__init__.py")
    return any(place.name in names_in(file) for file in files if file.exists())


def missing(docstring: str, path: Path) -> list[str]:
    """Names in the docstring of the module at `path` that lead nowhere."""
    folder = path.parent.relative_to(ROOT)
    packages = [".".join(place.parts) for place in (folder, folder.parent)]  # `posterior.sampling` in `coref.model`
    pointers = " ".join([*NOT_HERE.findall(docstring), *TABLE_ROW.findall(docstring)])
    near = [name for name in PLAIN.findall(pointers) if name.split(".")[0] not in ROOMS]
    lost = [n for n in near if not any(exists(f"{p}.{n}") for p in packages) and n not in names_in(path)]
    return lost + [name for name in DOTTED.findall(docstring) if not exists(name)]


@pytest.mark.parametrize("room", ROOMS)
def test_names_in_module_docstrings_exist(room: str) -> None:
    lost = []
    for path in sorted((ROOT / room).rglob("*.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        lost += [f"{path.relative_to(ROOT)}: {name}" for name in missing(docstring, path)]
    assert lost == []


def test_names_that_are_gone_are_seen() -> None:
    docstring = """Samples `calib_core.gone`, not `calib_core.events.query.Query`.

    Not here: arrays (`batching`), loops (`lost`).
    """
    path = ROOT / "calib_core" / "events" / "sampling.py"
    assert missing(re.sub("^ +", "", docstring, flags=re.MULTILINE), path) == ["lost", "calib_core.gone"]
    assert missing("Modules.\n\n| `kernel`, `nowhere` | loops |", path) == ["nowhere"]
