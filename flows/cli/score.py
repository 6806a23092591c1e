"""`credence score`: coreference scores of two CoNLL files."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from flows.cli.display import output
from flows.cli.errors import sentences
from flows.cli.options import AsJson
from flows.jobs.requests import ScoreRequest

if TYPE_CHECKING:
    from calib_core.coref import Scores


def register(app: typer.Typer) -> None:
    """Add `score` to the command line."""
    app.command()(score)


def score(
    key: Annotated[
        Path, typer.Argument(metavar="KEY", exists=True, dir_okay=False, help="CoNLL file with the annotation.")
    ],
    response: Annotated[
        Path, typer.Argument(metavar="RESPONSE", exists=True, dir_okay=False, help="CoNLL file to be scored.")
    ],
    as_json: AsJson = False,
) -> None:
    """Coreference scores of two CoNLL files, as the CoNLL reference scorer defines them."""
    from flows.jobs.score import score as run

    with sentences("score", usage=True):
        scores = run(ScoreRequest(key=key, response=response))
    if as_json:
        typer.echo(json.dumps(scores.as_dict() | {"pair_error": scores.pair_error}, indent=2))
    else:
        _show(scores)


def _show(scores: "Scores") -> None:
    table = Table("metric", *(name.rjust(9) for name in ("recall", "precision", "F1")))
    for name, values in scores.as_dict().items():
        table.add_row(name, *(f"{100 * values[part]:9.2f}" for part in ("recall", "precision", "f1")))
    output().print(table)
