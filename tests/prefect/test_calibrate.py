"""The calibrate flow with a real Prefect server and real Dask processes."""

import json
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.scheduled.artifacts import calibration_rows
from flows.scheduled.calibrate import calibrate
from flows.scheduled.parameters import Cluster
from tests.harness.machines import Machines
from tests.harness.prefect_api import PrefectApi
from tests.workers.calibration.corpus import write_corpus
from workers.calibration.published import latest_calibration
from workers.storage import Warehouse

pytestmark = pytest.mark.slow


def test_calibration_is_published_and_shown(tmp_path: Path, api: str, dask: Machines) -> None:
    data = write_corpus(tmp_path / "toy" / "dev", 8)
    (tmp_path / "w").mkdir()
    with temporary_settings({PREFECT_API_URL: api}):
        told = calibrate(
            str(tmp_path / "w"), [str(data)], samples=20, modes=("gold_trees",),
            cluster=Cluster(scheduler=dask.address),
        )  # fmt: skip
    warehouse = Warehouse.open(tmp_path / "w")
    assert latest_calibration(warehouse) == told["calibration_id"]
    run = PrefectApi(api).ended("calibrate")[-1]
    assert run["state_type"] == "COMPLETED"
    shown = json.loads(PrefectApi(api).artifacts(run["id"])["calibration"]["data"])
    assert {"pairs", "antecedents"} <= {row["query"] for row in shown}
    figures = calibration_rows(warehouse)
    assert {(row["query"], row["metric"]) for row in figures} >= {
        ("pairs", "calibration_error"),
        ("scores", "conll_f1"),
    }
