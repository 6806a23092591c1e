"""Commands that work on a warehouse: propagate, counts, prune, doctor.

Covers: their options.
Not here: what they do; each imports it when called.
"""

from typing import Annotated

import typer

from flows.options import AsJson, Coref, Memory, Parser, RunId, Scheduler, TlsCa, TlsCert, TlsKey, Warehouse


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (propagate, counts, prune, doctor):
        app.command()(command)


def propagate(
    warehouse: Warehouse,
    query: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A bundled query, or a YAML file of your own.")
    ] = "attack",
    samples: Annotated[int, typer.Option(metavar="N", help="Posterior samples of each document.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same counts.")] = 0,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Worker processes to start here; default: one a core.")
    ] = None,
    scheduler: Scheduler = None,
    memory: Memory = "3GiB",
    calibration: Annotated[
        str, typer.Option(metavar="NAME|CALIBRATION", help="latest, none, or the id of a calibration.")
    ] = "latest",
    since: Annotated[str | None, typer.Option(metavar="DAY", help="First day of publication, as 1987-01-31.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DAY", help="Last day of publication.")] = None,
    parser: Parser = "default",
    coref: Coref = "default",
    titles: Annotated[bool, typer.Option("--with-titles", help="Read headlines too.")] = False,
    retry_quarantined: Annotated[
        bool, typer.Option("--retry-quarantined", help="Try documents again that failed in the latest run.")
    ] = False,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    as_json: AsJson = False,
) -> None:
    """Gate, annotate, sample, count and publish; only what changed is redone."""
    from flows.cluster_options import cluster_config
    from flows.propagate_command import Request, run_propagate

    request = Request(
        warehouse, query, samples, seed, calibration, since, until, parser, coref, titles, retry_quarantined
    )
    run_propagate(
        request,
        lambda: cluster_config(workers, memory, scheduler, tls=(tls_ca, tls_cert, tls_key)),
        as_json=as_json,
    )


def counts(
    warehouse: Warehouse,
    country: Annotated[
        list[str] | None, typer.Option(metavar="COUNTRY", help="A country's code; twice to compare two.")
    ] = None,
    first: Annotated[str | None, typer.Option("--from", metavar="QUARTER", help="First quarter, as 1995Q1.")] = None,
    last: Annotated[str | None, typer.Option("--to", metavar="QUARTER", help="Last quarter.")] = None,
    run_id: RunId = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="As CSV on standard output.")] = False,
) -> None:
    """Print posterior counts; with two countries also how probable it is that the first is above the second."""
    from flows.counts_command import run_counts

    run_counts(warehouse, country or [], (first, last), run_id, as_json=as_json, as_csv=as_csv)


def prune(
    warehouse: Warehouse,
    keep: Annotated[
        int, typer.Option(metavar="N", min=1, help="Runs to keep, newest first; the latest is always kept.")
    ],
    annotations: Annotated[
        bool, typer.Option("--annotations", help="Also delete annotations that no kept run uses.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted.")] = False,
) -> None:
    """Delete old runs and what only they needed."""
    from flows.upkeep_commands import run_prune

    run_prune(warehouse, keep, annotations=annotations, dry_run=dry_run)


def doctor(
    warehouse: Annotated[str | None, typer.Argument(metavar="W", help="A warehouse to check as well.")] = None,
    scheduler: Scheduler = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    as_json: AsJson = False,
) -> None:
    """Check the installation, the models, the storage and the cluster."""
    from flows.upkeep_commands import run_doctor

    run_doctor(warehouse, scheduler, (tls_ca, tls_cert, tls_key), as_json=as_json)
