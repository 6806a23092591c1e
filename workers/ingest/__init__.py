"""Bring files into the archive: streamed, validated, and published all at once or not at all."""

from workers.ingest.archive_files import ingest
from workers.ingest.catalogue import archive_chunks
from workers.ingest.chunks import Chunk
from workers.ingest.collect import IngestProgress
from workers.ingest.config import COLUMNS, FORMATS, IngestConfig, IngestError
from workers.ingest.report import Example, FileCounts, IngestReport, Reason

__all__ = [
    "COLUMNS",
    "FORMATS",
    "Chunk",
    "Example",
    "FileCounts",
    "IngestConfig",
    "IngestError",
    "IngestProgress",
    "IngestReport",
    "Reason",
    "archive_chunks",
    "ingest",
]
