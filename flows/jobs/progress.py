"""How far a job is: the one type that every job reports its progress with.

Covers: the type, the callback, speed and time left.
Not here: showing it (`flows.cli.display`, `flows.jobs.progress_lines`).
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is.

    Attributes
    ----------
    stage : str
        What is being done, such as "reading".
    done : int
        Units of the stage that are finished.
    total : int or None
        Units of the stage in all; None if not yet known.
    detail : str
        More figures in words, if "done of total" is too little.
    """

    stage: str
    done: int = 0
    total: int | None = None
    detail: str = ""


OnProgress = Callable[[Progress], None]


def quiet(_: Progress) -> None:
    """Show nothing."""


class Speed:
    """Units per second since a start; what was finished before the first call does not count.

    Parameters
    ----------
    start : float
        Seconds of a clock that only moves forward.
    """

    def __init__(self, start: float) -> None:
        self._start = start
        self._first: int | None = None

    def per_second(self, done: int, now: float) -> float:
        """Speed up to now."""
        self._first = done if self._first is None else self._first
        return (done - self._first) / max(now - self._start, 1e-9)

    def seconds_left(self, done: int, total: int | None, now: float) -> float | None:
        """Seconds until `total` at that speed; None if unknown."""
        speed = self.per_second(done, now)
        return (total - done) / speed if total and speed > 0 else None
