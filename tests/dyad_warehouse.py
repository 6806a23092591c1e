"""A warehouse of four articles with a run of `attack-dyads`."""

import json
from pathlib import Path

from calib_core.events import Query
from tests.workers.propagation.running import run_stages
from workers.ingest import IngestConfig, archive_chunks, ingest
from workers.propagation.publishing import publish_run
from workers.propagation.settings import Settings
from workers.storage import Warehouse

DYADS = Settings(Query.from_yaml("attack-dyads"), n_samples=40)
TEXTS = {
    "a": "Iraq said its warplanes attacked Iran on Sunday.",
    "b": "Iran launched an attack on Iraq. The Iraqi army attacked a village.",
    "c": "Kuwait was attacked at dawn.",
    "d": "Iraq protested.",
}


def dyad_run(folder: Path) -> Path:
    """The warehouse, made in a folder."""
    articles = [{"doc_id": k, "published": "1987-02-01", "title": "", "text": text} for k, text in TEXTS.items()]
    (folder / "news.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in articles))
    root = folder / "w"
    warehouse = Warehouse.open(root)
    ingest([str(folder / "news.jsonl")], warehouse, IngestConfig())
    outcome = run_stages(root, DYADS)
    publish_run(warehouse, DYADS, list(archive_chunks(warehouse)), outcome, created="2026-01-01T00:00:00")
    return root
