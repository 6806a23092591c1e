"""One small real warehouse for all tests of the report."""

import pytest

from tests.report_warehouse import small_run
from workers.runs import Run


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return small_run(tmp_path_factory.mktemp("report") / "w")
