"""Progress of long work in named stages: a moving bar on a terminal, plain lines elsewhere.

Covers: both kinds of display, on standard error.
Not here: what the stages are.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

from flows.pace import Pace


class PlainStages:
    """One line when a stage begins, and at most one every ten seconds inside it."""

    def __init__(self) -> None:
        self._started, self._pace = time.monotonic(), Pace(at_once=True)
        self._stage, self._done, self._total = "", 0, 0

    def stage(self, text: str, total: int | None = None) -> None:
        """Begin a stage."""
        self._stage, self._done, self._total = text, 0, total or 0
        self._pace.due(whatever=True)
        self._say(text)

    def advance(self, text: str = "") -> None:
        """Count a step; say so only if nothing was said for a while."""
        self._done += 1
        if self._pace.due():
            of = f" of {self._total}" if self._total else ""
            self._say(f"{self._stage}: {self._done}{of} {text}".rstrip())

    def _say(self, text: str) -> None:
        typer.echo(f"[{time.monotonic() - self._started:4.0f} s] {text}", err=True)


class MovingStages:
    """A rich bar per stage; finished stages stay above."""

    def __init__(self, bar: RichProgress) -> None:
        self._bar, self._stage = bar, ""
        self._task = bar.add_task("starting", total=None)

    def stage(self, text: str, total: int | None = None) -> None:
        """Close the running stage and begin another."""
        self.finish()
        self._stage = text
        self._task = self._bar.add_task(text, total=total)

    def advance(self, text: str = "") -> None:
        """Move the bar by one step."""
        self._bar.update(self._task, advance=1, description=f"{self._stage} {text}".rstrip())

    def finish(self) -> None:
        """Stop the running stage's spinner."""
        task = next(task for task in self._bar.tasks if task.id == self._task)
        self._bar.update(self._task, total=task.completed or 1, completed=task.completed or 1)
        self._bar.stop_task(self._task)


@contextmanager
def watched(*, terminal: bool) -> Iterator[PlainStages | MovingStages]:
    """Yield the display that fits; a bar is stopped on leaving, also after an error."""
    if not terminal:
        yield PlainStages()
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True)) as bar:
        stages = MovingStages(bar)
        yield stages
        stages.finish()
