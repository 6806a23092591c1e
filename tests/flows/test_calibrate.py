"""`credence calibrate`, as typed; and the question that analysts ask of its tables."""

import json
import re
import shutil
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from flows.cli import app
from tests.workers.calibration.corpus import write_corpus

DOCS = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"


def run(*arguments: object):
    return CliRunner().invoke(app, ["calibrate", *(str(argument) for argument in arguments)])


def one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("data") / "toy" / "dev", 8)


@pytest.fixture(scope="module")
def calibrated(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    """Two runs into one warehouse, the second reported as JSON and with pictures."""
    warehouse = tmp_path_factory.mktemp("w")
    quick = (folder, "--out", warehouse, "--mode", "gold_trees", "--samples", 20, "--workers", 0)
    first = run(*quick)
    assert first.exit_code == 0, first.output
    assert "8 documents of toy (dev)" in first.output
    second = run(*quick, "--seed", 1, "--json", "--charts", warehouse / "charts")
    assert second.exit_code == 0, second.output
    return warehouse, json.loads(second.stdout)


@pytest.mark.slow
def test_json_has_the_headline_figures(calibrated: tuple[Path, dict]) -> None:
    _, report = calibrated
    assert report["documents"] == 8
    names = {(row["query"], row["metric"]) for row in report["figures"]}
    assert ("pairs", "calibration_error") in names
    assert all(row["nominal"] == 0.95 for row in report["coverage_95"])


@pytest.mark.slow
def test_runs_stand_side_by_side(calibrated: tuple[Path, dict]) -> None:
    warehouse, report = calibrated
    runs = [path.name for path in (warehouse / "calibration").iterdir() if path.is_dir()]
    assert len(runs) == 2
    assert json.loads((warehouse / "calibration" / "latest.json").read_text())["latest"] == report["calibration_id"]


@pytest.mark.slow
def test_pictures_are_written(calibrated: tuple[Path, dict]) -> None:
    warehouse, _ = calibrated
    for name in ("pairs", "events", "slices", "coverage"):
        assert (warehouse / "charts" / f"calibration-{name}.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.slow
def test_the_documented_query_tells_the_best_model_on_news_and_its_drift(
    calibrated: tuple[Path, dict], monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse, report = calibrated
    query = re.search(r"```sql\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert query is not None
    monkeypatch.chdir(warehouse)
    rows = duckdb.sql(query.group(1).replace("'W/", "'")).fetchall()
    assert [row[0] for row in rows] == [report["model_id"]] * 2
    assert rows[0][-1] is None  # nothing to have drifted from
    assert rows[1][-1] == pytest.approx(rows[1][2] - rows[0][2])


@pytest.mark.slow
def test_an_error_above_the_limit_has_an_exit_code_of_its_own(folder: Path, tmp_path: Path) -> None:
    result = run(folder, "--out", tmp_path, "--mode", "gold_mentions", "--samples", 20, "--workers", 0,
                 "--fail-above", 0.0001)  # fmt: skip
    assert result.exit_code == 5
    assert "is above 0.0001" in one_line(result.output)
    assert (tmp_path / "calibration" / "latest.json").exists()


@pytest.mark.parametrize(
    ("prepare", "complaint"),
    [
        (Path.exists, "has no file ending in"),
        (lambda folder: (folder / "a.conllu").write_text("# newdoc id = x\n1\tA\t_\tX\tX\t_\t0\troot\t_\t_\n\n"),
         "it has no gold clusters"),
        (lambda folder: (folder / "a.conll").write_text("x\n"), "outside #begin document"),
    ],
)  # fmt: skip
def test_data_that_cannot_be_measured_is_one_sentence(tmp_path: Path, prepare, complaint: str) -> None:
    prepare(tmp_path)
    result = run(tmp_path, "--out", tmp_path / "w", "--workers", 0)
    assert result.exit_code == 1
    assert complaint in one_line(result.output)
    assert "Traceback" not in result.output


def test_a_mode_that_does_not_exist_is_refused_before_any_work(folder: Path, tmp_path: Path) -> None:
    result = run(folder, "--out", tmp_path, "--mode", "magic", "--workers", 0)
    assert result.exit_code == 1
    assert "a mode must be one of gold_mentions, gold_trees, raw_text" in one_line(result.output)


def test_a_model_that_is_not_there_is_refused(folder: Path, tmp_path: Path) -> None:
    result = run(folder, "--out", tmp_path, "--coref", tmp_path / "none", "--workers", 0)
    assert result.exit_code == 1
    assert "Traceback" not in result.output


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_left_out_told_and_counted(folder: Path, tmp_path: Path) -> None:
    corpus = shutil.copytree(folder, tmp_path / "toy" / "dev")
    (corpus / "bad.conllu").write_text("# newdoc id = bad\n1\tbroken\n\n")
    quick = (corpus, "--out", tmp_path / "w", "--mode", "gold_mentions", "--samples", 20, "--workers", 0)
    refused = run(*quick, "--strict")
    assert (refused.exit_code, (tmp_path / "w").exists()) == (1, False)
    result = run(*quick)
    assert result.exit_code == 3
    for told in (refused.stderr, result.stderr):
        assert f"{corpus / 'bad.conllu'}:2: a CoNLL-U line has 10 tab-separated columns" in told
    (metrics,) = (tmp_path / "w" / "calibration").glob("*/metrics.parquet")
    counted = duckdb.read_parquet(str(metrics)).filter("metric = 'files_left_out'")
    assert counted.project("value, documents").fetchall() == [(1.0, 8)]
