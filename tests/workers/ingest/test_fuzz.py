"""No bytes make a reader do anything but yield drafts and faults, or refuse the file."""

import contextlib
import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workers.ingest.inputs import GIGAWORD, REUTERS, article, jsonl, nitf, tar
from tests.workers.ingest.test_exports import FACTIVA, NEXIS_OLD, PAGE
from workers.ingest import FORMATS, IngestConfig, IngestError
from workers.ingest.records import Article, Draft, Fault, validate
from workers.ingest.sources import find_sources, read_source


def parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table({"doc_id": ["a"], "published": ["1987-01-01"], "text": ["t"]}), sink)
    return sink.getvalue()


VALID = {
    "jsonl": jsonl(article(1), article(2)),
    "csv": b'doc_id,published,text\na,1987-01-01,"one\ntwo"\n',
    "parquet": parquet(),
    "nitf": nitf(),
    "gigaword": GIGAWORD,
    "reuters": REUTERS,
    "json": b'[{"doc_id": "a", "published": "1987-01-01", "text": "t"}]',
    "nexis": NEXIS_OLD.encode(),
    "factiva": FACTIVA.encode(),
    "html": PAGE.encode(),
    "txt": b"Title\n\nText.\n",
}


def read_all(path: Path, config: IngestConfig) -> None:
    with contextlib.suppress(IngestError):
        for source in find_sources(str(path)):
            for _, item in read_source(source, config, lambda _: None):
                assert isinstance(item, Draft | Fault)
                if isinstance(item, Draft):
                    assert isinstance(validate(item, IngestConfig(max_text_bytes=1000)), Article | Fault)


@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300), st.floats(0, 1), st.integers(0, 40))
def test_damaged_bytes(tmp_path_factory: pytest.TempPathFactory, kind: str, noise: bytes, at: float, lost: int) -> None:
    valid = VALID[kind]
    position = int(at * len(valid))
    content = valid[:position] + noise + valid[position + lost :]
    path = tmp_path_factory.getbasetemp() / f"fuzz-{kind}"
    for version in (content, noise, tar({"x": content}, "w")[: 400 + lost * 100]):
        path.write_bytes(version)
        for config in (IngestConfig(format=kind, max_record_bytes=500), IngestConfig()):  # type: ignore[arg-type]
            read_all(path, config)
