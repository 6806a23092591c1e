"""Measure how far probabilities can be trusted, and recalibrate them.

Two arrays go in: `pred`, the predicted probability of an event, and `label`, whether it happened.

| question | function |
|---|---|
| How large is the calibration error, as in the paper? | `calibration_error`, `calibration_error_interval` |
| And without noise, with an interval that holds? | `debiased_error_interval`; rows in groups: `cluster_bootstrap` |
| Would a perfect model have shown as much? | `calibration_test` |
| Where is the model over- or underconfident? | `reliability_curve` |
| How much does the answer depend on the bin size? | `bin_size_sweep`, `recommended_bin_size` |
| How much of the Brier score or log loss is miscalibration? | `brier_decomposition`, `log_loss_decomposition` |
| Many tags? | `binarise`, `smce`, `gmce`, `tag_frequency_groups` |
| More rows than memory? | `PairSummary` |
| How to recalibrate? | `IsotonicCalibration` and the other methods; `grouped`; `EventForecaster` |
"""

from calib_core.calibration.bin_size import BinSizeSweep, bin_size_sweep, recommended_bin_size
from calib_core.calibration.binning import Bins, adaptive_bins, distinct_bins, equal_width_bins
from calib_core.calibration.cluster_bootstrap import cluster_bootstrap
from calib_core.calibration.curve import ReliabilityCurve, curve_from_bins, label_interval, reliability_curve
from calib_core.calibration.debiased import debiased_calibration_error, debiased_error_interval
from calib_core.calibration.decomposition import (
    BRIER,
    LOG,
    SPHERICAL,
    LossDecomposition,
    ScoreDecomposition,
    ScoringRule,
    brier_decomposition,
    brier_score,
    log_loss,
    log_loss_decomposition,
    score_decomposition,
)
from calib_core.calibration.error import (
    Estimate,
    binned_error,
    calibration_error,
    calibration_error_interval,
    calibration_mse,
    interval_from_bins,
)
from calib_core.calibration.event_forecaster import EventForecaster, EventSet, pool_events
from calib_core.calibration.grouped import GroupedCalibration, grouped
from calib_core.calibration.histogram import HistogramBinning, ScalingBinning
from calib_core.calibration.null_test import CalibrationTest, calibration_test
from calib_core.calibration.scaling import IsotonicCalibration, PlattScaling, TemperatureScaling
from calib_core.calibration.storage import calibrator_from_json, calibrator_to_json
from calib_core.calibration.structured_features import (
    admissibility,
    chain_conditionals,
    concordance,
    label_frequency,
    label_length,
    label_type,
    margin,
    neighbour_agreement,
    pseudomargin,
    smallest_margin,
)
from calib_core.calibration.summary import PairSummary
from calib_core.calibration.synthetic import distort, synthetic_documents, synthetic_pairs, true_calibration_error
from calib_core.calibration.tagsets import (
    TagScores,
    binarise,
    gmce,
    marginal_calibration_error,
    smce,
    tag_frequency_groups,
    top_label_calibration_error,
)

__all__ = [
    "BRIER",
    "LOG",
    "SPHERICAL",
    "BinSizeSweep",
    "Bins",
    "CalibrationTest",
    "Estimate",
    "EventForecaster",
    "EventSet",
    "GroupedCalibration",
    "HistogramBinning",
    "IsotonicCalibration",
    "LossDecomposition",
    "PairSummary",
    "PlattScaling",
    "ReliabilityCurve",
    "ScalingBinning",
    "ScoreDecomposition",
    "ScoringRule",
    "TagScores",
    "TemperatureScaling",
    "adaptive_bins",
    "admissibility",
    "bin_size_sweep",
    "binarise",
    "binned_error",
    "brier_decomposition",
    "brier_score",
    "calibration_error",
    "calibration_error_interval",
    "calibration_mse",
    "calibration_test",
    "calibrator_from_json",
    "calibrator_to_json",
    "chain_conditionals",
    "cluster_bootstrap",
    "concordance",
    "curve_from_bins",
    "debiased_calibration_error",
    "debiased_error_interval",
    "distinct_bins",
    "distort",
    "equal_width_bins",
    "gmce",
    "grouped",
    "interval_from_bins",
    "label_frequency",
    "label_interval",
    "label_length",
    "label_type",
    "log_loss",
    "log_loss_decomposition",
    "margin",
    "marginal_calibration_error",
    "neighbour_agreement",
    "pool_events",
    "pseudomargin",
    "recommended_bin_size",
    "reliability_curve",
    "score_decomposition",
    "smallest_margin",
    "smce",
    "synthetic_documents",
    "synthetic_pairs",
    "tag_frequency_groups",
    "top_label_calibration_error",
    "true_calibration_error",
]
