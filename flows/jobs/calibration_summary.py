"""The headline figures of a calibration, out of the hundreds in its tables.

Covers: which figures, before and after recalibration, as rows and as JSON.
Not here: measuring them (`workers.calibration`).
"""

from typing import Any

from workers.calibration.drive import NOT_RECALIBRATED, CalibrationReport


def summary(report: CalibrationReport) -> dict[str, Any]:
    """The report as JSON shows it: the headline figures; all others are in the tables."""
    return {
        "calibration_id": report.calibration_id,
        "model_id": report.model_id,
        "dataset": report.dataset,
        "split": report.split,
        "documents": report.documents,
        "left_out": [str(error) for error in report.left_out],
        "recalibration": report.form,
        "fitted_in_mode": report.fit_mode,
        "gains": {name: {"per_pair": gain, "standard_error": error} for name, (gain, error) in report.gains.items()},
        "figures": headline(report),
        "coverage_95": [row for row in report.tables.coverage if row["nominal"] == 0.95],
    }


HEADLINE = (
    ("pairs", "all", "calibration_error"),
    ("pairs", "all", "chance_error_95"),
    ("pairs", "q > 0.01", "calibration_error"),
    ("pairs", "all", "log_loss"),
    ("antecedents", "all", "calibration_error"),
    ("antecedents", "all", "right_antecedent_log_loss"),
    ("new", "all", "calibration_error"),
    ("entities", "all", "bias"),
    ("chains", "all", "bias"),
    ("events", "q > 0.01", "calibration_error"),
    ("events", "q > 0.01", "log_loss"),
    ("query attack", "all", "calibration_error"),
    ("query attack", "q > 0.01", "calibration_error"),
    ("query attack", "all", "expected_events_per_true"),
    ("query attack", "all", "best_events_per_true"),
    ("scores", "all", "conll_f1"),
    ("arcs", "q > 0.01", "calibration_error"),
    ("arcs", "all", "gold_arc_log_loss"),
    ("labelled_arcs", "q > 0.01", "calibration_error"),
)
"""Query, slice and metric of the figures that are printed."""


def headline(report: CalibrationReport) -> list[dict[str, Any]]:
    """The figures that are printed, before and after recalibration, by mode."""
    modes = list(dict.fromkeys(row["mode"] for row in report.tables.metrics))
    found = []
    for mode in modes:
        for query, part, metric in HEADLINE:
            before, after = (
                report.metric(metric, mode=mode, query=query, slice=part, recalibrated=form)
                for form in (NOT_RECALIBRATED, report.form)
            )
            if before is None:
                continue
            row = {"mode": mode, "query": query, "slice": part, "metric": metric, "before": before, "after": after}
            found.append(row)
    return found
