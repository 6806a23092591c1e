"""A version that follows from the code itself: two installations agree exactly when they compute the same.

Covers: the hash of a module and of every module of ours that it imports, directly or not.
Not here: versions of other packages (each stage names those that bear on its numbers).

Comments, docstrings and layout do not count: what was computed before a docstring was mended is still right.
"""

import ast
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("calib_core", "workers")


@cache
def code_version(module: str) -> str:
    """Hash of a module, such as `workers.annotate`, with all that it imports of these rooms."""
    digest = blake2b(digest_size=16)
    for name, code in sorted(_reached(module).items()):
        digest.update(f"{name}\n{code}\n".encode())
    return digest.hexdigest()


def _reached(module: str) -> dict[str, str]:
    """Every module that is run when this one is imported, with its code."""
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if name in found or path is None:
            continue
        tree = _without_docstrings(ast.parse(path.read_text(encoding="utf-8")))
        found[name] = ast.dump(tree)
        waiting.extend(_imports(tree))
        waiting.extend(".".join(name.split(".")[:depth]) for depth in range(1, name.count(".") + 1))
    return found


def _path(name: str) -> Path | None:
    """File of a module of ours; None for other packages and for names that are no module."""
    if name.split(".")[0] not in ROOMS:
        return None
    path = ROOT.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _imports(tree: ast.AST) -> Iterator[str]:
    """Names that are imported; of `from package import name` both, since the name may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _without_docstrings(tree: ast.Module) -> ast.Module:
    """Strings that stand as statements do nothing: take them out, wherever they are."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_string(line)] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def _is_string(line: ast.AST) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)
