"""`credence serve`: the schedules of one machine, seen from the terminal.

Covers: the option, checks before anything is served, one line per check.
Not here: serving (`flows.scheduled.serving`).
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add `serve` to the command line."""
    app.command()(serve)


def serve(
    configuration: Annotated[Path, typer.Argument(metavar="FILE", help="Configuration, as deploy/credence.yaml.")],
    check: Annotated[bool, typer.Option("--check", help="Only check the file and what it names.")] = False,
) -> None:
    """Run the scheduled flows on this machine, with a Prefect server of their own unless PREFECT_API_URL is set."""
    from rich.console import Console

    from flows.failures import exit_codes

    os.environ.setdefault("PREFECT_LOGGING_EXTRA_LOGGERS", "workers,flows")  # before Prefect reads its settings
    with exit_codes(Console(stderr=True), "serve"):
        _serve(configuration, check=check)


def _serve(path: Path, *, check: bool) -> None:
    from rich.console import Console

    from flows.scheduled.checks import check_cluster, check_question, check_sources, check_warehouse
    from flows.scheduled.configuration import read_configuration

    console = Console(highlight=False, soft_wrap=True)
    config = read_configuration(path)
    warehouse = check_warehouse(config.warehouse)
    steps: dict[str, Callable[[], None]] = {
        "sources": lambda: check_sources(config.sources),
        "query and models": lambda: check_question(warehouse, config.question),
        "cluster": lambda: check_cluster(config.cluster),
    }
    console.print(f"good  {path} and its warehouse", markup=False)
    for name, step in steps.items():
        step()
        console.print(f"good  {name}", markup=False)
    if not check:
        from flows.scheduled.serving import serve_forever

        console.print("Serving the flows of the file; interrupt to stop.")
        serve_forever(config)
