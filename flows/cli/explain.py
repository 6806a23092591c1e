"""`credence explain`: why one article counts, in the terminal or as a page."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.display import output
from flows.cli.errors import sentences
from flows.cli.options import RunId, Warehouse
from flows.jobs.requests import ExplainRequest


def register(app: typer.Typer) -> None:
    """Add `explain` to the command line."""
    app.command()(explain)


def explain(
    warehouse: Warehouse,
    doc_id: Annotated[str, typer.Argument(metavar="DOC_ID", help="The article's id.")],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page instead of printing.")
    ] = ExplainRequest.html,
    every: Annotated[bool, typer.Option("--all", help="List all mentions, not only the ones that matter.")] = False,
    run_id: RunId = ExplainRequest.run_id,
) -> None:
    """Explain why an article counts: which mentions link a country to the verb, and how sure each link is."""
    from flows.jobs.explain import explain as run

    with sentences("explain"):
        report = run(ExplainRequest(warehouse=warehouse, doc_id=doc_id, html=html, run_id=run_id))
    if html is not None:
        typer.echo(f"{html}: written; open it in a browser; it works offline")
        return
    from flows.cli.explain_text import explanation_text

    output().print(explanation_text(report.explained, report.names, every=every))
    for sentence in report.labels:
        output().print(sentence, soft_wrap=True, markup=False)
