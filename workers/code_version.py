"""A version that follows from the code itself: two installations agree exactly when they compute the same.

Covers: the hash of a module and of every module of ours that it imports, directly or not.
Not here: versions of other packages (each stage names those that bear on its numbers).

A package whose `__init__` only lists names of its modules counts by the names that are taken from it: a change to the
scorers of `calib_core.coref` is none to the mentions. That modules do nothing but define when they are imported, so
that one of them cannot move another's numbers, is held by a test.

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
    """Every module whose code can be run by way of this one, with that code."""
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        path = _path(name)
        if path is None:
            waiting.extend(_listed(name))
            continue
        tree = _tree(path)
        if not _is_index(path, tree):
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


def _tree(path: Path) -> ast.Module:
    return _without_docstrings(ast.parse(path.read_text(encoding="utf-8")))


def _is_index(path: Path, tree: ast.Module) -> bool:
    """Whether a package only lists names of its modules, so that who takes one of them has no part in the others."""
    return path.name == "__init__.py" and all(
        isinstance(line, ast.ImportFrom | ast.Pass) or (isinstance(line, ast.Assign) and _targets(line) == ["__all__"])
        for line in tree.body
    )


def _targets(line: ast.Assign) -> list[str]:
    return [ast.unparse(target) for target in line.targets]


def _listed(name: str) -> Iterator[str]:
    """Where a package that is an index has a name from; for `package.*` where it has all of them from."""
    package, _, wanted = name.rpartition(".")
    path = _path(package) if package else None
    if path is None:
        return
    tree = _tree(path)
    for line in tree.body if _is_index(path, tree) else []:
        if isinstance(line, ast.ImportFrom) and line.module:
            for alias in line.names:
                if wanted in ("*", alias.asname or alias.name):
                    yield from (line.module, f"{line.module}.{alias.name}")


def _imports(tree: ast.AST) -> Iterator[str]:
    """Names that are imported; of `from package import name` both, since the name may be a module.

    What is taken of a package that is imported as such cannot be seen here, so `package.*` stands for all of it.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from (alias.name, f"{alias.name}.*")
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            for alias in node.names:
                yield from (f"{node.module}.{alias.name}", f"{node.module}.{alias.name}.*")


def _without_docstrings(tree: ast.Module) -> ast.Module:
    """Strings that stand as statements do nothing: take them out, wherever they are."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_string(line)] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def _is_string(line: ast.AST) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)
