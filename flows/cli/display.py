"""How commands show things: progress on standard error, tables on standard output.

Covers: a moving bar on a terminal and a line every ten seconds elsewhere; tables as wide as there is room.
Not here: the words of a line (`flows.jobs.progress_lines`).
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Column

from flows.jobs.progress import OnProgress, Progress
from flows.jobs.progress_lines import Wording, progress_lines

WIDE = 140
"""Columns of a table in a pipe or a file, where nothing says how many there are."""


def output() -> Console:
    """Standard output for tables and texts."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)


@contextmanager
def progress_display() -> Iterator[OnProgress]:
    """A callback that shows a job's progress until the block ends, even by an error."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield progress_lines(lambda line: console.print(line, highlight=False, markup=False, soft_wrap=True))
        return
    text = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"))
    columns = (BarColumn(bar_width=20), TaskProgressColumn(), TimeElapsedColumn(), text)
    with Bar(*columns, console=console, transient=True, expand=True) as bar:
        yield _moving(bar)


def _moving(bar: Bar) -> OnProgress:
    """Moves a bar; each stage starts a new one."""
    wording, stage, task = Wording(), "", bar.add_task("starting", total=None)

    def show(progress: Progress) -> None:
        nonlocal stage
        if progress.stage != stage:
            stage = progress.stage
            bar.reset(task, total=progress.total)
        text = escape(wording.text(progress, time.monotonic()))
        bar.update(task, completed=progress.done, total=progress.total, description=text)

    return show
