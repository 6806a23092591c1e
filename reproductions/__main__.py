"""`python -m reproductions NAME`: run an experiment of the papers and set our figures beside theirs.

Covers: options, progress, error messages.
Not here: the experiments and their pages, one folder each, imported when they run.
"""

import time
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.whole_output import whole_output

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The experiment, or `all`; --list shows them.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder with the public data; missing files are named.")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for the table, the pictures and the page.")
    ] = Path("docs/reproductions"),
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same figures.")] = 0,
    list_: Annotated[bool, typer.Option("--list", help="List the experiments and exit.")] = False,
) -> None:
    """Rerun an experiment of the papers, with our figures beside theirs."""
    from reproductions.catalogue import EXPERIMENTS

    if list_ or name is None:
        for experiment in EXPERIMENTS:
            typer.echo(f"{experiment.name:12}{experiment.title}")
        return
    names = [experiment.name for experiment in EXPERIMENTS] if name == "all" else [name]
    check_data(names, data)
    seconds = {chosen: run_experiment(chosen, data, out, seed) for chosen in names}
    if len(seconds) > 1:
        longest = ", ".join(
            f"{chosen} {seconds[chosen]:.0f}" for chosen in sorted(seconds, key=lambda one: -seconds[one])
        )
        typer.echo(f"{sum(seconds.values()) / 60:.0f} min in all; seconds: {longest}")


def check_data(names: list[str], data: Path | None) -> None:
    """Check that all data of the experiments are there before hours go into the first of them."""
    from reproductions.catalogue import find_experiment
    from reproductions.sources import require

    try:
        needs = [need for name in names for need in find_experiment(name).needs]
        require(dict.fromkeys(needs), data)
    except (FileNotFoundError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None


def run_experiment(name: str, data: Path | None, out: Path, seed: int) -> float:
    """Run one experiment, write its files and say where they are; return the seconds that it took."""
    from flows.cli.display import progress_display
    from reproductions.catalogue import find_experiment
    from reproductions.findings import DataFolder, MissingDataError
    from reproductions.stages import Stages
    from reproductions.writing import write_findings
    from workers.one_thread import one_thread

    started = time.monotonic()
    try:
        experiment = find_experiment(name)
        with progress_display() as on_progress:
            progress = Stages(on_progress)
            run = experiment.load()
            with one_thread():  # the same figures on any number of cores
                findings = run(DataFolder(data or Path()), progress, seed)
            progress.stage("drawing")
            paths = write_findings(experiment, findings, out)
    except MissingDataError as error:
        raise typer.BadParameter(f"experiment {name}: {error}") from None
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    typer.echo(f"{name}: {findings.verdict}")
    took = time.monotonic() - started
    typer.echo(f"{took:.0f} s; wrote {', '.join(str(path) for path in paths)}")
    return took


if __name__ == "__main__":
    with whole_output():
        app()
