"""`python -m reproductions.demonstration write` rebuilds the archive; `... check` compares the models with its truth.

Covers: the two commands and their options.
Not here: the work (`writing`, `check`).
"""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
SHIPPED = Path(__file__).parents[2] / "flows" / "demonstration" / "data"


@app.command()
def write(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the two files.")] = SHIPPED,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Another seed, another archive.")] = None,
) -> None:
    """Generate the articles and their truth."""
    from reproductions.demonstration import writing

    writing.write(out, writing.SEED if seed is None else seed)


@app.command()
def check(
    samples: Annotated[int, typer.Option(metavar="N", min=1, help="Clusterings sampled for each article.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same figures.")] = 0,
    wrong: Annotated[
        bool, typer.Option("--wrong", help="Also list the articles that are wrong even under gold clusters.")
    ] = False,
) -> None:
    """Parse every article past the gate and compare the answers with the truth."""
    from rich.console import Console
    from rich.progress import Progress

    from reproductions.demonstration import check as checking

    console = Console()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("articles", total=len(checking.texts()))
        found = list(checking.outcomes(n_samples=samples, seed=seed, tick=lambda: progress.advance(task)))
    console.print(checking.by_kind(found), checking.by_probability(found))
    for outcome in found if wrong else ():
        truth = outcome.truth
        if outcome.gold != truth.countries:
            console.print(f"{truth.doc_id} {truth.kind}/{truth.plot}: true {truth.countries}, found {outcome.gold}")


if __name__ == "__main__":
    app()
