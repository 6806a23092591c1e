import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from flows.cli import app
from tests.command_lines import every_command


def test_help_loads_nothing_heavy() -> None:
    heavy = ("numpy", "sklearn", "altair", "torch", "pyarrow", "distributed", "prefect", "pydantic", "workers")
    script = f"import sys, flows.cli; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.slow
def test_demo_counts_and_compares_with_the_truth(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "flows", "demo", "--out", str(tmp_path / "new" / "folder")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "322 articles cannot count and were not parsed, 294 were, 0 failed." in done.stdout
    assert "P(ETH > ERI) = 1.00" in done.stdout
    assert "In all, 205 attackers are described" in done.stdout
    assert "Anchored counts: models and labels together" in done.stdout
    anchored = pq.read_table(tmp_path / "new" / "folder" / "warehouse" / "latest" / "anchored.parquet").to_pylist()
    (total,) = [row for row in anchored if row["level"] == "total"]
    assert total["raw_hi"] < 205
    assert total["lo"] <= 205 <= total["hi"]
    assert "ETH" in (tmp_path / "new" / "folder" / "report.html").read_text(encoding="utf-8")
    assert (tmp_path / "new" / "folder" / "warehouse" / "latest" / "counts.parquet").is_file()


@pytest.mark.parametrize("arguments", [["demo", "--workers", "0"], ["demo", "--seed", "many"], ["dmeo"]])
def test_wrong_usage_exits_with_2_and_a_sentence(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


WORDS = {
    "W", "SRC", "DATA", "FILE", "FOLDER", "PATH", "KEY", "RESPONSE", "N", "P", "DAY", "QUARTER", "COUNTRY", "RUN",
    "FRAME", "DOC_ID", "NAME", "ADDRESS", "SIZE", "NAME|FILE", "NAME|FOLDER", "NAME|CALIBRATION", "COLUMN=NAME",
    "N,N", "WORD", "NAME FILE",
}  # fmt: skip


def test_the_values_of_all_options_are_named_in_one_vocabulary() -> None:
    named = {
        (command, option.name): option.metavar
        for command, options in every_command(app).items()
        for option in options.values()
        if not getattr(option, "is_flag", False)
    }
    assert {where: word for where, word in named.items() if word not in WORDS} == {}
    assert set(named.values()) == WORDS


def test_a_switch_has_one_name_and_is_off_by_default() -> None:
    for command, options in every_command(app).items():
        for option in options.values():
            if getattr(option, "is_flag", False):
                assert (option.secondary_opts, option.default) == ([], False), (command, option.name)
