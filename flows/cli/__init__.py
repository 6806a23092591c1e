"""The `credence` command line: one module per command, named after it.

Covers: which commands there are, in which order.
Not here: their options (beside each command), any work (`flows.jobs`). A command imports its job only when called, so
`--help` answers at once.
"""

from typing import Annotated

import typer

from flows.cli import (
    anchor,
    calibrate,
    counts,
    demo,
    doctor,
    explain,
    ingest,
    label,
    methods,
    models,
    parse,
    propagate,
    prune,
    quickstart,
    report,
    sample,
    score,
    serve,
    train_coref,
    train_parser,
    uncertain,
)
from flows.cli.whole_output import whole_output

# In the order of `credence --help`: what a newcomer needs first.
COMMANDS = (
    demo, quickstart, ingest, propagate, counts, report, explain, uncertain, sample, label, anchor, methods,
    calibrate, serve, prune, doctor, parse, score,
)  # fmt: skip
TRAINING = (train_coref, train_parser)

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
train = typer.Typer(no_args_is_help=True, help="Retrain the models that ship with Credence, reproducibly.")
models_group = typer.Typer(
    no_args_is_help=True, help="Models too large to ship, and figures that ship with the others."
)


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


for command in COMMANDS:
    command.register(app)
for command in TRAINING:
    command.register(train)
app.add_typer(train, name="train")
models.register(models_group)
app.add_typer(models_group, name="models")


def main() -> None:
    """Entry point of the console script."""
    with whole_output():
        app()
