"""Progress as lines of text, for a pipe or a log.

Covers: the words of a line, and how often one is due.
Not here: bars (`flows.cli.display`).
"""

import time
from collections.abc import Callable

from flows.jobs.progress import OnProgress, Progress, Speed

SECONDS = 10.0
"""Between two lines. A job that takes less says nothing until its report."""


class Wording:
    """Puts progress into words; keeps the clock of the running stage to estimate the time left."""

    def __init__(self) -> None:
        self._stage = ""

    def text(self, progress: Progress, now: float) -> str:
        """One line: the stage, how far it is, and the time left if known."""
        if progress.stage != self._stage:
            self._stage, self._speed = progress.stage, Speed(now)
        left = self._speed.seconds_left(progress.done, progress.total, now)
        parts = [progress.detail or _count(progress), "" if left is None else f"{duration(left)} left"]
        figures = ", ".join(filter(None, parts))
        return f"{progress.stage}: {figures}" if figures else progress.stage


def progress_lines(say: Callable[[str], None]) -> OnProgress:
    """A callback that calls `say` with one line every ten seconds, at most."""
    wording, last = Wording(), time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        line = wording.text(progress, now)
        if now - last >= SECONDS:
            last = now
            say(line)

    return show


def duration(seconds: float) -> str:
    """Seconds as a person says them.

    >>> duration(40), duration(125), duration(7260)
    ('40 s', '2 min 5 s', '2 h 1 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _count(progress: Progress) -> str:
    if progress.total:
        return f"{progress.done:,} of {progress.total:,}"
    return f"{progress.done:,}" if progress.done else ""
