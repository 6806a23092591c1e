"""`credence calibrate`: how far the probabilities can be trusted, and a recalibration.

Exit codes are those of `flows.cli.errors`; 3: measured and published, but files were left
out; 5: the error is above --fail-above.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from flows.cli.display import output, progress_display
from flows.cli.errors import INCOMPLETE, MISCALIBRATED, sentences, warn_of_files
from flows.cli.options import AsJson, Coref, Memory, OutWarehouse, Parser, Scheduler, Strict, TlsCa, TlsCert, TlsKey
from flows.jobs.requests import CalibrateRequest, ClusterRequest

if TYPE_CHECKING:
    from workers.calibration.drive import CalibrationReport


def register(app: typer.Typer) -> None:
    """Add `calibrate` to the command line."""
    app.command()(calibrate)


def calibrate(
    out: OutWarehouse,
    data: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DATA", help="Annotated files or folders: CorefUD, OntoGUM, CoNLL-2012, LitBank."),
    ] = None,
    demonstration: Annotated[
        bool, typer.Option("--demonstration", help="Judge the counts of the demonstration archive instead of DATA.")
    ] = CalibrateRequest.demonstration,
    folds: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Train this many models, each without the documents it is measured on."),
    ] = CalibrateRequest.folds,
    mode: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="gold_mentions, gold_trees or raw_text; may be repeated. Default: all."),
    ] = None,
    coref: Coref = CalibrateRequest.coref,
    parser: Parser = CalibrateRequest.parser,
    samples: Annotated[
        int, typer.Option(metavar="N", min=10, help="Clusterings to sample for events.")
    ] = CalibrateRequest.samples,
    paper_samples: Annotated[
        int, typer.Option(metavar="N", min=0, help="Also measure pairs as the paper does, from this many samples.")
    ] = CalibrateRequest.paper_samples,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Same data, model and seed, same figures.")
    ] = CalibrateRequest.seed,
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the corpus; default: its folder's name.")
    ] = CalibrateRequest.dataset,
    split: Annotated[
        str | None, typer.Option(metavar="NAME", help="train, dev or test; default: by the folder's name.")
    ] = CalibrateRequest.split,
    allow_training_data: Annotated[
        bool, typer.Option("--allow-training-data", help="Measure even what the model was trained on.")
    ] = CalibrateRequest.allow_training_data,
    strict: Strict = CalibrateRequest.strict,
    keep_models: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Folder to keep the models of --folds in.")
    ] = CalibrateRequest.keep_models,
    fail_above: Annotated[
        float | None,
        typer.Option(metavar="P", min=0, max=1, help="Exit with 5 if the pair CalibErr after recalibration is larger."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Worker processes; default: one per core; 0: all in this process."),
    ] = CalibrateRequest.cluster.workers,
    memory: Memory = CalibrateRequest.cluster.memory,
    scheduler: Scheduler = CalibrateRequest.cluster.scheduler,
    tls_ca: TlsCa = CalibrateRequest.cluster.ca,
    tls_cert: TlsCert = CalibrateRequest.cluster.cert,
    tls_key: TlsKey = CalibrateRequest.cluster.key,
    charts: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for pictures of the figures.")
    ] = CalibrateRequest.charts,
    as_json: AsJson = False,
) -> None:
    """Measure how far the probabilities of coreference and events can be trusted, and recalibrate them."""
    if bool(data) == demonstration:
        raise typer.BadParameter("give annotated DATA, or --demonstration instead of it")
    from flows.jobs.calibrate import calibrate as run
    from flows.jobs.calibration_summary import summary

    request = CalibrateRequest(
        data=tuple(data or ()),
        warehouse=out,
        demonstration=demonstration,
        folds=folds,
        modes=tuple(mode or ()),
        coref=coref,
        parser=parser,
        samples=samples,
        paper_samples=paper_samples,
        seed=seed,
        dataset=dataset,
        split=split,
        allow_training_data=allow_training_data,
        strict=strict,
        keep_models=keep_models,
        charts=charts,
        cluster=ClusterRequest(
            workers=workers, memory=memory, scheduler=scheduler, ca=tls_ca, cert=tls_cert, key=tls_key
        ),
    )
    with sentences("calibrate"), progress_display() as on_progress:
        report = run(request, on_progress=on_progress)
    warn_of_files(report.left_out)
    if as_json:
        typer.echo(json.dumps(summary(report)))
    else:
        _show(output(), report)
    _check_limit(report, fail_above)
    if report.left_out:
        raise typer.Exit(INCOMPLETE)


def _check_limit(report: "CalibrationReport", fail_above: float | None) -> None:
    error = report.metric("calibration_error", recalibrated=report.form)
    if fail_above is not None and error is not None and error > fail_above:
        typer.secho(f"credence calibrate: pair CalibErr {error:.4f} is above {fail_above}.", fg="red", err=True)
        raise typer.Exit(MISCALIBRATED)


def _show(console: Console, report: "CalibrationReport") -> None:
    """Two tables for a reader: figures, and coverage of 95 % intervals."""
    console.print(
        f"{report.documents} documents of {report.dataset} ({report.split}); recalibration: {report.form}, fitted in "
        f"mode {report.fit_mode}; calibration {report.calibration_id}"
    )
    from flows.jobs.calibration_summary import headline

    table = Table("mode", "about", "which", "figure", "before", "recalibrated")
    for row in headline(report):
        values = ["" if row[when] is None else f"{row[when]:.4f}" for when in ("before", "after")]
        table.add_row(row["mode"], row["query"], row["slice"], row["metric"], *values)
    console.print(table)
    table = Table("mode", "counts of", "over", "interval", "recalibration", "covered", "a perfect model", "intervals")
    for row in report.tables.coverage:
        if row["nominal"] == 0.95:
            table.add_row(
                row["mode"], f"{row['query']}, {row['slice']}", row["level"], row["interval"], row["recalibrated"],
                f"{100 * row['covered']:.1f} %", f"{100 * row['expected']:.1f} %", str(row["n"]),
            )  # fmt: skip
    console.print(table)
