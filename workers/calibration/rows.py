"""Rows of the calibration tables, before the run stamps them.

Covers: where a figure belongs, figures of probabilities against 0/1 answers, what makes one unreliable.
Not here: which probabilities (`metrics`, `event_figures`), columns and their meaning (`workers.schemas`).
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.calibration import (
    adaptive_bins,
    brier_decomposition,
    calibration_test,
    cluster_bootstrap,
    curve_from_bins,
    interval_from_bins,
    log_loss,
    recommended_bin_size,
)
from calib_core.coref.posterior.marginals import FLOOR

Row = dict[str, Any]

FEW_DOCUMENTS = 30
"""With fewer documents, an interval from redrawing them cannot be trusted."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a figure belongs: columns that all three tables share."""

    mode: str
    recalibrated: str
    query: str
    slice: str = "all"
    genre: str = "all"


@dataclass(slots=True)
class Tables:
    """Rows gathered so far."""

    metrics: list[Row] = field(default_factory=list)
    bins: list[Row] = field(default_factory=list)
    coverage: list[Row] = field(default_factory=list)

    def add(self, other: "Tables") -> None:
        """Add the rows of another."""
        self.metrics += other.metrics
        self.bins += other.bins
        self.coverage += other.coverage


@dataclass(frozen=True, slots=True)
class Stated:
    """Predicted probabilities, 0/1 answers and the document of each row, all of shape (n_rows,)."""

    pred: Floats
    label: Floats
    groups: Ints

    @classmethod
    def joined(cls, parts: Iterable[tuple[Floats, Floats]]) -> "Stated":
        """One part per document."""
        listed = list(parts)
        groups = np.repeat(np.arange(len(listed)), [len(pred) for pred, _ in listed])
        empty = [np.zeros(0)]
        return cls(
            np.concatenate([*empty, *(pred for pred, _ in listed)]),
            np.concatenate([*empty, *(label for _, label in listed)]),
            groups,
        )

    def where(self, keep: Any) -> "Stated":
        """Some of the rows."""
        return Stated(self.pred[keep], self.label[keep], self.groups[keep])

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.pred)

    @property
    def documents(self) -> int:
        """Documents with at least one row."""
        return len(np.unique(self.groups))


def doubt(stated: Stated, bin_size: int) -> str | None:
    """Why a calibration figure of these rows is not reliable; None if it is."""
    if len(stated) < bin_size:
        return f"fewer predictions ({len(stated)}) than one bin ({bin_size})"
    if stated.documents < FEW_DOCUMENTS:
        return f"fewer documents ({stated.documents}) than {FEW_DOCUMENTS}"
    if not 0 < stated.label.sum() < len(stated):
        return "every answer is the same"
    return None


def metric_row(place: Place, metric: str, value: float, stated_n: int, documents: int, **more: Any) -> Row:
    """One row of the metrics table; columns not given are null, and the figure reliable."""
    row = {"lo": None, "hi": None, "interval": None, "bin_size": None, "reliable": True, "reason": None}
    return {**asdict(place), "metric": metric, "value": value, "n": stated_n, "documents": documents, **row, **more}


def calibration_tables(place: Place, stated: Stated, *, bin_size: int | None = None, detail: bool = False) -> Tables:
    """CalibErr with both intervals, its bins; in detail also the test against chance, and proper scores."""
    tables = Tables()
    if not len(stated):
        return tables
    size = bin_size or recommended_bin_size(len(stated))
    reason = doubt(stated, size)
    bins = adaptive_bins(stated.pred, stated.label, bin_size=size)
    error = interval_from_bins(bins)
    shared = {"bin_size": size, "reliable": reason is None, "reason": reason}
    n, documents = len(stated), stated.documents
    tables.metrics.append(
        metric_row(place, "calibration_error", error.value, n, documents,
                   lo=error.lo, hi=error.hi, interval="algorithm 2", **shared)
    )  # fmt: skip
    if documents > 1:
        free = cluster_bootstrap(stated.pred, stated.label, stated.groups, bin_size=size)
        tables.metrics.append(
            metric_row(place, "debiased_calibration_error", free.value, n, documents,
                       lo=free.lo, hi=free.hi, interval="documents", **shared)
        )  # fmt: skip
    if detail:
        tables.metrics += _details(place, stated, size, shared)
    tables.bins += _bin_rows(place, bins, size)
    return tables


def _details(place: Place, stated: Stated, size: int, shared: Row) -> list[Row]:
    """Would a perfect model show as much? And what do proper scores say?"""
    parts = brier_decomposition(stated.pred, stated.label, bin_size=size)
    figures = {
        "brier": parts.loss,
        "refinement": parts.refinement,
        "sharpness": parts.sharpness,
        "log_loss": log_loss(np.clip(stated.pred, FLOOR, 1 - FLOOR), stated.label),
        "mean_prediction": float(stated.pred.mean()),
        "base_rate": float(stated.label.mean()),
    }
    if stated.documents > 1:
        test = calibration_test(stated.pred, stated.label, bin_size=size, groups=stated.groups, n_samples=2000)
        figures |= {"chance_error_95": test.null_error_95, "p_value": test.p_value}
    return [metric_row(place, name, value, len(stated), stated.documents, **shared) for name, value in figures.items()]


def _bin_rows(place: Place, bins: Any, size: int) -> list[Row]:
    curve = curve_from_bins(bins)
    columns = (curve.size, curve.mean_pred, curve.mean_label, curve.label_lo, curve.label_hi)
    names = ("size", "mean_pred", "mean_label", "label_lo", "label_hi")
    listed = zip(*(column.tolist() for column in columns), strict=True)
    return [
        {**asdict(place), "bin_size": size, "bin": number, **dict(zip(names, values, strict=True))}
        for number, values in enumerate(listed)
    ]
