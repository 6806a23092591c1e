"""Progress of an experiment, told as stages and steps.

Covers: turning stages and steps into the progress that the command line shows.
Not here: showing it (`flows.cli.display`).
"""

from flows.jobs.progress import OnProgress, Progress, quiet


class Stages:
    """Tells `on_progress` of each stage and each step; a `reproductions.findings.Progress`."""

    def __init__(self, on_progress: OnProgress = quiet) -> None:
        self._on_progress = on_progress
        self._stage, self._done, self._total = "starting", 0, 0

    def stage(self, text: str, total: int | None = None) -> None:
        """Begin a stage."""
        self._stage, self._done, self._total = text, 0, total or 0
        self._tell("")

    def advance(self, text: str = "") -> None:
        """Count a step."""
        self._done += 1
        self._tell(text)

    def _tell(self, text: str) -> None:
        count = f"{self._done:,} of {self._total:,}" if self._total else f"{self._done:,}"
        detail = f"{count} {text}" if text else ""
        self._on_progress(Progress(self._stage, self._done, self._total or None, detail))
