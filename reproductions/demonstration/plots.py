"""The prose files: plots of articles, and pools of sentences that several plots draw from.

A file holds sections. `=== pool NAME` is followed by one sentence a line. `=== KIND NAME at SLOT` is a plot: lines with
`T ` are headlines to choose from; then come blocks, separated by blank lines, of which an article takes one line each.
In a block, `+ ` joins a line to the paragraph before, `@NAME` stands for a sentence of that pool, and `-` for nothing.
`at SLOT` says which place the dateline names; without it there is none. `war` after it: for countries at war only.

Covers: reading the files.
Not here: filling in the lines (`sentences`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HEADING = re.compile(r"=== (\S+) (\S+)(?: at (\S+))?( war)?")


@dataclass(frozen=True, slots=True)
class Plot:
    """A way to tell one kind of article.

    Attributes
    ----------
    kind, name : str
    place : str
        Slot of the dateline's place, or "".
    war : bool
        Whether it only makes sense between countries at war.
    titles : tuple of str
        Alternatives.
    blocks : tuple of tuples of str
        Alternatives for each stretch of the article.
    """

    kind: str
    name: str
    place: str
    war: bool
    titles: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Prose:
    """All plots, by kind, and all pools, by name."""

    plots: dict[str, tuple[Plot, ...]]
    pools: dict[str, tuple[str, ...]]


@cache
def prose() -> Prose:
    """The shipped prose."""
    plots: dict[str, tuple[Plot, ...]] = {}
    pools: dict[str, tuple[str, ...]] = {}
    for kind, name, place, war, lines in _sections():
        if kind == "pool":
            pools[name] = tuple(line for line in lines if line)
        else:
            plots[kind] = (*plots.get(kind, ()), _plot(kind, name, place, war, lines))
    return Prose(plots, pools)


def rows(name: str) -> Iterator[list[str]]:
    """Rows of a table in the folder of the prose; lines with # are comments."""
    text = (files("reproductions.demonstration") / "prose" / name).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


def _sections() -> Iterator[tuple[str, str, str, bool, list[str]]]:
    folder = files("reproductions.demonstration") / "prose"
    for file in sorted((item for item in folder.iterdir() if item.name.endswith(".txt")), key=lambda item: item.name):
        for section in re.split(r"^(?==== )", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            heading, *lines = section.rstrip().split("\n")
            found = _HEADING.fullmatch(heading)
            if not found:
                raise ValueError(
                    f"{file.name}: a section must begin with '=== KIND NAME [at SLOT] [war]'; got {heading!r}"
                )
            yield found[1], found[2], found[3] or "", bool(found[4]), lines


def _plot(kind: str, name: str, place: str, war: bool, lines: list[str]) -> Plot:
    titles = tuple(line.removeprefix("T ") for line in lines if line.startswith("T "))
    rest = "\n".join(line for line in lines if not line.startswith("T ")).strip()
    blocks = tuple(tuple(block.split("\n")) for block in re.split(r"\n{2,}", rest))
    if not titles or not rest:
        raise ValueError(f"plot {name!r} of {kind!r} must have a headline and a text")
    return Plot(kind, name, place, war, titles, blocks)
