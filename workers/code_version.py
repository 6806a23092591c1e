"""A version derived from the code itself: two installations have the same one if they compute the same.

Covers: the hash of a module and of every module of ours that it imports, directly or not.
Not here: versions of other packages (each stage names those that affect its numbers).

If a package's `__init__` only lists names of its modules, only the names taken from it count: a change to the scorers
of `calib_core.coref` does not affect the mentions. This needs modules that only define things when imported, so that
one cannot change another's numbers; a test checks it.

Comments, docstrings and layout do not count: editing a docstring changes no result.
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
    """Every module whose code this one can run, with that code."""
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
    """File of one of our modules; None for other packages and for names that are not modules."""
    if name.split(".")[0] not in ROOMS:
        return None
    path = ROOT.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _tree(path: Path) -> ast.Module:
    return _without_docstrings(ast.parse(path.read_text(encoding="utf-8")))


def _is_index(path: Path, tree: ast.Module) -> bool:
    """Whether a package only lists names of its modules, so that importing one does not involve the others."""
    return path.name == "__init__.py" and all(
        isinstance(line, ast.ImportFrom | ast.Pass) or (isinstance(line, ast.Assign) and _targets(line) == ["__all__"])
        for line in tree.body
    )


def _targets(line: ast.Assign) -> list[str]:
    return [ast.unparse(target) for target in line.targets]


def _listed(name: str) -> Iterator[str]:
    """Where an index package gets a name from; for `package.*`, where it gets all of them."""
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
    """Imported names; for `from package import name` both, because the name may be a module.

    What is used of a package imported as a whole cannot be seen here, so `package.*` stands for all of it.
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
    """Remove strings that are statements, because they do nothing."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_string(line)] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def _is_string(line: ast.AST) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)
