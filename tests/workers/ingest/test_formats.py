"""Each format, from a file small enough to check by hand."""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.workers.ingest.inputs import GIGAWORD, REUTERS, article, faults, jsonl, nitf, rows, tar, write
from workers.ingest import IngestConfig, IngestError, ingest
from workers.storage import Warehouse


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse.open(tmp_path / "w")


def row(doc_id: str, published: date, title: str, text: str, source: str = "") -> dict[str, Any]:
    return {"doc_id": doc_id, "published": published, "title": title, "text": text, "source": source}


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "no-suffix"])
def test_json_lines(tmp_path: Path, warehouse: Warehouse, name: str) -> None:
    content = b"\xef\xbb\xbf" + jsonl(article(1), b"", {"doc_id": 7, "published": "1987-04-01T10:00:00Z", "text": "é"})
    assert ingest([write(tmp_path / name, content)], warehouse).total.kept == 2
    assert rows(warehouse) == [row("a1", date(1987, 2, 26), "Title 1", "Text 1."), row("7", date(1987, 4, 1), "", "é")]
    assert [name.split("/")[1] for name in warehouse.names("archive")] == ["quarter=1987Q1", "quarter=1987Q2"]


def test_csv_with_line_ends_in_values(tmp_path: Path, warehouse: Warehouse) -> None:
    content = b'text,doc_id,published,extra\r\n"One,\n""two""",x/../1,19870226,\r\n'
    ingest([write(tmp_path / "a.csv", content)], warehouse)
    assert rows(warehouse) == [row("x/../1", date(1987, 2, 26), "", 'One,\n"two"')]


@pytest.mark.parametrize("published", [date(1987, 2, 26), datetime(1987, 2, 26, 23), "1987-02-26"])
def test_parquet_with_columns_named_otherwise(tmp_path: Path, warehouse: Warehouse, published: Any) -> None:
    table = pa.table({"uri": ["u1"], "day": [published], "body": pa.array(["Text."]).dictionary_encode()})
    pq.write_table(table, tmp_path / "a.parquet")
    config = IngestConfig(names={"doc_id": "uri", "published": "day", "text": "body"})
    ingest([str(tmp_path / "a.parquet")], warehouse, config)
    assert rows(warehouse) == [row("u1", date(1987, 2, 26), "", "Text.")]


def test_nitf(tmp_path: Path, warehouse: Warehouse) -> None:
    ingest([write(tmp_path / "1.xml", nitf())], warehouse)
    expected = row("1165027", date(1999, 12, 5), "Talks End", "First.\n\nSecond & last.", "The New York Times")
    assert rows(warehouse) == [expected]


def test_nitf_drops_a_lead_that_repeats_and_keeps_named_characters(tmp_path: Path, warehouse: Warehouse) -> None:
    ingest([write(tmp_path / "1.xml", nitf(text="<p>LEAD: It&mdash;ends.</p><p>It&mdash;ends.</p>"))], warehouse)
    assert rows(warehouse)[0]["text"] == "It—ends."


def test_nitf_in_monthly_archives_inside_an_archive(tmp_path: Path, warehouse: Warehouse) -> None:
    month = tar({"01/01/1.xml": nitf("1"), "01/01/2.xml": nitf("2", "<p>Two.</p>")})
    path = write(tmp_path / "corpus.tar", tar({"data/1999/12.tgz": month}, "w"))
    report = ingest([path], warehouse)
    assert {r["doc_id"] for r in rows(warehouse)} == {"1", "2"}
    assert list(report.files) == [path]


def test_gigaword(tmp_path: Path, warehouse: Warehouse) -> None:
    ingest([write(tmp_path / "afp_eng_199405.gz", GIGAWORD)], warehouse)
    text = "Rebels & troops fought.\n\nIt went on."
    assert rows(warehouse) == [
        row("AFP_ENG_19940512.0004", date(1994, 5, 12), "Rebels attack the capital", text, "AFP_ENG"),
        row("AFP_ENG_19940513.0001", date(1994, 5, 13), "", "Without paragraphs.", "AFP_ENG"),
    ]


def test_reuters_21578(tmp_path: Path, warehouse: Warehouse) -> None:
    ingest([write(tmp_path / "reut2-000.sgm", REUTERS)], warehouse)
    text = "Standard Oil Co\nsaid <SRD> so.\n Reuter"
    assert rows(warehouse) == [
        row("reuters-1", date(1987, 2, 26), "STANDARD OIL <SRD> TO FORM UNIT", text, "reuters"),
        row("reuters-2", date(1987, 4, 3), "", "Raw table", "reuters"),
    ]
    assert [(f["doc_id"], f["record"], f["rule"]) for f in faults(warehouse)] == [
        ("reuters-3", 3, "text must not be empty")
    ]


def test_folder_is_read_in_order_of_names_without_hidden_files(tmp_path: Path, warehouse: Warehouse) -> None:
    write(tmp_path / "in" / "b.jsonl", jsonl(article(2)))
    write(tmp_path / "in" / "a" / "1.xml", nitf("n1"))
    write(tmp_path / "in" / ".DS_Store", b"\0\1")
    write(tmp_path / "in" / "README", b"words")
    report = ingest([f"{tmp_path}/in/"], warehouse)
    assert [name.removeprefix(str(tmp_path)) for name in report.files] == ["/in/README", "/in/a", "/in/b.jsonl"]
    assert {r["doc_id"] for r in rows(warehouse)} == {"a2", "n1"}
    assert faults(warehouse)[0]["rule"] == "format must be recognisable, or given with --format"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"words\n", "format must be recognisable, or given with --format; got b'words\\n'"),
        (b"", "format must be recognisable, or given with --format; got an empty file"),
        (
            b"doc_id,date,body\n1,2,3\n",
            "a column for each of doc_id, published, text is needed (try --field published=date --field text=body); "
            "got doc_id, date, body (without published, text)",
        ),
    ],
)
def test_file_of_no_known_kind_is_refused(tmp_path: Path, warehouse: Warehouse, content: bytes, sentence: str) -> None:
    path = write(tmp_path / "f", content)
    with pytest.raises(IngestError) as caught:
        ingest([path], warehouse)
    assert str(caught.value) == f"{path}: {sentence}"
    assert warehouse.names("archive") == warehouse.names("ingests") == []


def test_given_format_is_not_second_guessed(tmp_path: Path, warehouse: Warehouse) -> None:
    ingest([write(tmp_path / "f", GIGAWORD)], warehouse, IngestConfig(format="jsonl"))
    assert rows(warehouse) == []
    assert {f["rule"] for f in faults(warehouse)} == {"line must be a JSON object"}
