"""`credence parse`: one text as CoNLL-U on standard output."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.errors import sentences
from flows.jobs.requests import ParseRequest


def register(app: typer.Typer) -> None:
    """Add `parse` to the command line."""
    app.command()(parse)


def parse(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A text file, or - for standard input.", allow_dash=True)
    ],
    model: Annotated[
        str,
        typer.Option(
            metavar="NAME|FOLDER",
            help="default, fast, stanza, a trained model's folder, or a folder of Stanza models.",
        ),
    ] = ParseRequest.model,
    package: Annotated[
        str | None, typer.Option(metavar="NAME", help="A package of Stanza's own models.")
    ] = ParseRequest.package,
    gpu: Annotated[bool, typer.Option("--gpu", help="Run Stanza's own models on a GPU.")] = ParseRequest.gpu,
) -> None:
    """Parse a text and write its words, tags and trees as CoNLL-U."""
    with sentences("parse"):
        text = _read(file)
        from flows.jobs.parse import parse as run

        lines = run(ParseRequest(name=str(file), text=text, model=model, package=package, gpu=gpu))
    sys.stdout.writelines(lines)


def _read(file: Path) -> str:
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: the text must be UTF-8; byte {error.start} is not") from None
    except OSError as error:
        raise ValueError(f"{file}: cannot be read ({error.strerror})") from None
