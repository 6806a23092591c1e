import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app


def test_help_loads_nothing_heavy() -> None:
    heavy = ("numpy", "sklearn", "altair", "torch", "pyarrow")
    script = f"import sys, flows.cli; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.slow
def test_demo_measures_repairs_and_draws(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["demo", "--pairs", "20000", "--out", str(tmp_path / "new" / "folder")])
    assert result.exit_code == 0, result.output
    assert "IRQ" in result.output
    assert "true calibration error is 0.0673" in result.output
    assert "IsotonicCalibration" in result.output
    pictures = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert pictures == ["reliability.html", "reliability.png", "reliability.svg"]
    page = (tmp_path / "new" / "folder" / "reliability.html").read_text()
    assert "<script src=" not in page  # everything is inlined


@pytest.mark.slow
def test_demo_repeats_with_its_seed(tmp_path: Path) -> None:
    arguments = ["demo", "--pairs", "10000", "--out", str(tmp_path), "--seed"]
    first, again, other = (CliRunner().invoke(app, [*arguments, seed]).output for seed in ("1", "1", "2"))
    assert first == again != other


@pytest.mark.parametrize("arguments", [["demo", "--pairs", "5"], ["demo", "--pairs", "many"], ["dmeo"]])
def test_wrong_usage_exits_with_2_and_a_sentence(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
