"""Files as people have them: Excel, scrapers, Nexis, Factiva, folders of texts. The articles are invented."""

import codecs
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.workers.ingest.inputs import faults, rows, write
from workers.ingest import IngestConfig, IngestError, ingest
from workers.ingest.html_text import read_page
from workers.storage import Warehouse

DAY = date(2003, 3, 31)
NAMES = {"doc_id": "id", "published": "Datum", "text": "Body"}
NEXIS_OLD = """\
                               1 of 2 DOCUMENTS

                              The Daily Example

                      March 31, 2003, Monday, Final Edition

Rebels attack a depot

BYLINE: By A. Writer

SECTION: NEWS; Pg. 1

LENGTH: 21 words

DATELINE: SAMPLETOWN

 BODY:
   Rebels attacked a depot in
Iraq on Monday.

   Nobody was hurt.

LOAD-DATE: April 1, 2003

LANGUAGE: ENGLISH

                 Copyright 2003 Example Press
                               2 of 2 DOCUMENTS

                              The Daily Example

                      April 2, 2003, Wednesday

HEADLINE: Quiet day

LENGTH: 3 words

Nothing happened on Wednesday.

LOAD-DATE: April 3, 2003
"""
NEXIS_NEW = """\
Rebels attack a depot
The Daily Example
March 31, 2003 Monday

Copyright 2003 Example Press All Rights Reserved
Section: NEWS; Pg. 1
Length: 21 words
Byline: By A. Writer

Body

Rebels attacked a depot in Iraq on Monday.

Nobody was hurt.

Load-Date: April 1, 2003

End of Document
"""
FACTIVA = """\
SE\tNews
HD\tRebels attack a depot
BY\tA. Writer
WC\t21 words
PD\t31 March 2003
SN\tExample News
SC\tEXMPL
LA\tEnglish
CY\t(c) 2003 Example Press
LP\t
Rebels attacked a depot in Iraq on Monday.

TD\t
Nobody was hurt.

IN said one: two capitals at the start of a line are no code.
CO\tExmpl : Example Ltd
AN\tDocument EXMPL00020030331dz3v0001
"""
FACTIVA_HTML = """<html><head><title>Factiva</title></head><body><div class="article enArticle"><table>
<tr><td><b>HD</b></td><td><span>Rebels attack a depot</span></td></tr>
<tr><td><b>WC</b></td><td>21 words</td></tr><tr><td><b>PD</b></td><td>31 March 2003</td></tr>
<tr><td><b>SN</b></td><td>Example News</td></tr>
<tr><td><b>LP</b></td><td><p>Rebels attacked a depot in Iraq on Monday.</p></td></tr>
<tr><td><b>TD</b></td><td><p>Nobody was hurt.</p></td></tr>
<tr><td><b>AN</b></td><td>Document EXMPL00020030331dz3v0001</td></tr></table></div></body></html>"""
PAGE = """<!DOCTYPE html><html><head><title>Site | Rebels</title><meta property="og:title" content="Rebels attack">
<meta property="article:published_time" content="2003-03-31T08:00:00Z"><style>p {}</style></head><body>
<nav>Home Sports</nav><p>Cookies?</p><article><h1>Rebels attack</h1><p>Rebels &amp; others
attacked.</p><script>var p = "<p>x</p>";</script><p>It ended.</p></article><footer>Imprint</footer></body></html>"""


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse.open(tmp_path / "w")


@pytest.mark.parametrize("sign", [";", "\t", "|", ","])
def test_tables_with_any_separator(tmp_path: Path, warehouse: Warehouse, sign: str) -> None:
    lines = [sign.join(("id", "Datum", "Body")), sign.join(("1", "31.03.2003", f'"One{sign} two."'))]
    path = write(tmp_path / "a.csv", "\r\n".join(lines).encode("utf-8-sig"))
    ingest([path], warehouse, IngestConfig(names=NAMES, dates="day-first"))
    assert [(row["published"], row["text"]) for row in rows(warehouse)] == [(DAY, f"One{sign} two.")]


def test_the_line_in_which_excel_names_the_separator(tmp_path: Path, warehouse: Warehouse) -> None:
    ingest([write(tmp_path / "a.csv", b"sep=;\r\ndoc_id;published;text\r\n1;2003-03-31;One, two.\r\n")], warehouse)
    assert [row["text"] for row in rows(warehouse)] == ["One, two."]


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (codecs.BOM_UTF16_LE + "doc_id\tpublished\ttext\n1\t2003-03-31\tCafé\n".encode("utf-16-le"), "utf-8"),
        ("doc_id;published;text\n1;2003-03-31;Café\n".encode("cp1252"), "cp1252"),
        ("doc_id;published;text\n1;2003-03-31;Café\n".encode("utf-8-sig"), "cp1252"),
    ],
)
def test_other_encodings(tmp_path: Path, warehouse: Warehouse, content: bytes, encoding: str) -> None:
    ingest([write(tmp_path / "a.csv.gz", content)], warehouse, IngestConfig(encoding=encoding))
    assert [row["text"] for row in rows(warehouse)] == ["Café"]


def test_a_folder_of_two_encodings(tmp_path: Path, warehouse: Warehouse) -> None:
    write(tmp_path / "in" / "2003-03-31.txt", "“Café”".encode())
    write(tmp_path / "in" / "2003-04-01.txt", "“Café”".encode("cp1252"))
    write(tmp_path / "in" / "2003-04-02.txt", "“Café”".encode("utf-16"))
    ingest([f"{tmp_path}/in"], warehouse, IngestConfig(format="txt", encoding="cp1252"))
    assert [row["text"] for row in rows(warehouse)] == ["“Café”"] * 3


def test_an_encoding_that_does_not_fit_ends_the_file(tmp_path: Path, warehouse: Warehouse) -> None:
    content = b"doc_id;published;text\n1;2003-03-31;Caf\xe9\n"
    report = ingest([write(tmp_path / "a.csv", content)], warehouse, IngestConfig(encoding="ascii"))
    assert report.total.damaged == 1


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([{"doc_id": 1, "published": "2003-03-31", "text": "A"}, {"doc_id": 2, "published": "2003-03-31"}]),
        json.dumps(
            {"status": "ok", "articles": [{"doc_id": 1, "published": "2003-03-31", "text": "A"}, {"doc_id": 2}]}
        ),
        '{\n  "doc_id": 1,\n  "published": "2003-03-31",\n  "text": "A"\n}\n{\n"doc_id": 2}',
    ],
)
def test_json_that_is_not_one_object_per_line(tmp_path: Path, warehouse: Warehouse, content: str) -> None:
    config = IngestConfig(format="json" if "status" in content else None)
    report = ingest([write(tmp_path / "a.json", content.encode())], warehouse, config)
    assert [row["doc_id"] for row in rows(warehouse)] == ["1"]
    assert [fault["record"] for fault in faults(warehouse)] == [2]
    assert report.total.damaged == 0


def test_json_longer_than_one_step_of_reading(tmp_path: Path, warehouse: Warehouse) -> None:
    records = [{"doc_id": n, "published": "2003-03-31", "text": f"{n} é " * 9999} for n in range(5)]
    ingest([write(tmp_path / "a.json", json.dumps(records, ensure_ascii=False).encode())], warehouse)
    assert len(rows(warehouse)) == 5


@pytest.mark.parametrize("content", [b'[{"doc_id": 1}, {"doc_id": ', b'[{"a": "' + b"x" * 4000, b'[{"a" 1}]'])
def test_json_that_breaks_off(tmp_path: Path, warehouse: Warehouse, content: bytes) -> None:
    report = ingest([write(tmp_path / "a.json", content)], warehouse, IngestConfig(max_record_bytes=3000))
    assert report.total.damaged == 1


def test_names_of_scrapers_are_proposed(tmp_path: Path, warehouse: Warehouse) -> None:
    record = {"url": "u", "date_published": "2003-03-31", "content": "A"}
    report = ingest([write(tmp_path / "a.jsonl", json.dumps(record).encode())], warehouse)
    rule = report.reasons[0].rule
    assert rule.endswith("(try --field doc_id=url --field published=date_published --field text=content)")
    assert report.useless
    with pytest.raises(IngestError, match=r"--field 'published=Publication Date' --field text=Body"):
        ingest([write(tmp_path / "b.csv", b"doc_id;Publication Date;Body\n1;2003-03-31;A\n")], warehouse)


def test_reasons_are_gathered_by_rule(tmp_path: Path, warehouse: Warehouse) -> None:
    content = b"doc_id,published,text\n1,,A\n2,soon,A\n3,2003-03-31,\n4,2003-03-31,A\n"
    report = ingest([write(tmp_path / "a.csv", content)], warehouse)
    assert [(reason.count, reason.record, reason.value) for reason in report.reasons] == [(2, 1, ""), (1, 3, "")]
    assert not report.useless


def test_articles_without_ids_get_the_same_id_every_time(tmp_path: Path, warehouse: Warehouse) -> None:
    path = write(tmp_path / "a.csv", b"published,text\n2003-03-31,A\n2003-03-31,B\n")
    config = IngestConfig(make_ids=True)
    assert ingest([path], warehouse, config).total.kept == 2
    assert ingest([path], warehouse, config).total.known == 2


def test_html_in_bodies(tmp_path: Path, warehouse: Warehouse) -> None:
    path = write(tmp_path / "a.csv", b'doc_id,published,text\n1,2003-03-31,"<p>A <b>b</b>.</p><p>C&nbsp;d.</p>"\n')
    ingest([path], warehouse, IngestConfig(html=True))
    assert rows(warehouse)[0]["text"] == "A b.\n\nC d."


def nexis_row(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["published"], row["title"], row["source"], row["text"]


@pytest.mark.parametrize("content", [NEXIS_OLD, NEXIS_NEW])
def test_nexis(tmp_path: Path, warehouse: Warehouse, content: str) -> None:
    ingest([write(tmp_path / "a.txt", content.encode("utf-8-sig"))], warehouse)
    text = "Rebels attacked a depot in Iraq on Monday.\n\nNobody was hurt."
    found = sorted(map(nexis_row, rows(warehouse)))
    assert found[0] == (DAY, "Rebels attack a depot", "The Daily Example", text)
    if content is NEXIS_OLD:
        assert found[1] == (date(2003, 4, 2), "Quiet day", "The Daily Example", "Nothing happened on Wednesday.")
    assert faults(warehouse) == []


def test_nexis_article_without_a_date(tmp_path: Path, warehouse: Warehouse) -> None:
    content = NEXIS_OLD.replace("April 2, 2003, Wednesday", "some day")
    ingest([write(tmp_path / "a.txt", content.encode())], warehouse)
    assert [fault["rule"] for fault in faults(warehouse)] == ["article must have its date near its beginning"]


@pytest.mark.parametrize("content", [FACTIVA, FACTIVA.replace("\t", " "), FACTIVA_HTML])
def test_factiva(tmp_path: Path, warehouse: Warehouse, content: str) -> None:
    ingest([write(tmp_path / "a.txt", content.encode())], warehouse)
    [row] = rows(warehouse)
    assert (row["doc_id"], row["published"], row["title"]) == (
        "EXMPL00020030331dz3v0001", DAY, "Rebels attack a depot",
    )  # fmt: skip
    assert row["source"] == "Example News"
    assert row["text"].startswith("Rebels attacked a depot in Iraq on Monday.\n\nNobody was hurt.")
    assert ("two capitals" in row["text"]) == (content is not FACTIVA_HTML)


def test_factiva_that_breaks_off(tmp_path: Path, warehouse: Warehouse) -> None:
    report = ingest([write(tmp_path / "a.txt", FACTIVA.split("AN\t")[0].encode())], warehouse)
    assert report.total.damaged == 1


def test_folder_of_texts_with_dates_in_their_names(tmp_path: Path, warehouse: Warehouse) -> None:
    write(tmp_path / "in" / "2003" / "2003-03-31_depot.txt", b"Rebels attack\n\nRebels attacked, it was said.\n")
    write(tmp_path / "in" / "2003-03-31.txt", b"Only a text.\nWith two lines.")
    write(tmp_path / "in" / "notes.txt", b"Words")
    report = ingest([f"{tmp_path}/in"], warehouse, IngestConfig(format="txt"))
    assert [(row["doc_id"], row["title"], row["text"]) for row in rows(warehouse)] == [
        ("2003-03-31.txt", "", "Only a text.\nWith two lines."),
        ("2003/2003-03-31_depot.txt", "Rebels attack", "Rebels attacked, it was said."),
    ]
    assert "its date in its name" in report.reasons[0].rule


def test_web_pages(tmp_path: Path, warehouse: Warehouse) -> None:
    write(tmp_path / "in" / "a.html", PAGE.encode())
    write(tmp_path / "in" / "2004-01-01.html", PAGE.encode())
    ingest([f"{tmp_path}/in"], warehouse)
    found = [(row["doc_id"], row["published"], row["title"], row["text"]) for row in rows(warehouse)]
    text = "Rebels & others attacked.\n\nIt ended."
    assert found == [
        ("a.html", DAY, "Rebels attack", text),
        ("2004-01-01.html", date(2004, 1, 1), "Rebels attack", text),
    ]


def test_menus_of_pages_that_mark_nothing() -> None:
    story = "Rebels attacked. " * 9
    page = read_page(f"<ul><li>Home</li></ul><h1>Rebels</h1><div>Share</div><p>{story}</p><p>End.<br>.</p>")
    assert page.story == f"{story.strip()}\n\nEnd.\n\n."
    assert page.paragraphs[0] == "Home"


def test_pages_that_are_broken_still_have_words() -> None:
    assert read_page("<nav>x<p>Attack</nav><p>Tex").paragraphs == ["Tex"]
    assert read_page("no tags").text == "no tags"
