"""What is said of a query that asks for patients says patient."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from calib_core.events import Query
from calib_core.events.query import ROLES
from flows.cli import app
from flows.report.content import page_data, read_content
from flows.report.figures import write_figures
from flows.report.roles import role_word
from tests.report_warehouse import small_run
from workers.explanations import RunSettings
from workers.runs import Run


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Run:
    query = replace(Query.from_yaml("attack"), roles=frozenset({"obj", "nsubj:pass"}))
    return small_run(tmp_path_factory.mktemp("patients") / "w", n_samples=20, query=query)


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_a_word(role: str) -> None:
    assert role_word([role]) == ("agent" if role in ROLES[:2] else "patient")


@pytest.mark.slow
def test_report_and_captions_speak_of_patients(patients: Run, tmp_path: Path) -> None:
    content = read_content(patients, RunSettings.of(patients))
    data = page_data(content, "w")
    assert data["role"] == "patient"
    assert "an entity of a country is the patient of a verb" in data["lead"]
    assert "agent" not in str([text["why"] for text in data["texts"].values()])
    write_figures(content, tmp_path)
    assert "an entity of the country is the patient:" in (tmp_path / "counts.txt").read_text()


@pytest.mark.slow
def test_counts_and_explanations_speak_of_patients(patients: Run, tmp_path: Path) -> None:
    root = patients.warehouse.root
    assert "as patient of: attack" in said("counts", root)
    text = said("explain", root, "again")
    assert "“Israel” names Israel and is the patient itself" in text
    assert "agent" not in text
    said("explain", root, "again", "--html", str(tmp_path / "e.html"))
    assert "Underlined: patients of the query's verbs" in (tmp_path / "e.html").read_text()
