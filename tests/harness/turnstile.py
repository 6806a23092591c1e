"""Documents wait for the test, so that the test can act while one is being annotated, without a race."""

import time
import uuid
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Turnstile:
    """A folder that says which documents have come, and how many of them may go on."""

    folder: Path

    def pass_through(self) -> None:
        """In a worker: say that a document has come, and wait for its turn."""
        (self.folder / f"{uuid.uuid4().hex}.come").touch()
        number = self.arrived()
        while self.open() < number:
            time.sleep(0.02)

    def arrived(self) -> int:
        """How many have come."""
        return len(list(self.folder.glob("*.come")))

    def open(self) -> int:
        """How many may go on."""
        try:
            return int((self.folder / "open").read_text() or 0)
        except FileNotFoundError:
            return 0

    def let(self, number: int) -> None:
        """In a test: let so many go on, all since the beginning counted."""
        aside = self.folder / "aside"
        aside.write_text(str(number))
        aside.replace(self.folder / "open")

    def waits(self) -> bool:
        """Whether a document has come that may not go on."""
        return self.arrived() > self.open()
