"""`credence propagate`: bring the posterior counts of an archive up to date.

Exit codes are those of `flows.cli.errors`; 3: published, but documents were quarantined.
"""

import json
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import INCOMPLETE, sentences
from flows.cli.options import AsJson, Coref, Memory, Parser, Scheduler, Seed, TlsCa, TlsCert, TlsKey, Warehouse
from flows.jobs.requests import ClusterRequest, PropagateRequest

if TYPE_CHECKING:
    from workers.propagate import RunReport


def register(app: typer.Typer) -> None:
    """Add `propagate` to the command line."""
    app.command()(propagate)


def propagate(
    warehouse: Warehouse,
    query: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE",
            help=f"A bundled query or a file (default: {PropagateRequest.query[0]}); repeat it to ask several at once.",
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option(metavar="N", help="Posterior samples per document.")
    ] = PropagateRequest.samples,
    seed: Seed = PropagateRequest.seed,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Worker processes to start here; default: one per core.")
    ] = ClusterRequest.workers,
    scheduler: Scheduler = ClusterRequest.scheduler,
    memory: Memory = ClusterRequest.memory,
    calibration: Annotated[
        str, typer.Option(metavar="NAME|CALIBRATION", help="Recalibration: latest, none, or a calibration's id.")
    ] = PropagateRequest.calibration,
    syntax: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="best: always the parser's best tree; samples: a tree of its own per sample."
        ),
    ] = PropagateRequest.syntax,
    since: Annotated[
        str | None, typer.Option(metavar="DAY", help="First day of publication, as 1987-01-31.")
    ] = PropagateRequest.since,
    until: Annotated[str | None, typer.Option(metavar="DAY", help="Last day of publication.")] = PropagateRequest.until,
    parser: Parser = PropagateRequest.parser,
    coref: Coref = PropagateRequest.coref,
    titles: Annotated[bool, typer.Option("--with-titles", help="Read headlines too.")] = PropagateRequest.titles,
    retry_quarantined: Annotated[
        bool, typer.Option("--retry-quarantined", help="Retry documents that failed in the latest run.")
    ] = PropagateRequest.retry_quarantined,
    tls_ca: TlsCa = ClusterRequest.ca,
    tls_cert: TlsCert = ClusterRequest.cert,
    tls_key: TlsKey = ClusterRequest.key,
    as_json: AsJson = False,
) -> None:
    """Gate, annotate, sample, count and publish; only what changed is redone."""
    from flows.jobs.propagate import propagate as run
    from workers.storage import public_name

    request = PropagateRequest(
        warehouse=warehouse,
        query=tuple(query or PropagateRequest.query),
        samples=samples,
        seed=seed,
        calibration=calibration,
        syntax=syntax,
        since=since,
        until=until,
        parser=parser,
        coref=coref,
        titles=titles,
        retry_quarantined=retry_quarantined,
        cluster=ClusterRequest(
            workers=workers, memory=memory, scheduler=scheduler, ca=tls_ca, cert=tls_cert, key=tls_key
        ),
    )
    with sentences("propagate"), progress_display() as on_progress:
        reports = run(request, on_progress=on_progress)
    for report in reports:
        if as_json:
            typer.echo(json.dumps(report.to_dict()))
        else:
            _show(report, warehouse, several=len(reports) > 1)
    if not as_json:
        chosen = f" --run {shlex.quote(reports[-1].query)}" if len(reports) > 1 else ""
        typer.echo(f"Next: credence counts {public_name(warehouse)}{chosen}")
    if any(report.quarantined for report in reports):
        raise typer.Exit(INCOMPLETE)


def _show(report: "RunReport", warehouse: str, *, several: bool) -> None:
    """What was published, and where to look next."""
    from workers.storage import public_name

    typer.echo(
        f"{report.query + ': ' if several else ''}{report.documents:,} documents: {report.counted:,} counted, "
        f"{report.gated_out:,} gated out, {report.quarantined:,} quarantined. {report.rows:,} rows of counts."
    )
    name = public_name(warehouse)
    # object stores have no links, and only one of several runs is the latest
    folder = f"{name}/{report.path if several or '://' in warehouse else 'latest'}"
    typer.echo(f"{'Published' if report.new else 'Up to date'}: {folder}/counts.parquet")
    if report.quarantined:
        typer.echo(f"Why documents were quarantined: {folder}/quarantine.parquet")
