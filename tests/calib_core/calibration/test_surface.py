"""What library users may rely on."""

import calib_core.calibration as calibration

CONTRACT = [
    "adaptive_bins",
    "equal_width_bins",
    "calibration_error",
    "calibration_error_interval",
    "debiased_calibration_error",
    "calibration_test",
    "brier_decomposition",
    "log_loss",
    "reliability_curve",
    "smce",
    "gmce",
    "marginal_calibration_error",
    "tag_frequency_groups",
    "HistogramBinning",
    "IsotonicCalibration",
    "ScalingBinning",
    "PlattScaling",
    "TemperatureScaling",
    "grouped",
    "EventForecaster",
]


def test_names_of_the_contract_exist() -> None:
    assert set(CONTRACT) <= set(calibration.__all__)


def test_every_listed_name_exists_and_is_documented() -> None:
    missing = [name for name in calibration.__all__ if not getattr(calibration, name).__doc__]
    assert missing == []
