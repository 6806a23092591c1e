"""Files that nobody has described: each ends in articles or in one sentence that says what to do."""

import codecs
import csv
import gzip
import io
import json
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.workers.ingest.inputs import GIGAWORD, article, jsonl, nitf, tar, write
from tests.workers.ingest.test_exports import FACTIVA, NEXIS_NEW, NEXIS_OLD, PAGE
from workers.ingest import IngestConfig, IngestError
from workers.ingest.guess import Guess, guess

BODY = "Rebels attacked a depot in the north on Monday, officials said, and nobody was hurt there. " * 2


def looked_at(path: Path, content: bytes, **given: object) -> Guess:
    return guess([write(path, content)], IngestConfig(**given))  # type: ignore[arg-type]


def table(*rows: tuple[str, ...], sign: str = ";") -> str:
    sink = io.StringIO()
    csv.writer(sink, delimiter=sign).writerows(rows)
    return sink.getvalue()


def test_excel_of_a_european_computer(tmp_path: Path) -> None:
    rows = [("Nr", "Datum", "Titel", "Inhalt"), ("1", "31.03.2003", "Café", BODY), ("2", "01.04.2003", "Bar", BODY)]
    found = looked_at(tmp_path / "a.csv", table(*rows).encode("cp1252"))
    config = found.config
    assert (found.kind, config.encoding, config.dates, config.make_ids) == ("csv", "cp1252", "day-first", True)
    assert config.names == {"published": "Datum", "text": "Inhalt", "title": "Titel"}
    assert (found.usable, found.articles[0].published) == (2, date(2003, 3, 31))


def test_excel_unicode_text(tmp_path: Path) -> None:
    rows = [("ID", "Publication Date", "Headline", "Body"), ("7", "3/31/2003", "Café", BODY)]
    found = looked_at(tmp_path / "a.txt", codecs.BOM_UTF16_LE + table(*rows, sign="\t").encode("utf-16-le"))
    assert (found.kind, found.config.dates, found.config.make_ids) == ("csv", "month-first", False)
    assert (found.articles[0].doc_id, found.articles[0].title) == ("7", "Café")


def test_json_of_a_scraper(tmp_path: Path) -> None:
    records = [{"url": f"u{n}", "date": "Mon, 31 Mar 2003", "html": f"<p>{BODY}</p>", "tags": ["a"]} for n in range(3)]
    found = looked_at(tmp_path / "a.json", json.dumps(records).encode())
    assert (found.kind, found.usable, found.config.html) == ("json", 3, True)
    assert found.articles[0].text == BODY.strip()
    assert found.config.format is None


@pytest.mark.parametrize("indent", [None, 2])
def test_json_with_the_articles_inside_an_object(tmp_path: Path, indent: int | None) -> None:
    inner = {"url": "u", "publishedAt": "2003-03-31T08:00:00Z", "content": BODY, "images": [{"src": "i"}]}
    content = json.dumps({"status": "ok", "articles": [inner, inner | {"url": "v"}]}, indent=indent)
    found = looked_at(tmp_path / "a.json", content.encode())
    assert (found.kind, found.usable) == ("json", 2)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.txt", NEXIS_OLD.encode(), "nexis"),
        ("a.txt", NEXIS_NEW.encode("utf-8-sig"), "nexis"),
        ("a.txt", FACTIVA.encode(), "factiva"),
        ("a.jsonl.gz", jsonl(article(1)), "jsonl"),
        ("a.tgz", tar({"1.xml": nitf()}), "nitf"),
        ("afp.gz", GIGAWORD, "gigaword"),
        ("2003-03-31.txt", b"Rebels attacked, it was said.", "txt"),
        ("2003-03-31.html", b"<div>Rebels attacked, it was said.</div>", "html"),
    ],
)
def test_other_formats(tmp_path: Path, name: str, content: bytes, kind: str) -> None:
    found = looked_at(tmp_path / name, content)
    assert (found.kind, found.reasons) == (kind, ())
    assert found.usable > 0


def test_parquet_with_other_names(tmp_path: Path) -> None:
    pq.write_table(pa.table({"link": ["u"], "when": [date(2003, 3, 31)], "inhalt": [BODY]}), tmp_path / "a.parquet")
    found = guess([str(tmp_path / "a.parquet")], IngestConfig())
    assert found.config.names == {"doc_id": "link", "published": "when", "text": "inhalt"}
    assert found.usable == 1


def test_folder_of_texts_and_pages(tmp_path: Path) -> None:
    for day in range(1, 31):
        write(tmp_path / "in" / f"{day:02}-04-2003.txt", b"Title\n\n" + BODY.encode())
    write(tmp_path / "in" / "README", b"words")
    found = guess([f"{tmp_path}/in"], IngestConfig())
    assert (found.files, found.kind, found.config.format, found.config.dates) == (31, "txt", "txt", "day-first")
    assert found.articles[0].published.month == 4
    for day in (1, 2):
        write(tmp_path / "pages" / f"2003-03-0{day}.htm", PAGE.encode())
    assert guess([f"{tmp_path}/pages"], IngestConfig()).config.format == "html"


def test_rows_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
    rows = [
        ("id", "date", "body"),
        ("1", "2003-03-31", BODY),
        ("", "2003-03-31", BODY),
        ("3", "", BODY),
        ("4", "soon", ""),
    ]
    found = looked_at(tmp_path / "a.csv", table(*rows).encode())
    assert (found.looked_at, found.usable, found.config.make_ids) == (4, 2, True)
    assert [(reason.count, reason.record) for reason in found.reasons] == [(2, 3)]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.csv", table(("id", "date", "text"), ("1", "03/04/2003", BODY)).encode(), "--dates day-first"),
        (
            "a.csv",
            table(("id", "date", "text"), ("1", "31/03/2003", BODY), ("2", "03/31/2003", BODY)).encode(),
            "dates must have day and month in one order; got 31/03/2003 and 03/31/2003",
        ),
        ("a.csv", table(("id", "text"), ("1", BODY)).encode(), "one column must hold the date (say --field published="),
        ("a.csv", table(("id", "date", "n"), ("1", "2003-03-31", "2")).encode(), "hold the text (say --field"),
        ("a.xlsx", b"PK\x03\x04" + bytes(40), "save it as CSV (UTF-8) or text"),
        ("a.pdf", b"%PDF-1.4 x", "a PDF file cannot be read: export text instead"),
        ("a.rtf", b"{\\rtf1 x}", "an RTF file cannot be read: save it as text"),
        ("a.bin", bytes(90), "format must be recognisable, or given with --format"),
        ("a", b"", "format must be recognisable, or given with --format; got an empty file"),
        ("01-02-2003.txt", BODY.encode(), "--dates day-first or --dates month-first"),
        ("a.gz", b"", "format must be recognisable"),
    ],
)  # fmt: skip
def test_one_sentence_says_what_to_do(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    with pytest.raises(IngestError) as caught:
        looked_at(tmp_path / name, content)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_broken_gzip_and_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(99_999))[:40])
    with pytest.raises(IngestError, match="file must be readable"):
        guess([str(tmp_path / "a.gz")], IngestConfig())
    (tmp_path / "empty").mkdir()
    with pytest.raises(IngestError, match="folder must hold at least one file"):
        guess([str(tmp_path / "empty")], IngestConfig())


def test_what_the_user_says_is_not_guessed(tmp_path: Path) -> None:
    content = table(("id", "date", "body", "text"), ("1", "03/04/2003", BODY, "short")).encode()
    found = looked_at(tmp_path / "a.csv", content, names={"text": "text"}, dates="month-first")
    assert (found.articles[0].text, found.articles[0].published) == ("short", date(2003, 3, 4))
