"""The event experiment on a handful of made-up articles, whose trees are the predicate's examples."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from calib_core.coref import AntecedentModel
from calib_core.document import Document
from calib_core.events import Query, predicate_examples
from reproductions.events.attack_counts import (
    annotate,
    counts_by,
    half_month,
    quarter_start,
    read_archive,
    sample_articles,
)
from reproductions.events.chart import series_of
from reproductions.events.experiment import ARCHIVE, findings, run
from reproductions.events.rows import STUDIES, analyse
from reproductions.findings import DataFolder, MissingDataError
from reproductions.stages import Stages

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TREES = {" ".join(example.document.words): example.document for example in predicate_examples()}
DAYS = ("1987-03-03", "1987-03-20", "1987-04-02", "1987-06-09")


def parse(doc_id: str, text: str) -> Document:
    return replace(TREES[text], doc_id=doc_id)


@pytest.fixture
def archive_file(tmp_path: Path) -> Path:
    """Every example as an article, spread over four days."""
    path = tmp_path / "articles.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for number, text in enumerate(TREES):
            record = {"doc_id": f"d{number}", "published": DAYS[number % 4], "title": "", "text": text}
            lines.write(json.dumps(record) + "\n")
    return path


def test_periods_of_a_day() -> None:
    assert (quarter_start("1987-04-16"), half_month("1987-04-16")) == ("1987-04-01", "1987-04-16")
    assert (quarter_start("1987-12-01"), half_month("1987-12-15")) == ("1987-10-01", "1987-12-01")


def test_page_from_articles_with_known_trees(archive_file: Path) -> None:
    query = Query.from_yaml("attack")
    archive = read_archive(archive_file, query)
    progress = Stages()
    annotated = annotate(archive.articles, parse, AntecedentModel.load(), query, progress)
    samples = sample_articles(annotated, 100, seed=0)
    present = sorted(set(samples.country))[:2]
    sides = tuple((code, code) for code in present)
    studies = [replace(study, one=sides[0], sides=sides) for study in STUDIES]
    found = findings({study: analyse(archive, samples, study) for study in studies})
    rows = {row.figure: row for row in found.rows}
    assert rows["articles"].ours == len(TREES)
    assert 0 < rows["articles past the gate"].ours < len(TREES)
    assert all(0 <= row.ours <= 1 for row in found.rows if "P(" in row.table)
    assert len(found.claims) == 13
    assert [picture.suffix for picture in found.pictures] == ["", "current", "wikinews"]
    assert found.pictures[0].chart.to_dict()["vconcat"]


def test_a_period_without_a_row_is_zero_and_a_gap_breaks_the_line(archive_file: Path) -> None:
    query = Query.from_yaml("attack")
    archive = read_archive(archive_file, query)
    progress = Stages()
    annotated = annotate(archive.articles[:6], parse, AntecedentModel.load(), query, progress)
    counts = counts_by(sample_articles(annotated, 10, seed=0), archive, half_month)
    series = series_of(counts, ["1987-03-01", "1987-03-16", "1987-04-01", "1987-06-01"], "ISL", "Iceland")
    assert [point.mean for point in series.points] == [0.0] * 4
    assert [point.run for point in series.points] == [0, 0, 0, 1]


def test_missing_fields_and_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "articles.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"doc_id": "a", "published": "1987-03-01"}\n'))
    with pytest.raises(ValueError, match="record 1 has no field 'text'"):
        read_archive(path, Query.from_yaml("attack"))
    progress = Stages()
    with pytest.raises(MissingDataError, match="reuters"):
        run(DataFolder(tmp_path), progress, 0)


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / ARCHIVE).exists(), reason="needs the Reuters archive")
def test_one_article_in_a_hundred_of_reuters_passes_the_gate() -> None:
    archive = read_archive(DATA / ARCHIVE, Query.from_yaml("attack"))
    assert archive.per_day.total() == 19_986
    assert len(archive.articles) == 148
    assert {half_month(article.published) for article in archive.articles} <= {half_month(d) for d in archive.per_day}
