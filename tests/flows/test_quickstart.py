"""From a file that nobody has described to a report, with toy models on a real cluster of one worker."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
from typer.testing import CliRunner

from calib_core.events import Query
from flows.cli import app
from flows.jobs.random_part import random_part
from tests.harness.machines import TOY
from workers.ingest import archive_chunks, ingest
from workers.storage import Warehouse

BODY = "Iraqi troops attacked a post on Monday. Diplomats feared that he would attack the city."


@pytest.fixture
def toy() -> Iterator[None]:
    with dask.config.set({"distributed.worker.preload": [str(TOY)]}):
        yield


def excel(path: Path, rows: int, *, dates: str = "{day:02}.03.2003") -> Path:
    with path.open("w", encoding="cp1252", newline="") as file:
        table = csv.writer(file, delimiter=";")
        table.writerow(["Nr", "Datum", "Titel", "Inhalt"])
        for number in range(rows):
            body = (
                BODY if number % 2 else "Wheat prices rose in Iraq, traders said in the café, and nobody was surprised."
            )
            table.writerow([number, dates.format(day=number % 28 + 1), "Café", f"{number}. {body}"])
        table.writerow([rows, "", "Café", BODY])
    return path


def run(*arguments: str, answer: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["quickstart", *arguments], input=answer)
    return result.exit_code, result.output


def test_no_means_that_nothing_is_done(tmp_path: Path) -> None:
    code, output = run(str(excel(tmp_path / "a.csv", 40)), "--out", str(tmp_path / "out"), answer="n\n")
    assert code == 1
    assert "a table, cp1252; 1 file" in output
    assert "published  their field 'Datum'" in output
    assert "dates      day-first" in output
    assert output.count("  2003-03-0") == 3
    assert "1 × " in output
    assert "Nothing was done." in output
    assert not (tmp_path / "out").exists()


def test_nobody_there_means_no(tmp_path: Path) -> None:
    code, output = run(str(excel(tmp_path / "a.csv", 40)), "--out", str(tmp_path / "out"))
    assert (code, "go on without being asked with --yes" in output) == (1, True)


@pytest.mark.parametrize(
    ("dates", "options", "sentence"),
    [
        ("05/03/2003", [], "--dates day-first or --dates month-first"),
        ("{day:02}.03.2003", ["--query", "atack"], "atack"),
        ("{day:02}.03.2003", ["--field", "text=Body"], "one column must hold the text (say --field text=NAME)"),
        ("{day:02}.03.03", [], "published must have a year of four digits"),
    ],
)
def test_what_cannot_be_guessed_is_one_sentence(tmp_path: Path, dates: str, options: list[str], sentence: str) -> None:
    file = excel(tmp_path / "a.csv", 40, dates=dates)
    code, output = run(str(file), "--out", str(tmp_path / "out"), "--yes", *options)
    assert code == 1
    assert sentence in output
    assert output.endswith("Nothing was published.\n")
    assert "Traceback" not in output


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_a_small_archive_is_read_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, output = run(str(excel(tmp_path / "a.csv", 40)), "--out", str(out), "--workers", "1", answer="y\n")
    assert code == 0, output
    assert "40 articles are in" in output
    assert "record 41: published must be a date such as 1987-02-26; got nothing" in output
    assert "20 of 40 articles can count for the query 'attack'" in output
    assert "All of them were read: 20 were parsed." in output
    assert "IRQ" in output
    assert "This is a sample" not in (out / "report.html").read_text(encoding="utf-8").split('id="data"')[1][:2000]
    assert not (out / "sample").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_a_large_archive_is_sampled_and_the_page_says_so(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [str(excel(tmp_path / "a.csv", 400)), "--out", str(out), "--workers", "1", "--articles", "30", "--yes"]
    code, output = run(*arguments)
    assert code == 0, output
    assert "200 of 400 articles can count" in output
    assert f"credence propagate {out}/warehouse\n      the same for all 400 articles" in output
    chosen = sum(chunk.docs for chunk in archive_chunks(Warehouse.open(out / "sample")))
    assert f"This is a sample: {chosen} of 400 articles, drawn at random" in output
    page = (out / "report.html").read_text(encoding="utf-8")
    (data,) = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert data["notice"].startswith(f"This is a sample: {chosen} of 400")
    again, output = run(*arguments)
    assert (again, f"This is a sample: {chosen} of 400" in output) == (0, True)


def test_a_part_has_as_many_possible_articles_as_asked_for(tmp_path: Path) -> None:
    lines = [
        json.dumps({"doc_id": f"a{n}", "published": "2003-03-01", "text": BODY if n % 3 else "Wheat."})
        for n in range(300)
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    warehouse = Warehouse.open(tmp_path / "w")
    ingest([str(tmp_path / "a.jsonl")], warehouse)
    query = Query.from_yaml("attack")
    part = random_part(warehouse, query, most=50)
    assert (part.articles, part.possible, part.chosen_possible) == (300, 200, 50)
    assert 50 < part.chosen < 110
    assert random_part(warehouse, query, most=200).is_all
    nothing = random_part(Warehouse.open(tmp_path / "empty"), query, most=5)
    assert (nothing.articles, nothing.is_all) == (0, True)
