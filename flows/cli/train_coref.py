"""`credence train coref`: a coreference model from annotated documents.

Exit codes are those of `flows.cli.errors`; 3: trained, but files were left out.
"""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import INCOMPLETE, sentences, warn_of_files
from flows.cli.options import Strict
from flows.jobs.requests import TrainCorefRequest


def register(train: typer.Typer) -> None:
    """Add `coref` to the group `train`."""
    train.command("coref")(train_coref)


def train_coref(
    data: Annotated[
        list[Path], typer.Argument(metavar="DATA", help="Annotated, parsed files or folders (CorefUD, OntoGUM).")
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the weights.")],
    seed: Annotated[int, typer.Option(metavar="N", help="Same data and seed, same weights.")] = TrainCorefRequest.seed,
    epochs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Passes over the data.")
    ] = TrainCorefRequest.epochs,
    members: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Models to average.")
    ] = TrainCorefRequest.members,
    strict: Strict = TrainCorefRequest.strict,
    kind: Annotated[
        str, typer.Option(metavar="NAME", help="loglinear, or context: it reads word vectors.")
    ] = TrainCorefRequest.kind,
    encoder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="context: the encoder, from `credence models fetch`.")
    ] = TrainCorefRequest.encoder,
    layers: Annotated[
        str | None, typer.Option(metavar="N,N", help="context: encoder layers to read.")
    ] = TrainCorefRequest.layers,
    adapters: Annotated[
        int, typer.Option(metavar="N", min=0, help="context: train adapters of this width in the encoder; 0: none.")
    ] = TrainCorefRequest.adapters,
    embed: Annotated[
        bool, typer.Option("--embed", help="context: put the encoder into the model in 8 bits.")
    ] = TrainCorefRequest.embed,
) -> None:
    """Train a coreference model; one of kind context continues an interrupted training in the same folder."""
    from flows.jobs.train_coref import train_coref as run

    request = TrainCorefRequest(
        data=tuple(data),
        out=out,
        seed=seed,
        epochs=epochs,
        members=members,
        strict=strict,
        kind=kind,
        encoder=encoder,
        layers=layers,
        adapters=adapters,
        embed=embed,
    )
    with sentences("train coref", usage=True), progress_display() as on_progress:
        report = run(request, on_progress=on_progress)
    warn_of_files(report.left_out)
    typer.echo(f"{report.documents} documents; weights in {report.out}")
    if report.left_out:
        raise typer.Exit(INCOMPLETE)
