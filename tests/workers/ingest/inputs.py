"""Small hand-made inputs of each format, and the tree of a warehouse as bytes."""

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from workers.ingest import archive_chunks
from workers.storage import Warehouse


def article(number: int, day: str = "1987-02-26", **other: Any) -> dict[str, Any]:
    return {"doc_id": f"a{number}", "published": day, "title": f"Title {number}", "text": f"Text {number}."} | other


def jsonl(*records: Any) -> bytes:
    return b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in records)


def write(path: Path, content: bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return str(path)


def tar(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return sink.getvalue()


def rows(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Every published article, chunk by chunk."""
    files = (warehouse.path(chunk.path) for chunk in archive_chunks(warehouse))
    return [row for file in files for row in pq.ParquetFile(file).read().to_pylist()]


def faults(warehouse: Warehouse) -> list[dict[str, Any]]:
    names = warehouse.names("ingests/quarantine")
    return [row for name in names for row in pq.read_table(warehouse.path(name)).to_pylist()]


def tree(folder: Path | str, under: str = "") -> dict[str, bytes]:
    """Every visible file and its bytes."""
    root = Path(folder)
    found = (path for path in sorted((root / under).rglob("*")) if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in found if ".aside" not in path.parts}


def nitf(doc_id: str = "1165027", text: str = "<p>First.</p><p>Second &amp; last.</p>", declaration: str = "") -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd"{declaration}>
<nitf version="-//IPTC//DTD NITF 3.3//EN">
 <head><title>Other title</title>
  <docdata><doc-id id-string="{doc_id}"/><doc.copyright holder="The New York Times" year="1999"/></docdata>
  <pubdata date.publication="19991205T000000" item-length="4" name="The New York Times" unit-of-measure="word"/>
 </head>
 <body>
  <body.head><hedline><hl1>Talks  End</hl1><hl2>Online</hl2></hedline><byline>By A</byline></body.head>
  <body.content>
   <block class="lead_paragraph"><p>First.</p></block>
   <block class="full_text">{text}</block>
  </body.content>
 </body>
</nitf>
""".encode()


GIGAWORD = b"""<DOC id="AFP_ENG_19940512.0004" type="story" >
<HEADLINE>
Rebels attack
   the capital
</HEADLINE>
<DATELINE>
KIGALI, May 12 (AFP)
</DATELINE>
<TEXT>
<P>
Rebels &amp; troops fought.
</P>
<P>
It went on.
</P>
</TEXT>
</DOC>
<DOC id="AFP_ENG_19940513.0001" type="other" >
<TEXT>
Without paragraphs.
</TEXT>
</DOC>
"""

REUTERS = b"""<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5544" NEWID="1">
<DATE>26-FEB-1987 15:01:01.79</DATE>
<TOPICS><D>cocoa</D></TOPICS>
<TEXT>&#2;
<TITLE>STANDARD OIL &lt;SRD> TO FORM UNIT</TITLE>
<DATELINE>    CLEVELAND, Feb 26 - </DATELINE><BODY>Standard Oil Co
said &lt;SRD> so.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5545" NEWID="2">
<DATE> 3-APR-1987 605:12:19.12</DATE>
<TEXT TYPE="UNPROC">&#2;
Raw table
</TEXT>
</REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5546" NEWID="3">
<DATE>26-FEB-1987 15:01:01.79</DATE>
<TEXT TYPE="BRIEF">&#2;
<TITLE>ONLY A TITLE</TITLE>
</TEXT>
</REUTERS>
"""
