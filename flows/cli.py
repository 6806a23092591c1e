"""The `credence` command line.

Covers: which commands there are, their options, and how an error reads.
Not here: any work. Each command imports what it runs only when called, so that `--help` answers at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from flows import coref_commands

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

train = typer.Typer(no_args_is_help=True, help="Retrain the models that ship with Credence, reproducibly.")
app.add_typer(train, name="train")


@app.callback()
def credence() -> None:
    """Event counts from news archives, with calibrated uncertainty."""


coref_commands.register(app, train)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the pictures and tables.")] = Path("demo-output"),
    pairs: Annotated[int, typer.Option(min=10_000, help="Number of generated predictions.")] = 200_000,
    seed: Annotated[int, typer.Option(help="Same seed, same report.")] = 0,
) -> None:
    """Measure and repair the calibration of a generated set of predictions."""
    from flows.demo import run_demo

    run_demo(out, n_pairs=pairs, seed=seed)


@app.command()
def ingest(
    sources: Annotated[list[str], typer.Argument(metavar="SRC...", help="Files or folders, local or s3://.")],
    out: Annotated[str, typer.Option(help="The warehouse: a folder or s3://bucket/path.")],
    format_: Annotated[
        str | None,
        typer.Option("--format", help="jsonl, csv, parquet, nitf, gigaword or reuters; else told by content."),
    ] = None,
    duplicates: Annotated[
        str, typer.Option(help="When an id comes twice: refuse all, or skip the later one.")
    ] = "refuse",
    field: Annotated[
        list[str] | None, typer.Option(help="COLUMN=NAME where your file names a column otherwise, e.g. text=body.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The report as JSON on standard output.")] = False,
) -> None:
    """Bring an archive of articles into a warehouse; the same files again change nothing."""
    from flows.ingest_command import run_ingest

    run_ingest(sources, out, format_, duplicates, field or [], as_json=as_json)


def main() -> None:
    """Entry point of the console script."""
    app()
