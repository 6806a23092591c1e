"""Errors as one sentence on standard error and an exit code that a scheduler can use.

Covers: the exit codes of all commands, and which errors become sentences.
Not here: standard output that cannot be written (`flows.cli.whole_output`).

Exit codes: 0 done; 1 failed, finished work is kept; 2 wrong usage; 3 done, but some input could not be used;
4 no cluster, or it was lost: run again; 5 measured, but the error is above --fail-above; 130 interrupted: run again.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import typer

FAILED, USAGE, INCOMPLETE, NO_CLUSTER, MISCALIBRATED, INTERRUPTED = 1, 2, 3, 4, 5, 130
KEPT = "finished work is kept"


@contextmanager
def sentences(command: str, *, left: str = "", usage: bool = False) -> Iterator[None]:
    """Turn an expected error into a sentence and an exit code; any other is a bug and keeps its traceback.

    Parameters
    ----------
    command : str
        As typed, such as "train coref".
    left : str
        What the error leaves behind, such as "nothing was published"; said after the reason.
    usage : bool
        Whether an error inside means wrong usage: exit code 2, with a pointer to `--help`.
    """
    try:
        yield
    except KeyboardInterrupt:
        _stop(command, f"interrupted; {left or KEPT}; run it again", INTERRUPTED)
    except Exception as error:
        code = code_of(error)
        if code is None:
            raise
        if usage:
            raise typer.BadParameter(str(error)) from None
        sentence = str(error).rstrip(".")
        _stop(command, f"{sentence}. {left[0].upper()}{left[1:]}" if left else sentence, code)


def code_of(error: Exception) -> int | None:
    """Exit code of an error whose text is a sentence for the user; None for a bug.

    The error classes are imported only now, because importing them is slow.
    """
    from flows.jobs.failures import CLUSTER, EXPECTED

    if isinstance(error, CLUSTER):
        return NO_CLUSTER
    return FAILED if isinstance(error, EXPECTED) else None


def warn(sentence: str) -> None:
    """Print a warning on standard error."""
    typer.secho(sentence, fg="yellow", err=True)


def warn_of_files(left_out: Sequence[ValueError]) -> None:
    """Say on standard error which files of a corpus were left out, each with its line and reason."""
    for error in left_out:
        warn(f"left out: {error}")


def _stop(command: str, sentence: str, code: int) -> NoReturn:
    typer.secho(f"credence {command}: {sentence}.", fg="red", err=True)
    raise typer.Exit(code)
