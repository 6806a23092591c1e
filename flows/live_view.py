"""Progress of long work: a bar on a terminal, a plain line every ten seconds elsewhere.

Covers: showing the progress of a run.
Not here: what is running.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from flows.pace import Pace
from workers.propagation.drive import Progress


@contextmanager
def run_view(console: Console) -> Iterator[Callable[[Progress], None]]:
    """Give a function that shows each progress it is called with."""
    clock = Clock(time.monotonic())
    if not console.is_terminal:
        yield _plain_lines(console, clock)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("chunks"),
               TimeElapsedColumn())  # fmt: skip
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting workers", total=None)

        def show(progress: Progress) -> None:
            text = describe(progress, clock.rates(progress, time.monotonic()))
            bar.update(task, completed=progress.chunks_done, total=progress.chunks, description=text)

        yield show


class Clock:
    """Turns progress into speed; what an earlier call had finished does not count."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.first: Progress | None = None

    def rates(self, progress: Progress, now: float) -> tuple[float, float | None]:
        """Documents a second, and seconds left where they can be told."""
        self.first = self.first or progress
        seconds = max(now - self.start, 1e-9)
        done = progress.done - self.first.done
        left = progress.documents - progress.done
        return done / seconds, seconds * left / done if done else None


def describe(progress: Progress, rates: tuple[float, float | None]) -> str:
    """One line of figures."""
    speed, left = rates
    text = (
        f"{progress.done:,} of {progress.documents:,} documents done, {progress.gated_out:,} gated out, "
        f"{progress.annotated:,} annotated, {progress.quarantined:,} quarantined, {speed:,.0f} a second"
    )
    return text if left is None else f"{text}, {_duration(left)} left"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _plain_lines(console: Console, clock: Clock) -> Callable[[Progress], None]:
    pace = Pace(at_once=True)

    def show(progress: Progress) -> None:
        rates = clock.rates(progress, time.monotonic())
        if pace.due():
            console.print(describe(progress, rates), highlight=False, markup=False, soft_wrap=True)

    return show
