"""Commands that work on a warehouse: propagate, counts, prune, doctor.

Covers: their options.
Not here: what they do; each imports it when called.
"""

from typing import Annotated

import typer

Where = Annotated[str, typer.Argument(metavar="W", help="The warehouse: a folder or s3://bucket/path.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON on standard output, for machines.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Worker processes to start here; default: one a core.")]
Scheduler = Annotated[str | None, typer.Option(help="A running Dask scheduler instead: tcp://... or tls://...")]
Memory = Annotated[str, typer.Option(help="Memory limit of each worker process started here.")]
TlsCa = Annotated[str | None, typer.Option(help="TLS: file of the certificate authority.")]
TlsCert = Annotated[str | None, typer.Option(help="TLS: file of the certificate.")]
TlsKey = Annotated[str | None, typer.Option(help="TLS: file of its key.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (propagate, counts, prune, doctor):
        app.command()(command)


def propagate(
    warehouse: Where,
    query: Annotated[str, typer.Option(help="A bundled query, or a YAML file of your own.")] = "attack",
    samples: Annotated[int, typer.Option(help="Posterior samples of each document.")] = 100,
    seed: Annotated[int, typer.Option(help="Same seed, same counts.")] = 0,
    workers: Workers = None,
    scheduler: Scheduler = None,
    memory: Memory = "3GiB",
    calibration: Annotated[str, typer.Option(help="latest, none, or the id of a calibration.")] = "latest",
    since: Annotated[str | None, typer.Option(help="First day of publication, as 1987-01-31.")] = None,
    until: Annotated[str | None, typer.Option(help="Last day of publication.")] = None,
    parser: Annotated[str, typer.Option(help="default, fast, stanza, or a folder of models.")] = "default",
    coref: Annotated[str, typer.Option(help="default, or the folder of a trained model.")] = "default",
    titles: Annotated[bool, typer.Option("--with-titles", help="Read headlines too.")] = False,
    retry_quarantined: Annotated[bool, typer.Option(help="Try documents again that failed in the latest run.")] = False,
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
    warehouse: Where,
    country: Annotated[list[str] | None, typer.Option(help="Country code; twice to compare two.")] = None,
    first: Annotated[str | None, typer.Option("--from", help="First quarter, as 1995Q1.")] = None,
    last: Annotated[str | None, typer.Option("--to", help="Last quarter.")] = None,
    run: Annotated[str | None, typer.Option(help="A run's id; default: the latest.")] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="As CSV on standard output.")] = False,
) -> None:
    """Print posterior counts; with two countries also how probable it is that the first is above the second."""
    from flows.counts_command import run_counts

    run_counts(warehouse, country or [], (first, last), run, as_json=as_json, as_csv=as_csv)


def prune(
    warehouse: Where,
    keep: Annotated[int, typer.Option(min=1, help="Runs to keep, newest first; the latest is always kept.")],
    annotations: Annotated[bool, typer.Option(help="Also delete annotations that no kept run uses.")] = False,
    dry_run: Annotated[bool, typer.Option(help="Only say what would be deleted.")] = False,
) -> None:
    """Delete old runs and what only they needed."""
    from flows.upkeep_commands import run_prune

    run_prune(warehouse, keep, annotations=annotations, dry_run=dry_run)


def doctor(
    warehouse: Annotated[str | None, typer.Argument(metavar="[W]", help="A warehouse to check as well.")] = None,
    scheduler: Scheduler = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    as_json: AsJson = False,
) -> None:
    """Check the installation, the models, the storage and the cluster."""
    from flows.upkeep_commands import run_doctor

    run_doctor(warehouse, scheduler, (tls_ca, tls_cert, tls_key), as_json=as_json)
