"""A small warehouse with a frozen frame whose articles try a labelling page: ordinary, hostile, with many names."""

import gzip
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa

from calib_core.events import Query
from calib_core.randomness import document_key
from flows.label.articles import drawn_articles
from flows.label.desk import Desk
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.labelling import Frame, FrameSettings, freeze
from workers.schemas import ARCHIVE, FRAME
from workers.storage import Warehouse

HOSTILE = (
    '<script>document.title = "hacked"</script><img src="https://example.invalid/x" onerror="document.title=1">'
    " Iraq attacked {{DATA}} </script><!-- \u202egnirts\u202c & \"quotes\" 'single' \u2028 \x0b"
)
ARTICLES = (
    ("iraq", "Iraqi jets attack", "BAGHDAD - Iraqi jets attacked an oil terminal in Iran on Monday, officials said."),
    ("none", "Rain", "Rain is expected in the north. Farmers welcomed it."),
    ("both", "Border clash", "Troops of Chad attacked a base. Libya said that Libyan planes had attacked Chad first."),
    ("hostile", HOSTILE, HOSTILE),
    ("many", "Alliance", "Turkey, Greece, France, Spain, Italy, Poland, Kenya, Ghana, Chile, Peru, Cuba met."),
    ("empty-title", "", "The rebels attacked at dawn.\n\nThey withdrew."),
    ("third", "Talks", "Israel and Egypt met; Syria attacked nobody."),
    ("last", "Strike", "U.S. forces attacked a convoy. The United States said it regretted the losses."),
)  # fmt: skip


def written(path: Path) -> Path:
    """A file of the articles to ingest, one a day."""
    rows = [
        {"doc_id": doc_id, "published": f"1987-01-{day + 1:02d}", "title": title, "text": text}
        for day, (doc_id, title, text) in enumerate(ARTICLES)
    ]
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return path


def frozen(
    warehouse: Warehouse, drawn: Sequence[str] | None = None, query: Query | None = None, **changes: Any
) -> Frame:
    """A frame of the whole archive; the named articles are drawn, in that order, or else all, in an order by lot."""
    chunks = [warehouse.read_table(chunk.path, ARCHIVE) for chunk in archive_chunks(warehouse)]
    archive = pa.concat_tables(chunks).select(["doc_id", "published"]).to_pylist()
    order = list(drawn or sorted((row["doc_id"] for row in archive), key=lambda doc_id: document_key(1, doc_id)))
    turns = {doc_id: turn for turn, doc_id in enumerate(order)}
    rows = [_row(row["doc_id"], row["published"], turns.get(row["doc_id"])) for row in archive]
    query = query or Query.from_yaml("attack")
    known = {"run_id": "r1", "query": query.name, "fingerprint": query.fingerprint, "seed": 0, "budget": len(order)}
    settings = FrameSettings(**(known | {"design": {}} | changes))
    return freeze(warehouse, pa.Table.from_pylist(rows, schema=FRAME), settings, query, created="2026-01-01T00:00:00Z")


def _row(doc_id: str, published: date, turn: int | None) -> dict[str, Any]:
    return {
        "doc_id": doc_id, "published": published, "quarter": f"{published.year}Q{(published.month + 2) // 3}",
        "stratum": "gate", "pi": 0.5, "number": 0.25, "drawn": turn is not None, "turn": turn,
        "entry": None if turn is None else 1, "earlier_pi": 0.0, "codes": ["USA"], "scores": [0.97], "named": [],
        "story": document_key(2, doc_id) % 1000,
    }  # fmt: skip


def small_warehouse(folder: Path) -> Warehouse:
    """An archive of these articles."""
    warehouse = Warehouse.open(folder / "w")
    ingest([str(written(folder / "articles.jsonl.gz"))], warehouse, IngestConfig())
    return warehouse


def dyadic_query(folder: Path) -> Query:
    """Who attacks whom."""
    file = folder / "who-whom.yaml"
    file.write_text("name: who-whom\nverbs: [attack]\nlexicon: countries\ntargets: {roles: [obj]}\n")
    return Query.from_yaml(file)


def small_desk(folder: Path, query: Query | None = None) -> Desk:
    """A desk over all of these articles, in their order."""
    warehouse = small_warehouse(folder)
    frame = frozen(warehouse, [doc_id for doc_id, _, _ in ARTICLES], query)
    return Desk(warehouse, frame, drawn_articles(warehouse, frame))
