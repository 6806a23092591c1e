"""`credence label`: the labelling page, and labels made elsewhere.

Exit codes: 0 done, also when the page is stopped by Ctrl-C; 1 refused or failed, the log is as it was; 2 wrong usage.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.errors import sentences, warn
from flows.cli.options import FrameId, Warehouse
from flows.jobs.requests import ImportLabelsRequest, LabelRequest

if TYPE_CHECKING:
    from flows.jobs.label import LabelReport

LAST_PORT = 65535
BROKEN_SHOWN = 5


def register(app: typer.Typer) -> None:
    """Add `label` to the command line."""
    app.command()(label)


def label(
    warehouse: Warehouse,
    frame: FrameId = LabelRequest.frame,
    coder: Annotated[
        str, typer.Option(metavar="NAME", help="Who labels; the page asks otherwise. With --import: whose labels.")
    ] = LabelRequest.coder,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=LAST_PORT, help="Port on this machine; 0 takes a free one.")
    ] = LabelRequest.port,
    import_: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="Add labels made elsewhere: CSV, doccano or Label Studio."),
    ] = None,
) -> None:
    """Label the articles of a sample in the browser, on this machine alone; or import labels made elsewhere."""
    if import_ is not None:
        _import(ImportLabelsRequest(warehouse=warehouse, file=str(import_), frame=frame, coder=coder))
    else:
        _serve(LabelRequest(warehouse=warehouse, frame=frame, coder=coder, port=port))


def _import(request: ImportLabelsRequest) -> None:
    from flows.jobs.import_labels import import_labels

    with sentences("label", left="nothing was imported"):
        done = import_labels(request)
    typer.echo(f"{done.added:,} answers added to frame {done.frame_id}, by {', '.join(done.coders) or 'nobody'}")
    if done.known:
        typer.echo(f"{done.known:,} were known already")
    if done.unanswered:
        typer.echo(f"{done.unanswered:,} records have no answer")


def _serve(request: LabelRequest) -> None:
    from flows.jobs.label import open_labelling, report

    with sentences("label", left="no label was lost"):
        server = open_labelling(request)
        _show(report(server.desk))
        try:
            typer.echo(f"\nOpen this address in a browser on this machine; Ctrl-C stops:\n\n    {server.address}\n")
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("\nStopped; every answer that the page showed as saved is on the disk.")
        finally:
            server.server_close()
        _show(report(server.desk))


def _show(done: "LabelReport") -> None:
    parts = [f"{done.answered:,} of {done.drawn:,} articles answered"]
    parts += [f"{done.skipped:,} skipped"] if done.skipped else []
    parts += [f"{done.disputed:,} disputed"] if done.disputed else []
    typer.echo(f"Frame {done.frame_id} of the query {done.query!r}: {', '.join(parts)}.")
    for line in done.broken[:BROKEN_SHOWN]:
        warn(line)
    if len(done.broken) > BROKEN_SHOWN:
        warn(f"... and {len(done.broken) - BROKEN_SHOWN:,} more lines of the log that cannot be read")
