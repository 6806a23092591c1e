"""Broken and hostile input: each costs one row of quarantine, or one sentence."""

import gzip
import io
import os
import pickle
import tarfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.workers.ingest.inputs import GIGAWORD, article, faults, jsonl, nitf, rows, tar, write
from workers.ingest import IngestConfig, IngestError, ingest
from workers.storage import Warehouse

SMALL = IngestConfig(max_text_bytes=1000, max_record_bytes=3000)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse.open(tmp_path / "w")


@pytest.mark.parametrize(
    ("record", "rule"),
    [
        (b'{"doc_id": "a", ', "line must be a JSON object"),
        (b"[1, 2]", "line must be a JSON object"),
        (b"[" * 2900, "line must be a JSON object"),
        (b'{"text": "\xff"}', "line must be UTF-8"),
        (b"x" * 4000, "line must be at most 3,000 bytes"),
        (article(2, "0000-00-00"), "published must be a date such as 1987-02-26"),
        (article(2, "1987-02-30"), "published must be a date such as 1987-02-26"),
        (article(2, "yesterday"), "published must be a date such as 1987-02-26"),
        (article(2) | {"published": 541036800}, "published must be a date such as 1987-02-26"),
        (article(2) | {"published": None}, "published must be a date such as 1987-02-26"),
        (article(2) | {"doc_id": "i" * 257}, "doc_id must be at most 256 characters"),
        (article(2) | {"doc_id": "a\nb"}, "doc_id must not contain control characters"),
        (article(2) | {"doc_id": " "}, "doc_id must not be empty"),
        (article(2) | {"doc_id": ["a"]}, "doc_id must be a string"),
        (b'{"doc_id": ' + b"[" * 900 + b"]" * 900 + b"}", "doc_id must be a string"),
        (b'{"doc_id": ' + b"9" * 2900 + b"}", "doc_id must be at most 256 characters"),
        (article(2, text=" \n"), "text must not be empty"),
        (article(2, text=None), "text must not be empty"),
        (article(2, text=5), "text must be a string"),
        (article(2, text="a\0b"), "text must not contain NUL"),
        (article(2, title="\ud800"), "title must be UTF-8"),
        (article(2, text="e" * 1001), "text must be at most 1,000 bytes"),
    ],
)
def test_bad_record_costs_one_row_of_quarantine(tmp_path: Path, warehouse: Warehouse, record: Any, rule: str) -> None:
    path = write(tmp_path / "a.jsonl", jsonl(article(1), record, article(3)))
    report = ingest([path], warehouse, SMALL)
    assert [r["doc_id"] for r in rows(warehouse)] == ["a1", "a3"]
    [fault] = faults(warehouse)
    assert (fault["stage"], fault["file"], fault["record"], fault["rule"]) == ("ingest", path, 2, rule)
    assert fault["error"].startswith(f"{path}, record 2: {rule}; got ")
    assert len(fault["value"]) <= 200
    assert report.balances
    assert report.total.damaged == 0


def test_id_with_slashes_is_only_an_id(tmp_path: Path, warehouse: Warehouse) -> None:
    ingest([write(tmp_path / "a.jsonl", jsonl(article(1) | {"doc_id": "../../etc/passwd"}))], warehouse)
    assert rows(warehouse)[0]["doc_id"] == "../../etc/passwd"
    assert {path.name for path in tmp_path.iterdir()} == {"a.jsonl", "w"}


def test_article_of_50_megabytes_is_quarantined(tmp_path: Path, warehouse: Warehouse) -> None:
    path = write(tmp_path / "a.jsonl", jsonl(article(1, text="x" * 50_000_000), article(2)))
    assert ingest([path], warehouse).total.quarantined == 1
    assert faults(warehouse)[0]["rule"] == "line must be at most 16,777,216 bytes"


def test_truncated_gzip_keeps_what_can_be_read_and_says_where_it_ends(tmp_path: Path, warehouse: Warehouse) -> None:
    numbers = range(2000)
    whole = gzip.compress(jsonl(*(article(n, text=f"{n * 7919}") for n in numbers)))
    report = ingest([write(tmp_path / "a.jsonl", whole[: len(whole) // 2])], warehouse)
    assert 0 < report.total.kept < 2000
    assert report.total.damaged == 1
    fault = faults(warehouse)[-1]
    assert (fault["record"], fault["rule"]) == (report.total.read, "file must be whole")
    write(tmp_path / "a.jsonl", whole)
    assert ingest([str(tmp_path / "a.jsonl")], warehouse).total.kept + report.total.kept == 2000


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("keep", [700, 1500, 2600])
def test_truncated_tar_is_damaged(tmp_path: Path, warehouse: Warehouse, keep: int, compressed: bool) -> None:
    whole = tar({"1.xml": nitf("1"), "2.xml": nitf("2")}, "w")
    path = write(tmp_path / "a", (gzip.compress(whole, compresslevel=0) if compressed else whole)[:keep])
    report = ingest([path], warehouse)
    assert report.total.damaged >= 1
    assert report.balances


@pytest.mark.parametrize("content", [b"PAR1" + b"\0" * 40, b"PAR1"])
def test_broken_parquet_is_damaged(tmp_path: Path, warehouse: Warehouse, content: bytes) -> None:
    assert ingest([write(tmp_path / "a.parquet", content)], warehouse).total.damaged == 1


def test_parquet_text_that_is_not_utf8_spoils_its_own_row(tmp_path: Path, warehouse: Warehouse) -> None:
    text = pa.array([b"fine", b"\xff\xfe"]).view(pa.string())
    pq.write_table(
        pa.table({"doc_id": ["a", "b"], "published": ["1987-01-01"] * 2, "text": text}), tmp_path / "a.parquet"
    )
    ingest([str(tmp_path / "a.parquet")], warehouse)
    assert [r["doc_id"] for r in rows(warehouse)] == ["a"]
    assert faults(warehouse)[0]["rule"] == "text must be UTF-8"


def test_parquet_dates_beyond_the_calendar_spoil_their_own_rows(tmp_path: Path, warehouse: Warehouse) -> None:
    days = pa.array([0, 10**9, None], pa.int32()).view(pa.date32())
    pq.write_table(pa.table({"doc_id": ["a", "b", "c"], "published": days, "text": ["t"] * 3}), tmp_path / "a.parquet")
    ingest([str(tmp_path / "a.parquet")], warehouse)
    assert [r["doc_id"] for r in rows(warehouse)] == ["a"]
    assert [f["value"] for f in faults(warehouse)] == ["1000000000 days after 1970-01-01", "None"]


def test_csv_rows_fail_alone_but_an_open_quote_ends_the_file(tmp_path: Path, warehouse: Warehouse) -> None:
    content = (
        b'doc_id,published,text\na,1987-01-01,one,more\nb,1987-01-01,\xff\nc,1987-01-01,fine\nd,1987-01-01,"open\n'
    )
    report = ingest([write(tmp_path / "a.csv", content)], warehouse)
    assert [r["doc_id"] for r in rows(warehouse)] == ["c"]
    assert [(f["record"], f["rule"].split(" ")[0]) for f in faults(warehouse)] == [(1, "row"), (2, "text"), (4, "rows")]
    assert report.total.damaged == 1


def test_sgml_that_breaks_off_or_never_ends(tmp_path: Path, warehouse: Warehouse) -> None:
    unclosed = b'<DOC id="X_ENG_19940512.0001" type="story" >\n<TEXT>\n'
    long = unclosed + b"words\n" * 1000 + b"</TEXT>\n</DOC>\n"
    content = unclosed + long + b'<DOC name="x">\n</DOC>\n' + GIGAWORD + b'<DOC id="Y'
    report = ingest([write(tmp_path / "a", content)], warehouse, SMALL)
    assert (report.total.kept, report.total.quarantined, report.total.damaged) == (2, 4, 1)


BOMB = """ [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]"""


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (nitf(text="<p>&c;</p>", declaration=BOMB), "XML must not declare entities"),
        (
            nitf(text="<p>&x;</p>", declaration=' [<!ENTITY x SYSTEM "file:///etc/passwd">]'),
            "XML must not declare entities",
        ),
        (nitf(declaration=' [<!ENTITY % p SYSTEM "http://localhost/x.dtd"> %p;]'), "XML must not declare entities"),
        (nitf(text="<p>&nosuchthing;</p>"), "XML entities must be known characters"),
        (nitf()[:-20], "document must be well-formed XML"),
        (nitf().replace(b'"UTF-8"', b'"no-such-code"'), "document must be well-formed XML"),
        (nitf().replace(b"First", b"\xff"), "document must be well-formed XML"),
        (nitf(text="<p>" + "x" * 4000 + "</p>"), "document must be at most 3,000 bytes"),
        (nitf(doc_id=""), "doc_id must not be empty"),
    ],
)
def test_hostile_xml_is_refused_and_its_neighbours_are_kept(
    tmp_path: Path, warehouse: Warehouse, content: bytes, rule: str
) -> None:
    path = write(tmp_path / "a.tgz", tar({"1.xml": nitf("1"), "2.xml": content, "3.xml": nitf("3")}))
    ingest([path], warehouse, SMALL)
    assert {r["doc_id"] for r in rows(warehouse)} == {"1", "3"}
    assert [(f["file"], f["rule"]) for f in faults(warehouse)] == [(f"{path}!2.xml", rule)]


def test_members_are_streams_whatever_their_names(tmp_path: Path, warehouse: Warehouse) -> None:
    names = ["../../outside.xml", "/outside.xml", "a\nb\x1b[31m.xml"]
    path = write(tmp_path / "a.tgz", tar({name: nitf(str(n)) for n, name in enumerate(names)} | {"bad": b"x"}))
    assert ingest([path], warehouse).total.kept == 3
    assert {path.name for path in tmp_path.iterdir()} == {"a.tgz", "w"}
    assert faults(warehouse)[0]["file"] == f"{path}!bad"


def test_links_and_devices_in_archives_are_passed_over(tmp_path: Path, warehouse: Warehouse) -> None:
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE):
            info = tarfile.TarInfo("link.xml")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    report = ingest([write(tmp_path / "a.tar", sink.getvalue())], warehouse)
    assert {f["rule"] for f in faults(warehouse)} == {"archive member must be a regular file"}
    assert report.balances


def test_tar_header_of_a_gigabyte_is_refused_unread(tmp_path: Path, warehouse: Warehouse) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 1 << 30
    path = write(tmp_path / "a.tar", info.tobuf(tarfile.USTAR_FORMAT) + b"\0" * 2048)
    ingest([path], warehouse)
    assert faults(warehouse)[0]["value"] == "an extended header of 1,073,741,824 bytes"


def test_archives_cannot_be_nested_without_end(tmp_path: Path, warehouse: Warehouse) -> None:
    content = jsonl(article(1))
    for _ in range(8):
        content = gzip.compress(content)
    ingest([write(tmp_path / "a", content)], warehouse)
    assert faults(warehouse)[0]["rule"] == "archives may be nested at most 4 deep"


def test_missing_input_is_named_before_anything_is_read(tmp_path: Path, warehouse: Warehouse) -> None:
    with pytest.raises(IngestError, match="nowhere: input must exist; got no such file or folder"):
        ingest([write(tmp_path / "a.jsonl", jsonl(article(1))), f"{tmp_path}/nowhere"], warehouse)
    assert not (tmp_path / "w").exists()


def test_folder_with_a_name_that_is_not_utf8_is_refused(tmp_path: Path, warehouse: Warehouse) -> None:
    (tmp_path / "in").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path / "in") + b"/\xff.jsonl")).write_bytes(jsonl(article(1)))
    with pytest.raises(IngestError, match="in: folder must be readable, with names in UTF-8"):
        ingest([str(tmp_path / "in")], warehouse)


def test_errors_travel_between_processes() -> None:
    error = IngestError("f", 3, "text must not be empty", "''")
    assert str(pickle.loads(pickle.dumps(error))) == "f, record 3: text must not be empty; got ''"  # noqa: S301
