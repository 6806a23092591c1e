"""`credence doctor`: one line per check of the installation. Exits with 1 if one of them fails."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from flows.cli.errors import FAILED, sentences
from flows.cli.options import AsJson, Scheduler, TlsCa, TlsCert, TlsKey
from flows.jobs.requests import ClusterRequest, DoctorRequest


def register(app: typer.Typer) -> None:
    """Add `doctor` to the command line."""
    app.command()(doctor)


def doctor(
    warehouse: Annotated[
        str | None, typer.Argument(metavar="W", help="A warehouse to check as well.")
    ] = DoctorRequest.warehouse,
    scheduler: Scheduler = DoctorRequest.cluster.scheduler,
    tls_ca: TlsCa = DoctorRequest.cluster.ca,
    tls_cert: TlsCert = DoctorRequest.cluster.cert,
    tls_key: TlsKey = DoctorRequest.cluster.key,
    as_json: AsJson = False,
) -> None:
    """Check the installation, the models, the storage and the cluster."""
    from flows.jobs.doctor import doctor as run

    cluster = ClusterRequest(scheduler=scheduler, ca=tls_ca, cert=tls_cert, key=tls_key)
    with sentences("doctor"):
        checks = run(DoctorRequest(warehouse=warehouse, cluster=cluster))
    if as_json:
        typer.echo(json.dumps([asdict(check) for check in checks]))
    else:
        for check in checks:
            mark = typer.style("good", fg="green") if check.good else typer.style("BAD ", fg="red")
            typer.echo(f"{mark}  {check.name}: {check.finding}")
    if not all(check.good for check in checks):
        raise typer.Exit(FAILED)
