"""`credence prune`: delete old runs."""

from typing import Annotated

import typer

from flows.cli.errors import sentences
from flows.cli.options import Warehouse
from flows.jobs.requests import PruneRequest


def register(app: typer.Typer) -> None:
    """Add `prune` to the command line."""
    app.command()(prune)


def prune(
    warehouse: Warehouse,
    keep: Annotated[
        int, typer.Option(metavar="N", min=1, help="Runs to keep, newest first; the latest is always kept.")
    ],
    annotations: Annotated[
        bool, typer.Option("--annotations", help="Also delete annotations that no kept run uses.")
    ] = PruneRequest.annotations,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be deleted.")] = PruneRequest.dry_run,
) -> None:
    """Delete old runs and what only they needed."""
    from flows.jobs.prune import prune as run

    with sentences("prune"):
        pruning = run(PruneRequest(warehouse=warehouse, keep=keep, annotations=annotations, dry_run=dry_run))
    for name in pruning.names:
        typer.echo(name)
    verb = "would be deleted" if dry_run else "deleted"
    typer.echo(f"{len(pruning.runs):,} runs and {len(pruning.names) - len(pruning.runs):,} other entries {verb}.")
