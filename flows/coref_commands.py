"""The commands about coreference: train a model, score a response.

Covers: options, progress bars and tables.
Not here: any work (`calib_core.coref`); it is imported when a command is called, so that `--help` answers at once.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.options import AsJson

if TYPE_CHECKING:
    from calib_core.coref import Scores


def register(app: typer.Typer, train: typer.Typer) -> None:
    """Add `score` to the command line and `coref` to its `train` group."""
    app.command("score")(score_files)
    train.command("coref")(train_coref)


def score_files(
    key: Annotated[
        Path, typer.Argument(metavar="KEY", exists=True, dir_okay=False, help="CoNLL file with the annotation.")
    ],
    response: Annotated[
        Path, typer.Argument(metavar="RESPONSE", exists=True, dir_okay=False, help="CoNLL file to be scored.")
    ],
    as_json: AsJson = False,
) -> None:
    """Coreference scores of two CoNLL files, as the CoNLL reference scorer defines them."""
    from calib_core.coref import read_key_clusters, score_documents

    try:
        scores = score_documents(read_key_clusters(key), read_key_clusters(response))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if as_json:
        typer.echo(json.dumps(scores.as_dict() | {"pair_error": scores.pair_error}, indent=2))
    else:
        _print_table(scores)


def _print_table(scores: "Scores") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("metric", *(name.rjust(9) for name in ("recall", "precision", "F1")))
    for name, values in scores.as_dict().items():
        table.add_row(name, *(f"{100 * values[part]:9.2f}" for part in ("recall", "precision", "f1")))
    Console().print(table)


def train_coref(
    data: Annotated[
        list[Path], typer.Argument(metavar="DATA", help="Annotated, parsed files or folders (CorefUD, OntoGUM).")
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the weights.")],
    seed: Annotated[int, typer.Option(metavar="N", help="Same data and seed, same weights.")] = 0,
    epochs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Passes over the data.")] = None,
    members: Annotated[int | None, typer.Option(metavar="N", min=1, help="Models to average.")] = None,
) -> None:
    """Train the antecedent model that the package embeds."""
    from dataclasses import replace

    from rich.progress import Progress

    from calib_core.coref import TrainConfig, read_corpus, train_antecedent_model
    from workers.one_thread import one_thread

    config = TrainConfig(seed=seed)
    config = replace(config, epochs=epochs or config.epochs, members=members or config.members)
    try:
        documents = list(read_corpus(data, drop_singletons=True))
        with Progress() as bar, one_thread():
            task = bar.add_task("training", total=None)
            model = train_antecedent_model(
                documents,
                config,
                progress=lambda done, total, likelihood: bar.update(
                    task, completed=done, total=total, description=f"log-likelihood {likelihood:.4f} a mention"
                ),
            )
    except (ValueError, FileNotFoundError) as error:
        raise typer.BadParameter(str(error)) from None
    model.save(out)
    typer.echo(f"{len(documents)} documents; weights in {out}")
