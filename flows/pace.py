"""How often long work says something where no bar can be drawn."""

import time

SECONDS = 10.0
"""Between two plain lines."""


class Pace:
    """Tells when the next line is due.

    Parameters
    ----------
    at_once : bool
        Whether the first line is due already.
    """

    def __init__(self, *, at_once: bool) -> None:
        self._last = -SECONDS if at_once else time.monotonic()

    def due(self, *, whatever: bool = False) -> bool:
        """Whether to say something now, and if so, begin to wait again; `whatever` the time with that option."""
        now = time.monotonic()
        if not whatever and now - self._last < SECONDS:
            return False
        self._last = now
        return True
