"""`credence calibrate`: its options.

Covers: names, defaults and help of the options.
Not here: any work; it is imported when the command is called, so that `--help` answers at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from flows.options import AsJson, Coref, Memory, OutWarehouse, Parser, Scheduler, TlsCa, TlsCert, TlsKey


def register(app: typer.Typer) -> None:
    """Add `calibrate` to the command line."""
    app.command("calibrate")(calibrate)


def calibrate(
    out: OutWarehouse,
    data: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DATA", help="Annotated files or folders: CorefUD, OntoGUM, CoNLL-2012, LitBank."),
    ] = None,
    demonstration: Annotated[
        bool, typer.Option("--demonstration", help="Judge the counts of the demonstration archive instead of DATA.")
    ] = False,
    folds: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Train this many models, each without the documents it is measured on."),
    ] = 0,
    mode: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="gold_mentions, gold_trees or raw_text; may be repeated. Default: all."),
    ] = None,
    coref: Coref = "default",
    parser: Parser = "default",
    samples: Annotated[int, typer.Option(metavar="N", min=10, help="Clusterings drawn for events.")] = 1000,
    paper_samples: Annotated[
        int, typer.Option(metavar="N", min=0, help="Also measure pairs as the paper does, from so many samples.")
    ] = 0,
    seed: Annotated[int, typer.Option(metavar="N", help="Same data, model and seed, same figures.")] = 0,
    dataset: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the corpus; else by its folder.")] = None,
    split: Annotated[str | None, typer.Option(metavar="NAME", help="train, dev or test; else by the folder.")] = None,
    allow_training_data: Annotated[
        bool, typer.Option("--allow-training-data", help="Measure even what the model was trained on.")
    ] = False,
    keep_models: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Folder to keep the models of --folds in.")
    ] = None,
    fail_above: Annotated[
        float | None,
        typer.Option(metavar="P", min=0, max=1, help="Exit with 5 if the repaired pair CalibErr is larger."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Worker processes; default: one a core; 0: all in this process."),
    ] = None,
    memory: Memory = "4GiB",
    scheduler: Scheduler = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    charts: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Folder for pictures of the figures.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how far the probabilities of coreference and events can be trusted, and repair them."""
    from flows.calibrate_command import CalibrateRequest, run_calibrate
    from flows.cluster_options import cluster_config

    if bool(data) == demonstration:
        raise typer.BadParameter("give annotated DATA, or --demonstration instead of it")
    request = CalibrateRequest(
        tuple(data or ()), out, folds, tuple(mode or ()), coref, parser, samples, paper_samples, seed, dataset, split,
        allow_training_data, keep_models, fail_above, charts, demonstration,
    )  # fmt: skip
    here = workers == 0 and scheduler is None
    tls = (tls_ca, tls_cert, tls_key)
    run_calibrate(
        request, None if here else lambda: cluster_config(workers, memory, scheduler, tls=tls), as_json=as_json
    )
