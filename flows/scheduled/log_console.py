"""A console whose lines go to the log of the Prefect run.

Covers: letting the functions of the command line, which show their progress on a console, do so in Prefect.
"""

import io
import logging

from prefect import get_run_logger
from rich.console import Console

WIDE = 10_000
"""Columns: a line of a log is never broken."""


class LogLines(io.TextIOBase):
    """A text file that logs each line."""

    def __init__(self, logger: "logging.Logger | logging.LoggerAdapter[logging.Logger]") -> None:
        self.logger, self.rest = logger, ""

    def write(self, text: str) -> int:
        """Log the lines that are complete."""
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            if line.strip():
                self.logger.info(line.strip())
        return len(text)


def log_console() -> Console:
    """A console for the flow or task that runs here."""
    return Console(file=LogLines(get_run_logger()), width=WIDE, force_terminal=False, no_color=True)  # type: ignore[arg-type]
