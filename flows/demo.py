"""`credence demo`: how a text becomes a probability, and whether probabilities can be trusted.

First four short articles go through the shipped models. Then predictions are generated, in documents whose rows err
together, with a miscalibration that is known, so that each figure can be held against the truth.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import (
    HistogramBinning,
    IsotonicCalibration,
    PlattScaling,
    ScalingBinning,
    TemperatureScaling,
    bin_size_sweep,
    brier_score,
    calibration_error_interval,
    calibration_test,
    cluster_bootstrap,
    debiased_error_interval,
    log_loss,
    recommended_bin_size,
    reliability_curve,
    synthetic_documents,
    true_calibration_error,
)
from flows.reliability_chart import reliability_chart
from flows.worked_example import worked_example

SHIFT = 0.1
"""True frequencies lie this much farther from the middle than the predictions: the model is too cautious."""
ROWS = 100
"""Predictions in each document."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions of one half of the documents, their labels and their documents."""

    pred: Floats
    label: Bools
    document: Ints


def run_demo(out: Path, *, n_pairs: int, seed: int) -> None:
    """Answer for four articles, then measure and repair calibration; print tables and write pictures to `out`."""
    console = Console()
    with console.status("Loading the parser and the coreference model"):
        table = worked_example(seed=seed)
    console.print(table)
    console.print("Counts over many articles are as good as these probabilities. Can they be trusted? An example:\n")
    pred, label, document = synthetic_documents(n_pairs // ROWS, ROWS, k=SHIFT, seed=seed)
    half = len(pred) // (2 * ROWS) * ROWS
    fit, test = (Predictions(pred[part], label[part], document[part]) for part in (np.s_[:half], np.s_[half:]))
    bin_size = recommended_bin_size(len(test.pred))
    console.print(
        f"[bold]{len(pred):,} generated predictions in {len(pred) // ROWS:,} documents.[/] "
        f"One half teaches the repairs, the other is measured, in bins of {bin_size:,}.\n"
        f"The model is too cautious by {SHIFT}: its true calibration error is {true_calibration_error(k=SHIFT):.4f}.\n"
    )
    console.print(measures(test, bin_size), sweep(test), repairs(fit, test, bin_size))
    with console.status("Drawing"):
        draw(out, fit, test, bin_size)
    console.print(f"Pictures: {out / 'reliability.html'}, also .png and .svg.")
    console.print("What the figures mean: docs/calibration-core.md")


def draw(out: Path, fit: Predictions, test: Predictions, bin_size: int) -> None:
    """Reliability diagrams before and after a repair."""
    repaired = IsotonicCalibration().fit(fit.pred, fit.label).predict(test.pred)
    chart = reliability_chart(
        {
            "as predicted": reliability_curve(test.pred, test.label, bin_size=bin_size),
            "after isotonic recalibration": reliability_curve(repaired, test.label, bin_size=bin_size),
        },
        title="When the model says 30 %, how often does it happen?",
        subtitle="Points: adaptive bins of equal size. Bars: 95 % Wilson intervals. Dashed: perfect calibration.",
    )
    out.mkdir(parents=True, exist_ok=True)
    chart.save(out / "reliability.html", inline=True)
    for name in ("reliability.png", "reliability.svg"):
        chart.save(out / name, scale_factor=2)


def measures(data: Predictions, bin_size: int) -> Table:
    """The error by several routes, each with what it is good for."""
    paper = calibration_error_interval(data.pred, data.label, bin_size=bin_size)
    alone = debiased_error_interval(data.pred, data.label, bin_size=bin_size)
    together = cluster_bootstrap(data.pred, data.label, data.document, bin_size=bin_size)
    test = calibration_test(data.pred, data.label, bin_size=bin_size, groups=data.document)
    table = Table(
        "calibration error", "value", "95 % interval", "how to read it", title="How far off?", title_justify="left"
    )
    for name, found, meaning in [
        ("as in the paper", paper, "includes noise: too high"),
        ("less noise", alone, "narrow: takes rows as independent"),
        ("less noise, by document", together, "the one to report"),
    ]:
        table.add_row(name, f"{found.value:.4f}", f"{found.lo:.4f} - {found.hi:.4f}", meaning)
    floor = f"0 - {test.null_error_95:.4f}"
    table.add_row("a perfect model's", f"{test.null_error:.4f}", floor, f"p ≤ {test.p_value:.2g} for ours")
    return table


def sweep(data: Predictions) -> Table:
    """How far the answer depends on the bin size."""
    found = bin_size_sweep(data.pred, data.label)
    table = Table(
        "bin size", "bins", "error", "without noise", "noise", title="Does the bin size matter?", title_justify="left"
    )
    for size, n_bins, error, debiased, noise in zip(
        found.bin_size.tolist(), found.n_bins.tolist(), found.error, found.debiased, found.noise, strict=True
    ):
        mark = " *" if size == found.best else ""
        table.add_row(f"{size:,}{mark}", f"{n_bins:,}", f"{error:.4f}", f"{debiased:.4f}", f"{noise:.4f}")
    table.caption = "* predicts left-out rows best"
    return table


def repairs(fit: Predictions, test: Predictions, bin_size: int) -> Table:
    """Each calibrator, fitted on one half and judged on the other."""
    table = Table(
        "predictions", "error without noise", "Brier score", "log loss", title="Repaired?", title_justify="left"
    )
    calibrators = [
        HistogramBinning(n_bins=20),
        IsotonicCalibration(),
        ScalingBinning(n_bins=20),
        PlattScaling(),
        TemperatureScaling(),
    ]
    rows = {"as they are": test.pred}
    rows |= {type(c).__name__: c.fit(fit.pred, fit.label).predict(test.pred) for c in calibrators}
    for name, pred in rows.items():
        error = cluster_bootstrap(pred, test.label, test.document, bin_size=bin_size).value
        table.add_row(name, f"{error:.4f}", f"{brier_score(pred, test.label):.4f}", f"{log_loss(pred, test.label):.4f}")
    table.caption = "inf: a prediction of exactly 0 or 1 was wrong once"
    return table
