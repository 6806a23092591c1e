"""What can go wrong, as one sentence on standard error and an exit code that a scheduler can use.

Exit codes of all commands that work on a warehouse: 0 done; 1 failed, nothing was published, what was finished is
kept; 2 wrong usage; 3 done, but some input could not be used; 4 no cluster, or it was lost: run again;
130 interrupted: run again.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.markup import escape

from workers.calibrations import CalibrationError
from workers.cluster import ClusterError
from workers.parsing.choice import ModelError
from workers.propagation.drive import ClusterLostError
from workers.propagation.settings import PropagationError
from workers.schemas import SchemaError
from workers.storage import StorageError

FAILED, INCOMPLETE, NO_CLUSTER, INTERRUPTED = 1, 3, 4, 130
EXPECTED = (PropagationError, StorageError, SchemaError, CalibrationError, ModelError, FileNotFoundError, ValueError)
"""Errors that are sentences already."""


@contextmanager
def exit_codes(console: Console, command: str) -> Iterator[None]:
    """Turn an expected error into its sentence and its code; others are faults of ours and keep their trace."""
    try:
        yield
    except (ClusterError, ClusterLostError) as error:
        stop(console, command, str(error), NO_CLUSTER)
    except KeyboardInterrupt:
        stop(console, command, "interrupted; what was finished is kept, run it again to go on", INTERRUPTED)
    except EXPECTED as error:
        stop(console, command, str(error), FAILED)


def stop(console: Console, command: str, sentence: str, code: int) -> None:
    """Say it and exit."""
    console.print(f"credence {command}: {escape(sentence.rstrip('.'))}.", style="red", soft_wrap=True, highlight=False)
    raise typer.Exit(code)
