"""`credence serve`: the scheduled flows of one machine.

Checks first, one line per check; then serves until interrupted.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.errors import sentences


def register(app: typer.Typer) -> None:
    """Add `serve` to the command line."""
    app.command()(serve)


def serve(
    configuration: Annotated[Path, typer.Argument(metavar="FILE", help="Configuration, as deploy/credence.yaml.")],
    check: Annotated[bool, typer.Option("--check", help="Only check the file and what it names.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Also print what Dask and Prefect log.")] = False,
) -> None:
    """Run the scheduled flows on this machine, with a Prefect server of their own unless PREFECT_API_URL is set."""
    os.environ.setdefault("PREFECT_LOGGING_EXTRA_LOGGERS", "workers,flows")  # before Prefect reads its settings
    with sentences("serve"):
        _serve(configuration, check=check, verbose=verbose)


def _serve(path: Path, *, check: bool, verbose: bool) -> None:
    from flows.scheduled.checks import check_cluster, check_question, check_sources, check_warehouse
    from flows.scheduled.configuration import read_configuration

    config = read_configuration(path)
    warehouse = check_warehouse(config.warehouse)
    steps: dict[str, Callable[[], None]] = {
        "sources": lambda: check_sources(config.sources),
        "query and models": lambda: check_question(warehouse, config.question),
        "cluster": lambda: check_cluster(config.cluster),
    }
    typer.echo(f"good  {path} and its warehouse")
    for name, step in steps.items():
        step()
        typer.echo(f"good  {name}")
    if not check:
        from flows.scheduled.serving import serve_forever

        typer.echo("Serving the flows of the file; interrupt to stop.")
        serve_forever(config, verbose=verbose)
