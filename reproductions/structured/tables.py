"""The figures of the recalibration experiment: every one as a row, and wide tables for the page."""

from collections.abc import Iterator, Mapping, Sequence

from reproductions.findings import Row
from reproductions.structured.charts import METHODS
from reproductions.structured.events import Scored

Panels = Mapping[str, Mapping[str, Scored]]
Sizes = Mapping[tuple[str, int], tuple[float, float]]


def panel_rows(table: str, panels: Panels) -> Iterator[Row]:
    """Loss and all its parts of every forecast."""
    for setting, ways in panels.items():
        for way, found in ways.items():
            for measure in ("loss", "uncertainty", "sharpness", "calibration", "within"):
                yield Row(f"{table}: {setting}", f"{way}, {measure}", getattr(found, measure), detail=True)


def size_rows(sizes: Sizes) -> Iterator[Row]:
    """Calibration error and sharpness by method and size."""
    for (method, size), found in sizes.items():
        for measure, value in zip(("calibration", "sharpness"), found, strict=True):
            yield Row(
                "Size of the calibration set", f"{METHODS[method]}, {size} sentences, {measure}", value, detail=True
            )


def panel_table(heading: str, panels: Panels) -> str:
    """One Markdown table of all settings and ways."""
    lines: list[Sequence[str]] = [
        ["", "probability from", "L2 loss", "= uncertainty", "- sharpness", "+ calibration error", "+ within buckets"]
    ]
    for setting, ways in panels.items():
        for number, (way, found) in enumerate(ways.items()):
            numbers = [
                f"{value:.4f}"
                for value in (found.loss, found.uncertainty, found.sharpness, found.calibration, found.within)
            ]
            lines.append(["" if number else setting, way, *numbers])
    return markdown(heading, lines)


def size_table(heading: str, sizes: Sizes) -> str:
    """One line for each size."""
    header = ["sentences", *(f"{name}, {m}" for name in METHODS.values() for m in ("calibration error", "sharpness"))]
    lines: list[Sequence[str]] = [header]
    for size in sorted({size for _, size in sizes}):
        found = [value for method in METHODS for value in sizes[method, size]]
        lines.append([f"{size:,}", *(f"{value:.5f}" for value in found)])
    return markdown(heading, lines)


def markdown(heading: str, lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table under a heading; the first line is its header."""
    body = [lines[0], ["---"] * len(lines[0]), *lines[1:]]
    return f"### {heading}\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in body)
