"""Standard output that cannot be written: one sentence and an exit code, not a trace.

Covers: a full disk behind `credence counts W --csv > file`.
Not here: a pipe that was closed (Typer), files that commands write (`flows.cli.errors`).
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def whole_output() -> Iterator[None]:
    """Make sure that all output was written; otherwise say so and exit with 1."""
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:  # a service may have none
                sys.stdout.flush()
    except OSError as error:
        if error.errno not in FULL:
            raise
        place = error.filename or "standard output"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python tries again when it ends
        sys.stderr.write(f"credence: {place}: the disk is full; free some space and run the command again.\n")
        sys.exit(1)
